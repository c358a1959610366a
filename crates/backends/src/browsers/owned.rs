//! What a protocol knows of the program that it speaks to, if that is ours.

use base::Deadline;
use engine::backend::Gone;
use futures_util::future::BoxFuture;

/// The program behind a connection, if it is ours.
pub(crate) trait Process: std::fmt::Debug + Send + Sync {
    /// Ends it, whatever is left of it, by `deadline`. Answers at once if it is gone.
    fn stop(&self, deadline: Deadline) -> BoxFuture<'_, ()>;

    /// The connection broke: it ends by itself, or has to be ended.
    fn abandoned(&self);

    /// Waits until nothing of it lives, and says how it ended.
    fn gone(&self) -> BoxFuture<'_, Gone>;
}
