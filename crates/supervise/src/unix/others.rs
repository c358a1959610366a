//! Processes that are not ours: what the table says about one, and signals to it.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal};

use super::kin::Row;
use super::table;

/// What a process is told.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asked {
    ToEnd,
    Killed,
}

/// When the process with this number started, if it lives.
pub(crate) fn start_of(pid: u32) -> Option<String> {
    table::row(pid).filter(|row| !row.zombie).map(|row| row.start)
}

/// Signals the process, if it is still the one that started then.
pub(crate) fn signal(pid: u32, started: &str, asked: Asked) {
    let signal = match asked {
        Asked::ToEnd => Signal::TERM,
        Asked::Killed => Signal::KILL,
    };
    if start_of(pid).as_deref() == Some(started)
        && let Some(pid) = Pid::from_raw(pid.cast_signed())
    {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// The living descendants of a process, parents before children.
pub(crate) fn descendants(pid: u32) -> Vec<u32> {
    let rows: Vec<Row> = table::rows().into_iter().filter(|row| !row.zombie).collect();
    let (mut found, mut seen) = (Vec::new(), BTreeSet::from([pid]));
    let mut next = vec![pid];
    while !next.is_empty() {
        let children: Vec<u32> = rows
            .iter()
            .filter(|row| next.contains(&row.parent))
            .map(|row| row.pid)
            .filter(|child| seen.insert(*child))
            .collect();
        found.extend(&children);
        next = children;
    }
    found
}
