//! What a server wrote since it was last looked at.

use super::{Cursor, Log};
use crate::contract::LogPaths;

/// A server's logs, and how far they have been told.
#[derive(Debug)]
pub struct LogWatch {
    combined: Option<Mark>,
    apart: Vec<Mark>,
    /// Lines that the combined log may still bring.
    told_apart: Vec<String>,
}

#[derive(Debug)]
struct Mark {
    log: Log,
    /// `None` when there was no file yet.
    told: Option<Cursor>,
}

impl LogWatch {
    /// Everything that is in the logs now counts as told.
    pub fn begin(logs: &LogPaths) -> Self {
        let mark = |path: &Option<std::path::PathBuf>| {
            let log = Log::new(path.as_ref()?);
            let told = log.end().ok();
            Some(Mark { log, told })
        };
        Self {
            combined: mark(&logs.combined),
            apart: [mark(&logs.stdout), mark(&logs.stderr)].into_iter().flatten().collect(),
            told_apart: Vec::new(),
        }
    }

    /// The lines that were not told yet: the newest that fit into `budget` characters, in their order. They count as told
    /// from now on. A log that can't be read has none.
    pub fn take(&mut self, budget: usize) -> Vec<String> {
        let combined = self.combined.as_mut().map(|mark| mark.take(budget)).unwrap_or_default();
        let share = budget / self.apart.len().max(1);
        let apart: Vec<String> = self.apart.iter_mut().flat_map(|mark| mark.take(share)).collect();
        // Not every command fills the combined log that it names, and one that does may do it a moment later.
        let combined: Vec<String> = combined.into_iter().filter(|line| !self.was_told_apart(line)).collect();
        if !combined.is_empty() {
            return combined;
        }
        self.told_apart.clone_from(&apart);
        apart
    }

    /// Whether the line was told from a log of its own already; once.
    fn was_told_apart(&mut self, line: &str) -> bool {
        let at = self.told_apart.iter().position(|told| told == line);
        at.map(|at| self.told_apart.remove(at)).is_some()
    }
}

impl Mark {
    fn take(&mut self, budget: usize) -> Vec<String> {
        let Ok(mut opened) = self.log.open() else { return Vec::new() };
        let from = self.told.as_ref().filter(|told| told.is_of(&opened)).map_or(0, |told| told.offset);
        let Ok(chunk) = opened.tail(from, usize::MAX, budget, None) else { return Vec::new() };
        self.told = Some(opened.cursor(opened.size));
        let mut lines: Vec<String> = chunk.text.lines().map(str::to_owned).collect();
        if chunk.left_out && !lines.is_empty() {
            lines.insert(0, format!("[earlier lines are in {}]", self.log.path().display()));
        }
        lines
    }
}
