//! What a watchdog says in its owner's place: only when the owner is gone, before the tree ends, and not for ever.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use supervise::{Ladder, Spec, Supervisor};
use testkit::bins;
use testkit::process::{self, PidFile};

/// Far more than any step here takes; a test that reaches it has failed.
const LIMIT: Duration = Duration::from_secs(30);

/// A folder for what farewells write.
struct Scene {
    dir: tempfile::TempDir,
    pids: PidFile,
}

impl Scene {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), pids: PidFile::new().unwrap() }
    }

    fn said(&self) -> PathBuf {
        self.dir.path().join("said")
    }

    /// A process that owns a tree whose program only KILL ends, killed once the tree runs.
    fn killed_owner(&self, farewell: &str) {
        let mut owner = Command::new(bins().owner())
            .arg(self.dir.path().join("profile"))
            .args(["--farewell", farewell])
            .arg(bins().child())
            .args(["ignores-term", "--pid-file"])
            .arg(self.pids.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        self.pids.wait_for(1, LIMIT).unwrap();
        process::kill(owner.id());
        owner.wait().unwrap();
    }
}

fn wait_for(path: &Path) -> String {
    let text = || std::fs::read_to_string(path).ok().filter(|text| text.ends_with('\n'));
    process::wait_until(LIMIT, text).unwrap_or_else(|| panic!("{} never came", path.display()))
}

/// Writes whether the process whose pid is the file's last line lives, and then its own pid.
fn witness(scene: &Scene, then: &str) -> String {
    let (pids, said) = (scene.pids.path(), scene.said());
    format!(
        "if kill -0 $(tail -n 1 {pids}); then echo alive; else echo dead; fi > {said}.part; \
         mv {said}.part {said}; {then}",
        pids = pids.display(),
        said = said.display()
    )
}

#[test]
fn a_killed_owner_s_farewell_is_said_while_the_tree_lives_and_then_the_tree_ends() {
    let scene = Scene::new();
    scene.killed_owner(&witness(&scene, "true"));
    assert_eq!(wait_for(&scene.said()), "alive\n");
    scene.pids.wait_gone(LIMIT).unwrap();
}

#[test]
fn a_farewell_that_hangs_is_killed_and_the_tree_ends_all_the_same() {
    let scene = Scene::new();
    let own = scene.dir.path().join("own");
    scene.killed_owner(&witness(&scene, &format!("echo $$ > {}; sleep 100", own.display())));
    assert_eq!(wait_for(&scene.said()), "alive\n");
    scene.pids.wait_gone(LIMIT).unwrap();
    let speaker: u32 = wait_for(&own).trim().parse().unwrap();
    process::wait_gone(&[speaker], LIMIT).unwrap();
}

#[test]
fn a_farewell_that_can_not_be_started_holds_up_nothing() {
    let scene = Scene::new();
    scene.killed_owner("exec /nowhere/at-all");
    scene.pids.wait_gone(LIMIT).unwrap();
}

fn spec(scene: &Scene) -> Spec {
    let script = witness(scene, "true");
    Spec::new(bins().child(), "/")
        .args(["ignores-term".into(), "--pid-file".into(), scene.pids.path().into_os_string()])
        .farewell("/bin/sh", ["-c", &script], "/", Duration::from_secs(10))
}

#[tokio::test]
async fn an_ordered_stop_says_no_farewell() {
    let scene = Scene::new();
    let supervisor = Supervisor::with_watchdog(bins().watchdog());
    let (tree, _output) = supervisor.spawn(&spec(&scene)).await.unwrap();
    scene.pids.wait_for(1, LIMIT).unwrap();
    tree.stop(Ladder { grace: Duration::ZERO, ..Ladder::default() }).await;
    assert!(!scene.said().exists());
}

#[tokio::test]
async fn a_watchdog_that_is_asked_to_end_by_a_signal_says_it_too() {
    let scene = Scene::new();
    let supervisor = Supervisor::with_watchdog(bins().watchdog());
    let (tree, _output) = supervisor.spawn(&spec(&scene)).await.unwrap();
    scene.pids.wait_for(1, LIMIT).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", tree.pid())).unwrap();
    let watchdog: i32 =
        stat[stat.rfind(')').unwrap() + 1..].split_whitespace().nth(1).unwrap().parse().unwrap();
    let watchdog = rustix::process::Pid::from_raw(watchdog).unwrap();
    rustix::process::kill_process(watchdog, rustix::process::Signal::TERM).unwrap();
    assert_eq!(wait_for(&scene.said()), "alive\n");
    scene.pids.wait_gone(LIMIT).unwrap();
    tree.stop(Ladder::default()).await;
}
