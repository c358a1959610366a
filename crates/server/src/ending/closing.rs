//! Everything that owns processes, closed together at the end.

use std::sync::{Arc, Mutex, PoisonError};

use base::Deadline;
use futures_util::future::{BoxFuture, join_all};

use super::End;

/// Something that owns processes and can end them.
pub(crate) trait Close: Send + Sync {
    /// What it is, for the log.
    fn name(&self) -> &'static str;

    /// Ends everything that it owns, by `deadline`, and says what came of it.
    fn close(&self, deadline: Deadline) -> BoxFuture<'_, Closed>;
}

/// What stopped, and what would not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Closed {
    pub(crate) stopped: Vec<String>,
    pub(crate) resisted: Vec<String>,
}

/// The owners to be closed. Clones are the same list.
#[derive(Clone, Default)]
pub(crate) struct Closing(Arc<Mutex<Vec<Arc<dyn Close>>>>);

impl Closing {
    /// Adds an owner.
    pub(crate) fn register(&self, owner: Arc<dyn Close>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(owner);
    }

    /// Closes all owners at once. One that overruns the deadline is left behind and named.
    pub(super) async fn close(&self, deadline: Deadline) -> End {
        let owners = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let ends = join_all(owners.iter().map(|owner| close_one(&**owner, deadline))).await;
        if ends.contains(&End::Unclean) { End::Unclean } else { End::Clean }
    }
}

async fn close_one(owner: &dyn Close, deadline: Deadline) -> End {
    let owner_name = owner.name();
    match deadline.race(owner.close(deadline)).await {
        Ok(Closed { stopped, resisted }) if resisted.is_empty() => {
            tracing::info!(owner = owner_name, ?stopped, "closed");
            End::Clean
        }
        Ok(Closed { stopped, resisted }) => {
            tracing::error!(owner = owner_name, ?stopped, ?resisted, "closed, but not everything stopped");
            End::Unclean
        }
        Err(late) => {
            tracing::error!(owner = owner_name, %late, "did not close");
            End::Unclean
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    struct Owner {
        takes: Duration,
        resists: bool,
    }

    impl Close for Owner {
        fn name(&self) -> &'static str {
            "owner"
        }

        fn close(&self, _: Deadline) -> BoxFuture<'_, Closed> {
            Box::pin(async {
                tokio::time::sleep(self.takes).await;
                let resisted = if self.resists { vec!["pid 7".to_owned()] } else { Vec::new() };
                Closed { stopped: Vec::new(), resisted }
            })
        }
    }

    async fn close(owners: [(u64, bool); 2]) -> End {
        let closing = Closing::default();
        for (seconds, resists) in owners {
            closing.register(Arc::new(Owner { takes: Duration::from_secs(seconds), resists }));
        }
        closing.close(Deadline::after(Duration::from_secs(3))).await
    }

    #[tokio::test(start_paused = true)]
    async fn owners_close_together_within_the_deadline() {
        let began = tokio::time::Instant::now();
        assert_eq!(close([(2, false), (2, false)]).await, End::Clean);
        assert_eq!(began.elapsed(), Duration::from_secs(2));
    }

    #[tokio::test(start_paused = true)]
    async fn an_owner_that_never_closes_does_not_keep_the_process() {
        assert_eq!(close([(0, false), (100, false)]).await, End::Unclean);
    }

    #[tokio::test(start_paused = true)]
    async fn what_resists_makes_the_end_unclean() {
        assert_eq!(close([(0, true), (0, false)]).await, End::Unclean);
    }
}
