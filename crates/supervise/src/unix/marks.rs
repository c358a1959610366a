//! The mark that every process of a tree inherits: a variable that names its owner and its tree.
//!
//! It is the second line: the watchdog finds its own by descent and needs no mark. Where the watchdog itself was
//! killed, the mark still tells what belonged to it; and where server and watchdog both died, the next server ends
//! what carries the mark of a dead owner. Nothing is ever ended by its name. A dead owner's tree whose watchdog still
//! lives is left to it: it is ending the tree already, and alone knows what is to be removed afterwards.

use std::time::{Duration, Instant};

use super::kin::{self, Kinsman};
use super::table;
use crate::{Ended, EndedBy, Process, StopReport};

/// `<owner's pid>:<owner's start>:<number of the tree>`
pub(crate) const VARIABLE: &str = "E2E_MCP_TREE";
/// What a watchdog carries besides, and its tree does not.
pub(crate) const WATCHDOG_VARIABLE: &str = "E2E_MCP_WATCHDOG";

/// How long killing is repeated.
const KILL_LIMIT: Duration = Duration::from_secs(2);

/// The mark of this process's `number`th tree.
pub(crate) fn of_this_process(number: u64) -> String {
    let me = std::process::id();
    format!("{me}:{}:{number}", table::start(me).unwrap_or_default())
}

/// Ends what carries exactly this mark, the watchdog included.
pub(crate) fn end_marked(mark: &str) -> StopReport {
    kill_while_found(|| marked().into_iter().filter(|one| one.mark == mark).collect())
}

/// Ends what an earlier server left behind: everything marked by an owner that does not live any more, unless a
/// watchdog is at it.
pub(crate) fn sweep_leftovers() -> StopReport {
    kill_while_found(left)
}

/// What it would end.
pub(crate) fn leftovers() -> Vec<Process> {
    left().iter().map(|one| one.process.process()).collect()
}

fn left() -> Vec<Marked> {
    let all = marked();
    let watched: Vec<String> = all.iter().filter(|one| one.is_watchdog).map(|one| one.mark.clone()).collect();
    all.into_iter().filter(|one| owner_is_dead(&one.mark) && !watched.contains(&one.mark)).collect()
}

fn owner_is_dead(mark: &str) -> bool {
    let mut parts = mark.split(':');
    let (Some(pid), Some(start)) = (parts.next().and_then(|pid| pid.parse().ok()), parts.next()) else {
        return false;
    };
    table::start(pid).is_none_or(|now| now != start)
}

fn kill_while_found(find: impl Fn() -> Vec<Marked>) -> StopReport {
    let mut killed: Vec<Kinsman> = Vec::new();
    let deadline = Instant::now() + KILL_LIMIT;
    loop {
        let mut living: Vec<Kinsman> = find().into_iter().map(|one| one.process).collect();
        // One that is dying gives up its memory first, and its mark with it: it is known by its number until it is dead.
        living.extend(
            killed.iter().filter(|one| one.is_alive() && !living.contains(one)).cloned().collect::<Vec<_>>(),
        );
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

/// A process that carries a mark.
struct Marked {
    process: Kinsman,
    mark: String,
    is_watchdog: bool,
}

/// Who carries a mark. Never we ourselves, nor anything that we run in: a server may itself be started inside a tree.
/// Never a process of another container either, whose numbers mean something else.
fn marked() -> Vec<Marked> {
    let rows = table::rows();
    let mut above_us = vec![std::process::id()];
    while let Some(row) = rows.iter().find(|row| Some(&row.pid) == above_us.last())
        && row.parent != 0
        && !above_us.contains(&row.parent)
    {
        above_us.push(row.parent);
    }
    let others = rows.iter().filter(|row| !row.zombie && !above_us.contains(&row.pid));
    let marked = others.filter_map(|row| {
        let mark = table::variable(row.pid, VARIABLE)?;
        let is_watchdog = table::variable(row.pid, WATCHDOG_VARIABLE).is_some();
        Some(Marked { process: Kinsman::from_row(row), mark, is_watchdog })
    });
    marked.collect()
}
