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

    /// Whether a failure was told whose file is `file` or the end of it: compilers write paths relative, runners in full.
    pub(super) fn tells_of_part(&self, file: &str) -> bool {
        self.failures
            .list
            .iter()
            .any(|failure| failure.file.as_deref().is_some_and(|part| file.ends_with(part)))
    }

    /// Adds a failure if there is one.
    pub(super) fn extend(&mut self, failure: Option<Failure>) {
        if let Some(failure) = failure {
            self.add(failure);
        }
    }

    /// The failure of the whole file `file` that was told already.
    pub(super) fn of_file(&self, file: &str) -> Option<&Failure> {
        let of_file = |failure: &&Failure| failure.test.is_none() && failure.file.as_deref() == Some(file);
        self.failures.list.iter().find(of_file)
    }

    /// Takes back what was told of tests whose name `is_wrong` recognises.
    pub(super) fn forget(&mut self, is_wrong: impl Fn(&str) -> bool) {
        self.failures.list.retain(|failure| !failure.test.as_deref().is_some_and(&is_wrong));
    }

    /// Whether there is no place for another: what is not in the list may still have been told.
    pub(super) fn is_full(&self) -> bool {
        self.failures.list.len() == MOST_FAILURES
    }

    /// Whether nothing was told.
    pub(super) fn is_empty(&self) -> bool {
        self.failures.list.is_empty()
    }

    /// Whether something without a test's name was told of `file`, whether its path is written in full or not.
    pub(super) fn tells_of(&self, file: &str) -> bool {
        let of_file = |failure: &Failure| {
            failure.test.is_none() && failure.file.as_deref().is_some_and(|f| f.ends_with(file))
        };
        self.failures.list.iter().any(of_file)
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

    /// The text so far, without the space around it.
    pub(super) fn text(&self) -> &str {
        self.text.trim()
    }

    /// The text, without the space around it.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.text).trim().to_owned()
    }
}
