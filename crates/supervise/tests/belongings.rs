//! What a tree is given, and what it leaves: descriptors beyond the first three, and folders that go with it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use supervise::{Descriptors, Exit, Ladder, Output, SpawnError, Spec, Supervisor, Tree};
use testkit::bins;
use testkit::process::{self, PidFile};

/// Far more than any step here takes; a test that reaches it has failed.
const LIMIT: Duration = Duration::from_secs(20);

fn supervisor() -> Supervisor {
    Supervisor::with_watchdog(bins().watchdog())
}

fn shell(script: &str) -> Spec {
    Spec::new("/bin/sh", "/").args(["-c", script])
}

/// A shell that reads its descriptor 3 and writes its descriptor 4, as a browser does.
async fn spawn_with_pipes(script: &str) -> (Tree, Output, PipeWriter, PipeReader) {
    let (child_reads, we_write) = std::io::pipe().unwrap();
    let (we_read, child_writes) = std::io::pipe().unwrap();
    let descriptors = Descriptors::new().pass(3, child_reads).pass(4, child_writes);
    let (tree, output) = supervisor().spawn_passing(&shell(script), descriptors).await.unwrap();
    (tree, output, we_write, we_read)
}

/// A folder with something in it, to be removed with a tree.
struct Profile {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

impl Profile {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("profile");
        std::fs::create_dir_all(path.join("Default/Cache")).unwrap();
        std::fs::write(path.join("Default/Cache/data"), "x").unwrap();
        std::os::unix::fs::symlink("nowhere", path.join("SingletonLock")).unwrap();
        Self { _dir: dir, path }
    }

    fn wait_gone(&self) {
        process::wait_until(LIMIT, || (!self.path.exists()).then_some(()))
            .expect("the profile is still there");
    }
}

#[tokio::test]
async fn a_program_reads_its_descriptor_3_and_writes_its_descriptor_4() {
    let script = "while read -r line <&3; do echo \"got $line\" >&4; done";
    let (mut tree, _output, mut to_it, from_it) = spawn_with_pipes(script).await;
    let mut from_it = BufReader::new(from_it);
    for word in ["one", "two"] {
        writeln!(to_it, "{word}").unwrap();
        let mut answer = String::new();
        from_it.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("got {word}\n"));
    }
    drop(to_it);
    assert_eq!(tree.exited().await, Exit::Code(0), "the end of its input must reach it");
    tree.stop(Ladder::default()).await;
}

#[tokio::test]
async fn the_death_of_a_program_is_seen_at_the_other_end_while_its_watchdog_lives() {
    let (tree, _output, _to_it, mut from_it) = spawn_with_pipes("echo ready >&4; exec sleep 100").await;
    let mut ready = [0; 6];
    from_it.read_exact(&mut ready).unwrap();
    process::kill(tree.pid());
    let mut rest = Vec::new();
    from_it.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, b"");
    tree.stop(Ladder::default()).await;
}

#[tokio::test]
async fn a_program_inherits_what_it_was_given_and_nothing_else() {
    async fn inherited(descriptors: Descriptors) -> BTreeSet<String> {
        let spec = Spec::new("/bin/ls", "/").args(["/proc/self/fd"]);
        let (tree, mut output) = supervisor().spawn_passing(&spec, descriptors).await.unwrap();
        let (mut buffer, mut said) = (vec![0; 4096], Vec::new());
        while let Some((_, length)) = output.read(&mut buffer).await {
            said.extend_from_slice(&buffer[..length]);
        }
        tree.stop(Ladder::default()).await;
        String::from_utf8(said).unwrap().lines().map(str::to_owned).collect()
    }
    let null = || std::fs::File::open("/dev/null").unwrap();
    // Whoever runs this test may leave descriptors open to everybody; and `ls` opens one itself.
    let before = inherited(Descriptors::new()).await;
    let with_ours = inherited(Descriptors::new().pass(7, null()).pass(20, null()).pass(9, null())).await;
    let more: Vec<&String> = with_ours.difference(&before).collect();
    assert_eq!(more, ["20", "7", "9"]);
}

#[tokio::test]
async fn a_missing_program_is_still_told_when_it_was_given_descriptors() {
    for number in 3..12 {
        let (_we_read, child_writes) = std::io::pipe().unwrap();
        let descriptors = Descriptors::new().pass(number, child_writes);
        let missing = supervisor().spawn_passing(&Spec::new("/nowhere/at all", "/"), descriptors).await;
        assert!(matches!(missing, Err(SpawnError::NotFound { .. })), "{number}: {missing:?}");
    }
}

#[tokio::test]
async fn numbers_that_can_not_be_given_are_refused() {
    let null = || std::fs::File::open("/dev/null").unwrap();
    let refused = [
        Descriptors::new().pass(1, null()),
        Descriptors::new().pass(-1, null()),
        Descriptors::new().pass(5, null()).pass(5, null()),
        (3..20).fold(Descriptors::new(), |all, number| all.pass(number, null())),
    ];
    for descriptors in refused {
        let outcome = supervisor().spawn_passing(&shell("true"), descriptors).await;
        assert!(matches!(outcome, Err(SpawnError::Descriptor { .. })), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_profile_is_gone_when_the_stop_answers() {
    let profile = Profile::new();
    let spec = shell("sleep 100").remove_afterwards(&profile.path);
    let (tree, _output) = supervisor().spawn(&spec).await.unwrap();
    assert!(profile.path.exists());
    tree.stop(Ladder::default()).await;
    assert!(!profile.path.exists());
}

#[tokio::test]
async fn a_profile_stays_while_its_tree_is_not_stopped_and_goes_when_it_is_forgotten() {
    let profile = Profile::new();
    let (mut tree, output) =
        supervisor().spawn(&shell("true").remove_afterwards(&profile.path)).await.unwrap();
    tree.exited().await;
    assert!(profile.path.exists(), "a stopped browser may be looked at");
    drop((tree, output));
    profile.wait_gone();
}

#[tokio::test]
async fn a_profile_goes_when_the_program_could_not_be_started() {
    let profile = Profile::new();
    let spec = Spec::new("/nowhere/at all", "/").remove_afterwards(&profile.path);
    supervisor().spawn(&spec).await.unwrap_err();
    assert!(!profile.path.exists());
    let profile = Profile::new();
    let spec = shell("true").remove_afterwards(&profile.path);
    Supervisor::with_watchdog("/nowhere/at all").spawn(&spec).await.unwrap_err();
    assert!(!profile.path.exists());
}

#[tokio::test]
async fn a_profile_goes_when_the_watchdog_was_killed() {
    let profile = Profile::new();
    let spec = shell("sleep 100").remove_afterwards(&profile.path);
    let (tree, _output) = supervisor().spawn(&spec).await.unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", tree.pid())).unwrap();
    let watchdog = stat[stat.rfind(')').unwrap() + 1..].split_whitespace().nth(1).unwrap().parse().unwrap();
    process::kill(watchdog);
    tree.stop(Ladder::default()).await;
    assert!(!profile.path.exists());
}

/// A process of its own that owns a tree with a profile, killed once the tree runs.
fn killed_owner(profile: &Profile, pids: &PidFile) {
    let mut owner = Command::new(bins().owner())
        .arg(&profile.path)
        .arg(bins().child())
        .args(["ignores-term", "--pid-file"])
        .arg(pids.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    pids.wait_for(1, LIMIT).unwrap();
    assert!(profile.path.exists());
    process::kill(owner.id());
    owner.wait().unwrap();
}

#[test]
fn a_profile_and_its_tree_go_when_their_owner_is_killed() {
    let (profile, pids) = (Profile::new(), PidFile::new().unwrap());
    killed_owner(&profile, &pids);
    pids.wait_gone(LIMIT).unwrap();
    profile.wait_gone();
}

#[test]
fn a_profile_goes_although_the_next_server_sweeps_while_its_watchdog_is_at_work() {
    let (profile, pids) = (Profile::new(), PidFile::new().unwrap());
    killed_owner(&profile, &pids);
    let report = supervise::sweep_leftovers();
    let touched = |pid: &u32| report.ended.iter().any(|ended| ended.process.pid == *pid);
    assert!(!pids.pids().iter().any(touched), "{report:?}");
    pids.wait_gone(LIMIT).unwrap();
    profile.wait_gone();
}

#[tokio::test]
async fn a_path_that_can_not_be_meant_is_refused_before_anything_starts() {
    for path in ["/", "", ".", "..", "a/.."] {
        let outcome = supervisor().spawn(&shell("true").remove_afterwards(path)).await;
        assert!(matches!(outcome, Err(SpawnError::Will { .. })), "{path:?}: {outcome:?}");
    }
}
