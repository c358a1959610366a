//! Who belongs to a tree: the descendants of the watchdog, found in the process table.
//!
//! A number alone is never signalled: between two looks it may have passed to a stranger, so each is held together
//! with its start time and looked up again right before.

use std::collections::BTreeMap;

use rustix::process::{Pid, Signal};

use super::table;
use crate::Process;

/// One row of the process table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    /// When it started, in the table's own measure: with the number it names one process for ever.
    pub(crate) start: String,
    pub(crate) zombie: bool,
}

/// A living descendant.
#[derive(Debug, Clone)]
pub(crate) struct Kinsman {
    pid: u32,
    group: u32,
    start: String,
    command: String,
}

/// The same process, whatever it calls itself now: `exec` changes the command.
impl PartialEq for Kinsman {
    fn eq(&self, other: &Self) -> bool {
        self.pid == other.pid && self.start == other.start
    }
}

/// The family of one watchdog.
#[derive(Debug)]
pub(crate) struct Kin {
    me: u32,
    root: u32,
    /// Everyone seen so far. Where there is no subreaper, an orphan's descent shows only in an earlier look.
    seen: BTreeMap<u32, String>,
}

impl Kin {
    /// The descendants of this process, whose first child is `root`.
    pub(crate) fn of_this_process(root: u32) -> Self {
        Self { me: std::process::id(), root, seen: BTreeMap::new() }
    }

    /// Every descendant that lives now.
    pub(crate) fn living(&mut self) -> Vec<Kinsman> {
        let rows: Vec<Row> =
            table::rows().into_iter().filter(|row| !row.zombie && row.pid != self.me).collect();
        let mut family: BTreeMap<u32, &Row> = BTreeMap::new();
        loop {
            let before = family.len();
            for row in &rows {
                let belongs = row.parent == self.me
                    || family.contains_key(&row.parent)
                    || row.group == self.root
                    || self.seen.get(&row.pid) == Some(&row.start);
                if belongs {
                    family.insert(row.pid, row);
                }
            }
            if family.len() == before {
                break;
            }
        }
        for row in family.values() {
            self.seen.insert(row.pid, row.start.clone());
        }
        family.into_values().map(Kinsman::from_row).collect()
    }

    /// Whether nobody is known to live outside our own children. The subreaper makes that so by construction.
    #[cfg(target_os = "linux")]
    #[expect(clippy::unused_self, reason = "where there is no subreaper, it takes a look")]
    pub(crate) fn none_strayed(&self) -> bool {
        true
    }

    /// Whether nobody is known to live outside our own children.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn none_strayed(&mut self) -> bool {
        self.living().is_empty()
    }

    /// TERM once to everyone: to the root's group as a whole, to those who left it one by one. A second TERM would
    /// make many programs skip their cleaning up.
    pub(crate) fn terminate(&self, who: &[Kinsman]) {
        let root_group = Pid::from_raw(self.root.cast_signed());
        if who.iter().any(|one| one.group == self.root)
            && let Some(group) = root_group
        {
            let _ = rustix::process::kill_process_group(group, Signal::TERM);
            let _ = rustix::process::kill_process_group(group, Signal::CONT);
        }
        for one in who.iter().filter(|one| one.group != self.root) {
            one.signal(Signal::TERM);
            one.signal(Signal::CONT);
        }
    }
}

/// KILL to everyone, frozen first so that nobody forks away in between.
pub(crate) fn kill(who: &[Kinsman]) {
    for signal in [Signal::STOP, Signal::KILL] {
        for one in who {
            one.signal(signal);
        }
    }
}

impl Kinsman {
    pub(crate) fn from_row(row: &Row) -> Self {
        Self { pid: row.pid, group: row.group, start: row.start.clone(), command: table::command(row.pid) }
    }

    /// As a report shows it.
    pub(crate) fn process(&self) -> Process {
        Process { pid: self.pid, command: self.command.clone() }
    }

    /// Whether it is still in the table, and more than a name there.
    pub(crate) fn is_alive(&self) -> bool {
        table::row(self.pid).is_some_and(|row| row.start == self.start && !row.zombie)
    }

    fn signal(&self, signal: Signal) {
        if table::start(self.pid).as_ref() == Some(&self.start)
            && let Some(pid) = Pid::from_raw(self.pid.cast_signed())
        {
            // Gone already, or not ours to signal: the ladder's next look tells.
            let _ = rustix::process::kill_process(pid, signal);
        }
    }
}
