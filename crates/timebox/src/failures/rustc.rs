//! The Rust compiler's errors, which end a run of `cargo test` or `cargo nextest` before any test.
//!
//! ```text
//! error[E0308]: mismatched types
//!  --> src/lib.rs:5:42
//! ```

use super::Failure;
use super::collect::Collection;
use super::stack;

/// Reads them. Cargo's own closing words (`error: could not compile`, `error: test failed`) have no place and are left.
#[derive(Debug, Default)]
pub(super) struct Rustc {
    error: Option<String>,
    /// An error with its place, that still lacks the words below the source line.
    placed: Option<Failure>,
}

impl Rustc {
    pub(super) fn line(&mut self, line: &str, failures: &mut Collection) {
        if line.starts_with("error")
            && let Some((head, _)) = line.split_once(": ")
        {
            self.close(failures);
            let coded = head == "error" || head.starts_with("error[");
            self.error = coded.then(|| line.to_owned());
        } else if let Some(at) = line.trim_start().strip_prefix("--> ") {
            if let (Some(message), Some(place)) = (self.error.take(), stack::place(at)) {
                self.placed =
                    Some(Failure { test: None, file: Some(place.file), line: Some(place.line), message });
            }
        } else if let Some((_, label)) = line.rsplit_once("^ ").filter(|_| line.trim_start().starts_with('|'))
        {
            // Some labels only repeat the message.
            if let Some(placed) = self.placed.as_mut().filter(|_| label != "not found in this scope") {
                placed.message = format!("{}: {label}", placed.message);
            }
            self.close(failures);
        } else if line.is_empty() {
            self.error = None;
            self.close(failures);
        }
    }

    /// Tells what is still untold.
    pub(super) fn close(&mut self, failures: &mut Collection) {
        failures.extend(self.placed.take());
    }
}
