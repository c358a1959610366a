//! What every contender can be asked, whatever its own words for it are.

use std::time::Duration;

use anyhow::Context;

/// A server, or a program that has one behind it.
pub(super) trait Contender {
    fn name(&self) -> &'static str;

    /// Starts it, up to where it takes its first order.
    fn start(&self) -> anyhow::Result<Box<dyn Running>>;
}

/// A contender that has been started. Dropping it ends it with its browser.
pub(super) trait Running {
    /// How long it took until it could be asked; `None` when nothing had to be started.
    fn ready_after(&self) -> Option<Duration>;

    /// Does a step.
    fn ask(&mut self, step: &Step<'_>) -> anyhow::Result<Told>;

    /// Where a click's result tells what it changed.
    fn changes(&self) -> Changes;

    /// What its own processes hold in memory, without the browser's.
    fn memory(&self) -> anyhow::Result<f64>;

    /// The bytes of its tool list; `None` when it has none.
    fn tools_bytes(&mut self) -> anyhow::Result<Option<usize>>;
}

/// Something that is asked. A `target` is a ref of the contender's own snapshot.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    Navigate { url: &'a str },
    Snapshot,
    Click { target: &'a str },
    Type { target: &'a str, text: &'a str },
    Evaluate { expression: &'a str },
    Screenshot,
}

/// Where one learns what a click changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changes {
    InResult,
    /// The result names a file that has it.
    InFile,
    /// One has to ask for a snapshot.
    NotTold,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) took: Duration,
    /// Everything that the agent's side has to read.
    pub(super) bytes: usize,
    pub(super) text: String,
}

/// The ref in the snapshot's line that has this name.
pub(super) fn target_in(snapshot: &str, name: &str) -> anyhow::Result<String> {
    let quoted = format!("\"{name}\"");
    let mut lines = snapshot.lines().filter(|line| line.contains(&quoted));
    let found = lines.find_map(|line| line.split_once("ref=")?.1.split([']', ',']).next());
    Ok(found.with_context(|| format!("the snapshot has no ref for {quoted}: {snapshot}"))?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ref_is_found_in_every_contenders_snapshot() {
        let theirs =
            "### Snapshot\n- generic [active] [ref=e1]:\n  - button \"Press\" [ref=e2] [cursor=pointer]";
        assert_eq!(target_in(theirs, "Press").unwrap(), "e2");
        assert_eq!(target_in("- button \"Press\" [disabled, ref=e7]", "Press").unwrap(), "e7");
        assert!(target_in(theirs, "Name").is_err());
    }
}
