//! What a command said: the end of each of its outputs, and how it ended.

use std::collections::VecDeque;

use base::clip;
use supervise::{Exit, Stream};

/// As much of each output's end as is kept.
pub(crate) const KEPT: usize = 64 * 1024;

/// The ends of both outputs and the exit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The end of standard output.
    pub stdout: String,
    /// The end of standard error.
    pub stderr: String,
    /// How the command ended, if it did.
    pub exit: Option<Exit>,
}

impl Said {
    /// The last words in one line for a message: of standard error, or of standard output when there are none.
    pub fn last_line(&self) -> Option<String> {
        let last = |text: &str| {
            let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
            Some(clip::head(&base::plain::text(line.trim()), 200).into_owned())
        };
        last(&self.stderr).or_else(|| last(&self.stdout))
    }
}

/// The newest bytes of both outputs.
#[derive(Debug, Default)]
pub(crate) struct Ears {
    stdout: VecDeque<u8>,
    stderr: VecDeque<u8>,
}

impl Ears {
    pub(crate) fn hear(&mut self, stream: Stream, bytes: &[u8]) {
        let kept = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        let too_many = (kept.len() + bytes.len()).saturating_sub(KEPT);
        kept.drain(..too_many);
        kept.extend(bytes);
    }

    pub(crate) fn stdout(&self) -> String {
        text(&self.stdout)
    }

    pub(crate) fn said(&self, exit: Option<Exit>) -> Said {
        Said { stdout: self.stdout(), stderr: text(&self.stderr), exit }
    }
}

fn text(bytes: &VecDeque<u8>) -> String {
    let (front, back) = bytes.as_slices();
    String::from_utf8_lossy(&[front, back].concat()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept_and_the_streams_stay_apart() {
        let mut ears = Ears::default();
        ears.hear(Stream::Stderr, b"broken\n");
        for _ in 0..3 {
            ears.hear(Stream::Stdout, &[b'a'; KEPT]);
        }
        ears.hear(Stream::Stdout, b"end");
        let said = ears.said(None);
        assert_eq!((said.stdout.len(), said.stdout.ends_with("aend")), (KEPT, true));
        assert_eq!(said.last_line().as_deref(), Some("broken"));
    }
}
