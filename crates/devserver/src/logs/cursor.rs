//! A place in a log that an agent can hold: how far it was read, and which file that was.

use std::fmt;
use std::str::FromStr;

use super::file::Opened;

/// A place in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub(super) offset: u64,
    /// Which file: a log that was replaced has the same name, but not the same number.
    pub(super) file: u64,
}

/// A text that is no cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not a cursor of this server; leave it out to begin anew")]
pub struct BadCursor;

impl Cursor {
    /// Whether it still means something in this file.
    pub(super) fn is_of(&self, opened: &Opened) -> bool {
        self.file == opened.number && self.offset <= opened.size
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:x}", self.offset, self.file)
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Self, BadCursor> {
        let (offset, file) = text.split_once('-').ok_or(BadCursor)?;
        let offset = offset.parse().map_err(|_| BadCursor)?;
        Ok(Self { offset, file: u64::from_str_radix(file, 16).map_err(|_| BadCursor)? })
    }
}
