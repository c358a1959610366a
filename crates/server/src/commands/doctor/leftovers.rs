//! What servers left behind that were killed together with their watchdogs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::report::Finding;

const CHECK: &str = "leftovers";
/// How profiles of browsers are called; the number of their owner follows.
const PREFIX: &str = "e2e-mcp-";
/// Younger ones may be about to be used, or about to be removed.
const STALE: Duration = Duration::from_secs(60);

/// Processes and folders of owners that are dead.
pub(super) fn look(temporary: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let processes = supervise::leftovers();
    if !processes.is_empty() {
        let named: Vec<String> =
            processes.iter().map(|process| format!("{} ({})", process.pid, process.command)).collect();
        let pids: Vec<String> = processes.iter().map(|process| process.pid.to_string()).collect();
        findings.push(Finding::note(
            CHECK,
            format!("processes of a server that is dead: {}", named.join(", ")),
            format!("the next start of the server ends them; or `kill -KILL {}`", pids.join(" ")),
        ));
    }
    let folders = folders(temporary);
    if !folders.is_empty() {
        let named: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        findings.push(Finding::note(
            CHECK,
            format!("profiles of a server that is dead: {}", named.join(", ")),
            format!("`rm -r {}`", named.join(" ")),
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(CHECK, "none"));
    }
    findings
}

fn folders(temporary: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(temporary).into_iter().flatten().flatten();
    let mut left: Vec<PathBuf> = entries.filter(is_left).map(|entry| entry.path()).collect();
    left.sort();
    left
}

fn is_left(entry: &std::fs::DirEntry) -> bool {
    let name = entry.file_name();
    let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok());
    let stale = || {
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > STALE))
    };
    owner.is_some_and(is_dead) && entry.file_type().is_ok_and(|kind| kind.is_dir()) && stale()
}

/// Where the system does not tell, nobody is said to be dead.
fn is_dead(pid: u32) -> bool {
    cfg!(unix) && supervise::Recorded::of(pid).is_none()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_left_when_its_owner_is_dead_and_it_is_old() {
        let temporary = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let (dead, alive) = (child.id(), std::process::id());
        let make = |name: &str, age: Duration| {
            let folder = temporary.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            let then = std::time::SystemTime::now() - age;
            std::fs::File::open(&folder).unwrap().set_modified(then).unwrap();
            folder
        };
        let left = make(&format!("e2e-mcp-{dead}-a"), STALE * 2);
        make(&format!("e2e-mcp-{dead}-b"), Duration::ZERO);
        make(&format!("e2e-mcp-{alive}-c"), STALE * 2);
        make("e2e-mcp-server", STALE * 2);
        assert_eq!(folders(temporary.path()), [left]);
    }
}
