//! Reading a dev server's logs: the end, what came since, or all of it, within a budget, whatever the file's size.
//!
//! Text comes out plain: no colours, no control characters, broken encoding replaced. A budget counts characters. All
//! of this blocks, for a few milliseconds. Which logs may be read is the caller's business.

mod backwards;
mod cursor;
mod file;
mod watch;

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use base::{clip, plain};
use regex::Regex;

use backwards::Backwards;
pub use cursor::{BadCursor, Cursor};
use file::Opened;
pub use watch::LogWatch;

/// What is kept of one line, in bytes and then in characters; nobody reads more.
const LONGEST_LINE: usize = 64 * 1024;
const LONGEST_SHOWN: usize = 2000;
/// The most that one call searches through.
const MOST_SEARCHED: u64 = 256 * 1024 * 1024;

/// A log file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    path: PathBuf,
}

/// A part of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its lines, each with its line break.
    pub text: String,
    /// Where reading goes on.
    pub cursor: Cursor,
    /// How many lines it has.
    pub lines: usize,
    /// Whether there is more than was asked for or fits: before it for [`Log::tail`], after it otherwise; or a line was
    /// cut.
    pub left_out: bool,
    /// How large the whole log is, in bytes.
    pub size: u64,
    /// The log was replaced or cut since the cursor was made, so this begins at its beginning.
    pub restarted: bool,
}

/// Why a log can't be read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// There is no such file.
    #[error("the log {} does not exist", path.display())]
    NotFound {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// It is something else than a log of ours.
    #[error("{} is not read as a log: {why}", path.display())]
    Refused {
        /// Which one.
        path: PathBuf,
        /// What it is.
        why: &'static str,
    },
    /// The system refused.
    #[error("the log {} can't be read: {source}", path.display())]
    Failed {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl LogError {
    /// As A-design names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "log_file_not_found",
            Self::Refused { .. } | Self::Failed { .. } => "log_read_failed",
        }
    }
}

impl Log {
    /// The log at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last `lines` lines (those that match `grep`), as far as the budget goes. Reads from the end, so the size
    /// of the file does not matter.
    ///
    /// # Errors
    /// [`LogError`] says why it can't be read.
    pub fn tail(&self, lines: usize, budget: usize, grep: Option<&Regex>) -> Result<Chunk, LogError> {
        self.open()?.tail(0, lines, budget, grep).map_err(|source| self.failed(source))
    }

    /// What was written after `cursor`, as far as the budget goes; the new cursor goes on from there.
    ///
    /// # Errors
    /// [`LogError`] says why it can't be read.
    pub fn since(&self, cursor: &Cursor, budget: usize, grep: Option<&Regex>) -> Result<Chunk, LogError> {
        let mut opened = self.open()?;
        let restarted = !cursor.is_of(&opened);
        let from = if restarted { 0 } else { cursor.offset };
        let chunk = opened.forward(from, budget, grep).map_err(|source| self.failed(source))?;
        Ok(Chunk { restarted, ..chunk })
    }

    /// The log from its beginning, as far as the budget goes; [`Log::since`] has the rest.
    ///
    /// # Errors
    /// [`LogError`] says why it can't be read.
    pub fn whole(&self, budget: usize, grep: Option<&Regex>) -> Result<Chunk, LogError> {
        self.open()?.forward(0, budget, grep).map_err(|source| self.failed(source))
    }

    /// Where the log ends now.
    ///
    /// # Errors
    /// [`LogError`] says why it can't be read.
    pub fn end(&self) -> Result<Cursor, LogError> {
        let opened = self.open()?;
        Ok(opened.cursor(opened.size))
    }

    fn open(&self) -> Result<Opened, LogError> {
        Opened::open(&self.path)
    }

    fn failed(&self, source: std::io::Error) -> LogError {
        LogError::Failed { path: self.path.clone(), source }
    }
}

/// Lines as they are shown, within a budget.
#[derive(Debug)]
struct Shown<'a> {
    grep: Option<&'a Regex>,
    budget: usize,
    lines: Vec<String>,
    characters: usize,
    cut: bool,
}

impl<'a> Shown<'a> {
    fn new(budget: usize, grep: Option<&'a Regex>) -> Self {
        Self { grep, budget, lines: Vec::new(), characters: 0, cut: false }
    }

    /// Takes the plain lines in one line of the file. False when they don't fit; nothing is taken then, unless there
    /// would be nothing at all.
    fn take(&mut self, line: &[u8], newest_first: bool) -> bool {
        let mut pieces = plain::lines(line);
        pieces.retain(|piece| self.grep.is_none_or(|grep| grep.is_match(piece)));
        if newest_first {
            pieces.reverse();
        }
        let length: usize = pieces.iter().map(|piece| piece.chars().count().min(LONGEST_SHOWN) + 1).sum();
        let fits = self.characters + length <= self.budget;
        if !fits && (!self.lines.is_empty() || self.budget == 0) {
            return false;
        }
        for piece in pieces {
            let room = LONGEST_SHOWN.min(self.budget.saturating_sub(self.characters));
            let shown = clip::head(&piece, room);
            self.cut |= shown.len() != piece.len();
            self.characters += piece.chars().count().min(LONGEST_SHOWN) + 1;
            self.lines.push(shown.into_owned());
        }
        true
    }

    fn text(self) -> (String, usize, bool) {
        let count = self.lines.len();
        let mut text = self.lines.join("\n");
        if count > 0 {
            text.push('\n');
        }
        (text, count, self.cut)
    }
}

impl Opened {
    /// The last lines that begin at `from` or later.
    fn tail(
        &mut self,
        from: u64,
        lines: usize,
        budget: usize,
        grep: Option<&Regex>,
    ) -> std::io::Result<Chunk> {
        let size = self.size;
        let mut shown = Shown::new(budget, grep);
        let mut backwards = Backwards::new(&mut self.file, from, size);
        let mut left_out = false;
        while backwards.has_more() && !left_out {
            left_out = shown.lines.len() >= lines || backwards.read() > MOST_SEARCHED;
            if !left_out && let Some(line) = backwards.next()? {
                left_out = !shown.take(&line, true);
            }
        }
        // A line may have become several.
        left_out |= shown.lines.len() > lines;
        shown.lines.truncate(lines);
        shown.lines.reverse();
        let (text, lines, cut) = shown.text();
        let left_out = left_out || cut;
        Ok(Chunk { text, cursor: self.cursor(size), lines, left_out, size, restarted: false })
    }

    /// The lines from `from` on.
    fn forward(&mut self, from: u64, budget: usize, grep: Option<&Regex>) -> std::io::Result<Chunk> {
        let size = self.size;
        self.file.seek(SeekFrom::Start(from))?;
        // What is written while we read is for the next call.
        let mut reader = BufReader::with_capacity(LONGEST_LINE, (&self.file).take(size.saturating_sub(from)));
        let mut shown = Shown::new(budget, grep);
        let (mut at, mut line) = (from, Vec::new());
        let mut left_out = false;
        loop {
            line.clear();
            // A line without an end is taken in pieces.
            let length = reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
            if length == 0 {
                break;
            }
            let whole = line.strip_suffix(b"\n").unwrap_or(&line);
            if at - from > MOST_SEARCHED || !shown.take(whole, false) {
                left_out = true;
                break;
            }
            at += length as u64;
        }
        let (text, lines, cut) = shown.text();
        let left_out = left_out || cut;
        Ok(Chunk { text, cursor: self.cursor(at), lines, left_out, size, restarted: false })
    }
}

#[cfg(test)]
mod tests;
