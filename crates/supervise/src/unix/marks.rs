//! The mark that every process of a tree inherits: a variable that names its owner and its tree.
//!
//! It is the second line: the watchdog finds its own by descent and needs no mark. Where the watchdog itself was
//! killed, the mark still tells what belonged to it; and where server and watchdog both died, the next server ends
//! what carries the mark of a dead owner. Nothing is ever ended by its name.

use std::time::{Duration, Instant};

use super::kin::{self, Kinsman};
use super::table;
use crate::{Ended, EndedBy, StopReport};

/// `<owner's pid>:<owner's start>:<number of the tree>`
pub(crate) const VARIABLE: &str = "E2E_MCP_TREE";

/// How long killing is repeated.
const KILL_LIMIT: Duration = Duration::from_secs(2);

/// The mark of this process's `number`th tree.
pub(crate) fn of_this_process(number: u64) -> String {
    let me = std::process::id();
    format!("{me}:{}:{number}", table::start(me).unwrap_or_default())
}

/// Ends what carries exactly this mark.
pub(crate) fn end_marked(mark: &str) -> StopReport {
    kill_while_found(|found| found == mark)
}

/// Ends what an earlier server left behind: everything marked by an owner that does not live any more.
pub(crate) fn sweep_leftovers() -> StopReport {
    kill_while_found(|mark| {
        let mut parts = mark.split(':');
        let (Some(pid), Some(start)) = (parts.next().and_then(|pid| pid.parse().ok()), parts.next()) else {
            return false;
        };
        table::start(pid).is_none_or(|now| now != start)
    })
}

fn kill_while_found(wanted: impl Fn(&str) -> bool) -> StopReport {
    let mut killed: Vec<Kinsman> = Vec::new();
    let deadline = Instant::now() + KILL_LIMIT;
    loop {
        let living = marked(&wanted);
        if living.is_empty() || Instant::now() >= deadline {
            killed.retain(|one| !living.contains(one));
            let ended =
                killed.iter().map(|one| Ended { process: one.process(), by: EndedBy::Kill }).collect();
            return StopReport { ended, survivors: living.iter().map(Kinsman::process).collect() };
        }
        kin::kill(&living);
        killed.extend(living.into_iter().filter(|one| !killed.contains(one)).collect::<Vec<_>>());
        // A killed process leaves the table a moment later, and nothing tells us when: it is not our child.
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Who carries a mark that `wanted` accepts. Never we ourselves, nor anything that we run in: a server may itself be
/// started inside a tree. Never a process of another container either, whose numbers mean something else.
fn marked(wanted: impl Fn(&str) -> bool) -> Vec<Kinsman> {
    let rows = table::rows();
    let mut above_us = vec![std::process::id()];
    while let Some(row) = rows.iter().find(|row| Some(&row.pid) == above_us.last())
        && row.parent != 0
        && !above_us.contains(&row.parent)
    {
        above_us.push(row.parent);
    }
    rows.iter()
        .filter(|row| !row.zombie && !above_us.contains(&row.pid))
        .filter(|row| table::variable(row.pid, VARIABLE).is_some_and(|mark| wanted(&mark)))
        .map(Kinsman::from_row)
        .collect()
}
