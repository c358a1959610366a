//! Bounded gathering: at most so many failures, each message at most so long.

use super::{Failure, Failures};

/// More than an agent reads; a suite that is broken at its root fails a thousand times for one reason.
const MOST_FAILURES: usize = 100;

/// A message's budget in characters.
const MESSAGE: usize = 800;

/// A name's budget: parametrised tests may carry a whole document in theirs.
const NAME: usize = 300;

/// Gathers failures as they are told.
#[derive(Debug, Default)]
pub(super) struct Collection {
    failures: Failures,
}

impl Collection {
    /// Adds a failure, unless it was told already or there are enough.
    pub(super) fn add(&mut self, mut failure: Failure) {
        failure.message = base::clip::head(failure.message.trim(), MESSAGE).into_owned();
        failure.test = failure.test.map(|name| base::clip::head(name.trim(), NAME).into_owned());
        failure.file = failure.file.map(|name| base::clip::head(name.trim(), NAME).into_owned());
        if self.failures.list.contains(&failure) {
            return;
        }
        if self.failures.list.len() < MOST_FAILURES {
            self.failures.list.push(failure);
        } else {
            self.failures.left_out += 1;
        }
    }

    /// The failure of the test `name` that was told already, to be completed.
    pub(super) fn of_test(&mut self, name: &str) -> Option<&mut Failure> {
        self.failures.list.iter_mut().find(|failure| failure.test.as_deref() == Some(name))
    }

    /// Whether anything was told.
    pub(super) fn is_empty(&self) -> bool {
        self.failures.list.is_empty()
    }

    /// All of them.
    pub(super) fn finish(self) -> Failures {
        self.failures
    }
}

/// A message that grows line by line, and stops growing in time.
#[derive(Debug, Default)]
pub(super) struct Message {
    text: String,
}

impl Message {
    /// Adds a line. Empty lines at the beginning and in a row are left out: they cost and say nothing.
    pub(super) fn push(&mut self, line: &str) {
        let line = line.trim_end();
        let blank = line.is_empty() && (self.text.is_empty() || self.text.ends_with("\n\n"));
        if blank || self.text.len() > MESSAGE * 4 {
            return;
        }
        let end = line.char_indices().nth(MESSAGE).map_or(line.len(), |(at, _)| at);
        self.text.push_str(&line[..end]);
        self.text.push('\n');
    }

    /// Whether nothing was said yet.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text, without the space around it.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.text).trim().to_owned()
    }
}
