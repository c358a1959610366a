//! What matters in a log, found without understanding it (B5.1–B5.3, BP8, BP9).
//!
//! The last `max_output_bytes` bytes of raw.log are read once, in a stream; lines that look like trouble are kept with
//! a few lines around them, and the last lines are kept whatever they say. Memory stays flat whatever the log's size,
//! and so does the result: when there is too much of it, its beginning and its end stay, and it says what was left out.
//!
//! Left to others: writing raw.log, and understanding a particular runner's failures (`failures`).

mod block;
mod ends;
mod pattern;
mod record;

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use serde::Serialize;

use block::Blocks;
use record::Line;
pub use record::for_each_line;

/// How much is read and how much is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The log's last bytes that are looked at (B5.1).
    pub max_output_bytes: u64,
    /// Lines of context before and after a line that matters (B5.3).
    pub context_lines: usize,
    /// The log's last lines that are kept whatever they say (B5.4).
    pub tail_lines: usize,
    /// What the excerpts may have together, in characters.
    pub characters: usize,
    /// How many lines the whole log has, when whoever wrote it counted: line numbers are then the log's own even
    /// if the window begins in its middle.
    pub log_lines: Option<u64>,
}

impl Limits {
    /// The usual limits, for the log's last `max_output_bytes` bytes.
    pub fn last(max_output_bytes: u64) -> Self {
        Self { max_output_bytes, context_lines: 3, tail_lines: 20, characters: 10_000, log_lines: None }
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Extraction {
    /// Lines that matter, with their context, in the log's order.
    pub excerpts: Vec<Excerpt>,
    /// How many excerpts were found and not kept.
    pub left_out: usize,
    /// How many of `excerpts` lie before those that were not kept.
    #[serde(skip)]
    pub kept_in_front: usize,
    /// The log's last lines.
    pub tail_lines: Vec<String>,
    /// What was looked at.
    pub window: Window,
}

/// Neighbouring lines of which at least one matters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Excerpt {
    /// The first line's number: in raw.log, or in the window when [`Window::numbers_are_the_logs`] is false.
    pub first_line: u64,
    /// The last line's number.
    pub last_line: u64,
    /// The lines, each after `> ` if it matters and after two spaces if it is context.
    pub text: String,
}

/// The part of the log that was looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Window {
    /// The log's size.
    pub log_bytes: u64,
    /// How much of it was looked at; never more than asked for.
    pub bytes: u64,
    /// How many of its lines that is.
    pub lines: u64,
    /// Whether line numbers count from the log's first line, or from the window's.
    pub numbers_are_the_logs: bool,
}

impl Excerpt {
    /// The excerpt under a heading with its place in the log.
    pub fn headed(&self, window: &Window) -> String {
        let place = if window.numbers_are_the_logs { "raw.log" } else { "raw.log's end, line" };
        let Self { first_line, last_line, text } = self;
        if first_line == last_line {
            return format!("[{place} {first_line}]\n{text}");
        }
        format!("[{place} {first_line}-{last_line}]\n{text}")
    }
}

impl Extraction {
    /// All excerpts as one text, with a note where some were left out; empty when nothing mattered.
    pub fn text(&self) -> String {
        let mut parts: Vec<String> =
            self.excerpts.iter().map(|excerpt| excerpt.headed(&self.window)).collect();
        if self.left_out > 0 {
            parts.insert(self.kept_in_front, format!("… [{} more excerpts; see raw.log]", self.left_out));
        }
        parts.join("\n\n")
    }
}

/// Looks at the end of `log`.
///
/// # Errors
/// What reading or seeking says.
pub fn extract<R: Read + Seek>(log: &mut R, limits: &Limits) -> io::Result<Extraction> {
    extract_and_show(log, limits, |_| {})
}

/// Looks at the end of `log`, and shows each clean line of it to `show` on the way.
///
/// # Errors
/// What reading or seeking says.
pub fn extract_and_show<R: Read + Seek>(
    log: &mut R,
    limits: &Limits,
    mut show: impl FnMut(&str),
) -> io::Result<Extraction> {
    let log_bytes = log.seek(SeekFrom::End(0))?;
    let bytes = log_bytes.min(limits.max_output_bytes);
    seek_to_whole_line(log, log_bytes - bytes, bytes)?;
    let begin = log.stream_position()?;

    let mut blocks = Blocks::new(limits.context_lines, limits.characters);
    let mut tail = VecDeque::with_capacity(limits.tail_lines.min(1024));
    let lines = for_each_line_of(log.take(log_bytes - begin), |line| {
        if tail.len() == limits.tail_lines {
            tail.pop_front();
        }
        if limits.tail_lines > 0 {
            tail.push_back(block::clipped(&line));
        }
        blocks.push(&line);
        show(line.text);
    })?;

    // The window ends where the log ends, so the window's first line is as far from the end in both.
    let before = if begin == 0 { Some(0) } else { limits.log_lines.map(|all| all.saturating_sub(lines)) };
    let (mut excerpts, kept_in_front, left_out) = blocks.finish();
    for excerpt in &mut excerpts {
        excerpt.first_line += before.unwrap_or(0);
        excerpt.last_line += before.unwrap_or(0);
    }
    let window = Window { log_bytes, bytes, lines, numbers_are_the_logs: before.is_some() };
    Ok(Extraction { excerpts, left_out, kept_in_front, tail_lines: tail.into(), window })
}

fn for_each_line_of(log: impl Read, each: impl FnMut(Line<'_>)) -> io::Result<u64> {
    record::read(BufReader::with_capacity(64 * 1024, log), each)
}

/// Leaves `log` at the first line that begins inside the window of `bytes` bytes at `start`. A window without any line
/// break is a part of one line, which is better than nothing.
fn seek_to_whole_line<R: Read + Seek>(log: &mut R, start: u64, bytes: u64) -> io::Result<()> {
    log.seek(SeekFrom::Start(start))?;
    if start == 0 || bytes == 0 {
        return Ok(());
    }
    // The byte before the window tells whether the window begins with a line; it is not looked at otherwise.
    log.seek(SeekFrom::Start(start - 1))?;
    let mut skipped = start - 1;
    let mut reader = BufReader::new(log.by_ref().take(bytes + 1));
    skipped += record::skip_line(&mut reader)?;
    let end = start + bytes;
    log.seek(SeekFrom::Start(if skipped == end { start } else { skipped }))?;
    Ok(())
}

#[cfg(test)]
mod tests;
