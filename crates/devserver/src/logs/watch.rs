//! What a server wrote while something went on.

use super::{Cursor, Log};
use crate::contract::LogPaths;

/// The ends of a server's logs at one moment.
#[derive(Debug, Clone)]
pub struct LogWatch {
    combined: Option<Mark>,
    apart: Vec<Mark>,
}

#[derive(Debug, Clone)]
struct Mark {
    log: Log,
    /// `None` when there was no file yet.
    end: Option<Cursor>,
}

impl LogWatch {
    /// Marks where the logs end now.
    pub fn begin(logs: &LogPaths) -> Self {
        let mark = |path: &Option<std::path::PathBuf>| {
            let log = Log::new(path.as_ref()?);
            let end = log.end().ok();
            Some(Mark { log, end })
        };
        Self {
            combined: mark(&logs.combined),
            apart: [mark(&logs.stdout), mark(&logs.stderr)].into_iter().flatten().collect(),
        }
    }

    /// The lines that were written since: the newest that fit into `budget` characters, in their order. A log that
    /// can't be read has none.
    pub fn written_since(&self, budget: usize) -> Vec<String> {
        let combined = self.combined.as_ref().map(|mark| mark.written_since(budget)).unwrap_or_default();
        if !combined.is_empty() {
            return combined;
        }
        // Not every command fills the combined log that it names.
        let share = budget / self.apart.len().max(1);
        self.apart.iter().flat_map(|mark| mark.written_since(share)).collect()
    }
}

impl Mark {
    fn written_since(&self, budget: usize) -> Vec<String> {
        let Ok(mut opened) = self.log.open() else { return Vec::new() };
        let from = self.end.as_ref().filter(|end| end.is_of(&opened)).map_or(0, |end| end.offset);
        let Ok(chunk) = opened.tail(from, usize::MAX, budget, None) else { return Vec::new() };
        let mut lines: Vec<String> = chunk.text.lines().map(str::to_owned).collect();
        if chunk.left_out && !lines.is_empty() {
            lines.insert(0, format!("[earlier lines are in {}]", self.log.path().display()));
        }
        lines
    }
}
