//! Trees of real, misbehaving programs: each must be gone afterwards, and the report must say what that took.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::os::unix::process::ExitStatusExt as _;
use std::time::{Duration, Instant};

use supervise::{EndedBy, Exit, Ladder, Output, SpawnError, Spec, StopReport, Stream, Supervisor, Tree};
use testkit::bins;
use testkit::process::{self, PidFile};

/// Far more than any step here takes; a test that reaches it has failed.
const LIMIT: Duration = Duration::from_secs(20);

fn supervisor() -> Supervisor {
    Supervisor::with_watchdog(bins().watchdog())
}

fn child(pids: &PidFile, args: &[&str]) -> Spec {
    Spec::new(bins().child(), std::env::temp_dir())
        .args([args[0]])
        .args(["--pid-file"])
        .args([pids.path()])
        .args(&args[1..])
}

async fn start(pids: &PidFile, args: &[&str], processes: usize) -> (Tree, Output) {
    let started = supervisor().spawn(&child(pids, args)).await.unwrap();
    pids.wait_for(processes, LIMIT).unwrap();
    started
}

fn quick() -> Ladder {
    Ladder { grace: Duration::from_millis(300), kill: Duration::from_secs(5) }
}

/// For programs that end on TERM: nobody is killed because the machine is busy.
fn patient() -> Ladder {
    Ladder { grace: LIMIT, kill: Duration::from_secs(5) }
}

async fn stop(tree: Tree, pids: &PidFile) -> StopReport {
    stop_by(quick(), tree, pids).await
}

async fn stop_by(ladder: Ladder, tree: Tree, pids: &PidFile) -> StopReport {
    let report = tree.stop(ladder).await;
    // No waiting here: when `stop` answers, they are gone.
    for pid in pids.pids() {
        assert!(!process::alive(pid), "{pid} lives after the stop; {report:?}");
    }
    assert_eq!(report.survivors, []);
    report
}

async fn read_all(output: &mut Output) -> Vec<(Stream, Vec<u8>)> {
    let mut all: Vec<(Stream, Vec<u8>)> = Vec::new();
    let mut buffer = vec![0; 4096];
    while let Some((stream, length)) = output.read(&mut buffer).await {
        match all.last_mut() {
            Some((last, bytes)) if *last == stream => bytes.extend_from_slice(&buffer[..length]),
            _ => all.push((stream, buffer[..length].to_vec())),
        }
    }
    all
}

#[tokio::test]
async fn a_program_that_ends_by_itself_leaves_nothing_to_stop() {
    let pids = PidFile::new().unwrap();
    let (mut tree, mut output) = start(&pids, &["exits", "7"], 1).await;
    assert_eq!(tree.exited().await, Exit::Code(7));
    assert_eq!(tree.exited().await, Exit::Code(7), "asking twice is fine");
    read_all(&mut output).await;
    assert_eq!(stop(tree, &pids).await, StopReport::default());
}

#[tokio::test]
async fn a_death_by_signal_is_told_as_such() {
    let pids = PidFile::new().unwrap();
    let (mut tree, _output) = start(&pids, &["dies-by", "KILL"], 1).await;
    assert_eq!(tree.exited().await, Exit::Signal(9));
    stop(tree, &pids).await;
}

#[tokio::test]
async fn a_program_that_ends_on_term_is_not_killed() {
    let pids = PidFile::new().unwrap();
    let (tree, _output) = start(&pids, &["trickles"], 1).await;
    let report = stop_by(patient(), tree, &pids).await;
    assert_eq!(report.ended.len(), 1);
    assert_eq!(report.ended[0].by, EndedBy::Term);
    assert!(report.ended[0].process.command.contains("trickles"));
}

#[tokio::test]
async fn a_program_that_ignores_term_is_killed_after_the_grace_and_named() {
    let pids = PidFile::new().unwrap();
    let (tree, _output) = start(&pids, &["ignores-term"], 1).await;
    let before = Instant::now();
    let report = stop(tree, &pids).await;
    assert!(before.elapsed() >= quick().grace);
    let resisted: Vec<_> = report.resisted().collect();
    assert_eq!(resisted.len(), 1);
    assert!(resisted[0].command.contains("ignores-term"), "{resisted:?}");
}

#[tokio::test]
async fn a_stopped_program_wakes_up_to_end() {
    let pids = PidFile::new().unwrap();
    let (tree, _output) = start(&pids, &["stops-itself"], 1).await;
    let report = stop_by(patient(), tree, &pids).await;
    assert_eq!(report.ended[0].by, EndedBy::Term, "{report:?}");
}

#[tokio::test]
async fn a_daemon_that_double_forked_dies_with_the_tree() {
    let pids = PidFile::new().unwrap();
    let (mut tree, _output) = start(&pids, &["double-forks"], 2).await;
    tree.exited().await;
    let report = stop(tree, &pids).await;
    assert!(!report.ended.is_empty());
}

#[tokio::test]
async fn a_daemon_without_environment_in_its_own_session_dies_with_the_tree() {
    let pids = PidFile::new().unwrap();
    let (mut tree, _output) = start(&pids, &["clears-env-daemon"], 2).await;
    tree.exited().await;
    let report = stop(tree, &pids).await;
    assert!(!report.ended.is_empty());
}

#[tokio::test]
async fn a_hundred_children_in_many_sessions_die_with_the_tree() {
    let pids = PidFile::new().unwrap();
    let (tree, _output) = start(&pids, &["fork-bombs", "100"], 100).await;
    let report = stop(tree, &pids).await;
    assert!(report.ended.len() >= 100, "{}", report.ended.len());
}

#[tokio::test]
async fn a_forgotten_tree_ends_all_the_same() {
    let pids = PidFile::new().unwrap();
    let (tree, output) = start(&pids, &["ignores-term"], 1).await;
    drop((tree, output));
    pids.wait_gone(LIMIT).unwrap();
}

#[tokio::test]
async fn a_tree_whose_watchdog_was_killed_ends_all_the_same() {
    let pids = PidFile::new().unwrap();
    let (tree, _output) = start(&pids, &["ignores-term"], 1).await;
    let parent = parent_of(tree.pid());
    process::kill(parent);
    process::wait_gone(&[parent], LIMIT).unwrap();
    let report = stop(tree, &pids).await;
    assert_eq!(report.resisted().count(), 1, "{report:?}");
}

#[tokio::test]
async fn what_is_slow_to_die_is_dead_when_that_is_told_also_without_a_watchdog() {
    let pids = PidFile::new().unwrap();
    let (tree, mut output) = start(&pids, &["hoards"], 1).await;
    output.read(&mut [0; 16]).await.unwrap();
    let parent = parent_of(tree.pid());
    process::kill(parent);
    process::wait_gone(&[parent], LIMIT).unwrap();
    stop(tree, &pids).await;
}

#[tokio::test]
async fn a_frozen_watchdog_does_not_hold_the_stop() {
    let pids = PidFile::new().unwrap();
    let (tree, _output) = start(&pids, &["trickles"], 1).await;
    let parent = rustix::process::Pid::from_raw(parent_of(tree.pid()).cast_signed()).unwrap();
    rustix::process::kill_process(parent, rustix::process::Signal::STOP).unwrap();
    let ladder = Ladder { grace: Duration::from_millis(100), kill: Duration::from_millis(200) };
    stop_by(ladder, tree, &pids).await;
}

#[tokio::test]
async fn what_two_dead_owners_left_is_swept_and_what_a_living_one_owns_is_not() {
    let pids = PidFile::new().unwrap();
    let theirs = PidFile::new().unwrap();
    let (tree, _output) = start(&pids, &["trickles"], 1).await;
    // The mark of an owner that never was: number 1's start is not 1.
    let mut orphan = std::process::Command::new(bins().child())
        .args(["trickles", "--pid-file"])
        .arg(theirs.path())
        .env("E2E_MCP_TREE", "1:1:0")
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    theirs.wait_for(1, LIMIT).unwrap();
    tokio::task::spawn_blocking(supervise::sweep_leftovers).await.unwrap();
    // Any server that starts on this machine sweeps too; which of them came first doesn't matter.
    assert!(orphan.wait().unwrap().signal().is_some(), "it was not ended");
    assert!(process::alive(tree.pid()), "a living owner's tree was touched");
    stop(tree, &pids).await;
}

#[tokio::test]
async fn nothing_is_on_standard_input_and_there_is_no_terminal() {
    let pids = PidFile::new().unwrap();
    let (mut tree, mut output) = start(&pids, &["prompts"], 1).await;
    assert_eq!(tree.exited().await, Exit::Code(3), "an answer came from somewhere");
    read_all(&mut output).await;
    stop(tree, &pids).await;
}

#[tokio::test]
async fn both_streams_are_read_to_their_ends_and_kept_apart() {
    let spec = Spec::new("/bin/sh", "/").args(["-c", "echo out; echo err >&2"]);
    let (tree, mut output) = supervisor().spawn(&spec).await.unwrap();
    let all = read_all(&mut output).await;
    let of = |wanted| -> Vec<u8> {
        all.iter().filter(|(stream, _)| *stream == wanted).flat_map(|(_, bytes)| bytes.clone()).collect()
    };
    assert_eq!(of(Stream::Stdout), b"out\n");
    assert_eq!(of(Stream::Stderr), b"err\n");
    tree.stop(quick()).await;
}

#[tokio::test]
async fn a_program_that_is_not_there_and_one_that_may_not_run_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let missing = supervisor().spawn(&Spec::new(dir.path().join("missing"), dir.path())).await;
    assert!(matches!(missing, Err(SpawnError::NotFound { .. })), "{missing:?}");
    std::fs::write(dir.path().join("plain"), "text").unwrap();
    let plain = supervisor().spawn(&Spec::new(dir.path().join("plain"), dir.path())).await;
    assert!(matches!(plain, Err(SpawnError::PermissionDenied { .. })), "{plain:?}");
    let folder = supervisor().spawn(&Spec::new("/bin/true", dir.path().join("none"))).await;
    assert!(matches!(folder, Err(SpawnError::Folder { .. })), "{folder:?}");
    let watchdog =
        Supervisor::with_watchdog(dir.path().join("none")).spawn(&Spec::new("/bin/true", "/")).await;
    assert!(matches!(watchdog, Err(SpawnError::Watchdog(_))), "{watchdog:?}");
}

#[tokio::test]
async fn environment_is_added_and_taken_away() {
    let spec = Spec::new("/usr/bin/env", "/").env("ADDED", "x y").env_remove("PATH");
    let (tree, mut output) = supervisor().spawn(&spec).await.unwrap();
    let all = read_all(&mut output).await;
    let text = String::from_utf8_lossy(&all[0].1).into_owned();
    assert!(text.contains("ADDED=x y\n") && !text.lines().any(|line| line.starts_with("PATH=")), "{text}");
    tree.stop(quick()).await;
}

fn parent_of(pid: u32) -> u32 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat[stat.rfind(')').unwrap() + 1..].split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn how_a_descendant_ended_that_outlived_the_program_is_told_to_whoever_follows_it() {
    let script = "sh -c 'trap \"exit 7\" USR1; while :; do sleep 0.05; done' & echo $!";
    let (mut tree, mut output) =
        supervisor().spawn(&Spec::new("/bin/sh", "/").args(["-c", script])).await.unwrap();
    let mut buffer = [0; 64];
    let (_, length) = output.read(&mut buffer).await.unwrap();
    let pid: u32 = std::str::from_utf8(&buffer[..length]).unwrap().trim().parse().unwrap();
    tree.exited().await;
    tree.follow(pid).await;
    let child = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    // A shell that has not set its trap yet ends by the signal itself.
    rustix::process::kill_process(child, rustix::process::Signal::USR1).unwrap();
    let exit = tree.followed().await;
    assert!(matches!(exit, Exit::Code(7) | Exit::Signal(10)), "{exit:?}");
    tree.stop(Ladder::default()).await;
}

#[tokio::test]
async fn the_end_of_a_descendant_is_told_even_to_whoever_asks_after_it() {
    // It outlives its parent, which would collect it otherwise.
    let script = "sh -c \"while kill -0 $$ 2>/dev/null; do sleep 0.01; done; exit 7\" & echo $!";
    let (mut tree, mut output) =
        supervisor().spawn(&Spec::new("/bin/sh", "/").args(["-c", script])).await.unwrap();
    let mut buffer = [0; 64];
    let (_, length) = output.read(&mut buffer).await.unwrap();
    let pid: u32 = std::str::from_utf8(&buffer[..length]).unwrap().trim().parse().unwrap();
    tree.exited().await;
    let collected = process::wait_until(LIMIT, || process::state(pid).is_none().then_some(()));
    assert!(collected.is_some());
    tree.follow(pid).await;
    assert_eq!(tree.followed().await, Exit::Code(7));
    tree.stop(Ladder::default()).await;
}
