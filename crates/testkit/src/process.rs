//! Watching processes from outside: who lives, who descends from whom, and waiting until they are gone.
//!
//! The truth comes from `/proc`, so these checks mean something on Linux only; elsewhere nothing ever seems alive.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// How often a condition is looked at; short against any limit that a test sets.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Whether the process runs, sleeps or is stopped; a zombie is dead, it only waits to be reaped.
pub fn alive(pid: u32) -> bool {
    stat(pid).is_some_and(|stat| !matches!(stat.state, 'Z' | 'X'))
}

/// The process's state letter as `/proc` has it (`T` is stopped, `Z` a zombie), if it exists.
pub fn state(pid: u32) -> Option<char> {
    stat(pid).map(|stat| stat.state)
}

/// The session that the process belongs to, if it exists; 0 is one that began outside of our pid namespace, as
/// everything in some containers does.
pub fn session(pid: u32) -> Option<u32> {
    stat(pid).map(|stat| stat.session)
}

/// Every living process that descends from `pid`, whatever its session or group; the orphaned are not found.
pub fn descendants(pid: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for process in everyone() {
        if let Some(stat) = stat(process).filter(|stat| !matches!(stat.state, 'Z' | 'X')) {
            children.entry(stat.parent).or_default().push(process);
        }
    }
    let mut found = Vec::new();
    let mut next = vec![pid];
    while let Some(parent) = next.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            found.push(child);
            next.push(child);
        }
    }
    found
}

/// Every living process that was started with this `NAME=value` in its environment, whoever its parent is by now.
pub fn with_variable(assignment: &str) -> Vec<u32> {
    let has_it = |pid: &u32| {
        let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|variable| variable == assignment.as_bytes())
    };
    everyone().into_iter().filter(has_it).filter(|pid| alive(*pid)).collect()
}

/// Waits until none of the processes lives.
///
/// # Errors
/// When the limit passes first; the message names the survivors.
pub fn wait_gone(pids: &[u32], limit: Duration) -> anyhow::Result<()> {
    let gone = wait_until(limit, || pids.iter().all(|pid| !alive(*pid)).then_some(()));
    if gone.is_some() {
        return Ok(());
    }
    let survivors: Vec<String> = pids.iter().filter(|pid| alive(**pid)).map(|pid| describe(*pid)).collect();
    bail!("still alive after {limit:?}: {}", survivors.join(", "))
}

/// Looks again and again until `look` sees something or the limit passes.
pub fn wait_until<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(seen) = look() {
            return Some(seen);
        }
        if Instant::now() >= deadline {
            return None;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Sends KILL to one process; that it is already gone is fine.
pub fn kill(pid: u32) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = pid;
}

/// The file in which `testkit-child --pid-file` and its descendants write their pids.
///
/// Dropping it kills what is left of them, so that a failed test leaves nothing behind.
#[derive(Debug)]
pub struct PidFile {
    dir: tempfile::TempDir,
}

impl PidFile {
    /// An empty one in a folder of its own.
    ///
    /// # Errors
    /// When there is no room for a temporary folder.
    pub fn new() -> anyhow::Result<Self> {
        Ok(Self { dir: tempfile::tempdir().context("no temporary folder")? })
    }

    /// The path to hand to the child.
    pub fn path(&self) -> PathBuf {
        self.dir.path().join("pids")
    }

    /// The pids written so far.
    pub fn pids(&self) -> Vec<u32> {
        read_pids(&self.path())
    }

    /// Waits until `count` processes have written their pids.
    ///
    /// # Errors
    /// When the limit passes first.
    pub fn wait_for(&self, count: usize, limit: Duration) -> anyhow::Result<Vec<u32>> {
        wait_until(limit, || Some(self.pids()).filter(|pids| pids.len() >= count)).with_context(|| {
            format!("only {} of {count} processes had started after {limit:?}", self.pids().len())
        })
    }

    /// Waits until every process that wrote its pid is gone.
    ///
    /// # Errors
    /// When the limit passes first; the message names the survivors.
    pub fn wait_gone(&self, limit: Duration) -> anyhow::Result<()> {
        wait_gone(&self.pids(), limit)
    }
}

impl Drop for PidFile {
    fn drop(&mut self) {
        for pid in self.pids() {
            // A pid may have been given to someone else meanwhile: only our own program is killed.
            if alive(pid) && command_line(pid).contains("testkit-child") {
                kill(pid);
            }
        }
    }
}

/// The complete lines of a pid file; one that does not exist yet has none.
fn read_pids(path: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    complete.lines().filter_map(|line| line.parse().ok()).collect()
}

/// What `/proc/PID/stat` says that matters here.
struct Stat {
    state: char,
    parent: u32,
    session: u32,
}

/// Reads it; the command's name may hold spaces and parentheses, so the fields begin after the last one.
fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let mut fields = text.get(text.rfind(')')? + 1..)?.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    let _group = fields.next()?;
    Some(Stat { state, parent, session: fields.next()?.parse().ok()? })
}

/// Every pid there is.
fn everyone() -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The command line with spaces between the words; empty for a zombie.
fn command_line(pid: u32) -> String {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ").trim_end().to_owned()
}

/// A process for a failure's message.
fn describe(pid: u32) -> String {
    format!("{pid} ({}, state {})", command_line(pid), state(pid).unwrap_or('?'))
}
