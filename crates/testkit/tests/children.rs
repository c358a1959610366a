//! Every misbehaving child does what it says, and leaves nothing behind when its test is over.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use testkit::process::{self, PidFile};

const SOON: Duration = Duration::from_secs(10);

/// A child of testkit with its stdout in our hands; killed with all its descendants at the end of the test.
struct Running {
    child: Child,
    pids: PidFile,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let pids = PidFile::new().unwrap();
        let child = Command::new(testkit::bins().child())
            .arg("--pid-file")
            .arg(pids.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, pids }
    }

    fn lines(&mut self) -> impl Iterator<Item = String> + use<> {
        BufReader::new(self.child.stdout.take().unwrap()).lines().map(Result::unwrap)
    }

    fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a child to its end, stdin empty.
fn output(arguments: &[&str]) -> std::process::Output {
    Command::new(testkit::bins().child()).args(arguments).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn ignores_term_goes_on_after_term() {
    let mut running = Running::start(&["ignores-term", "20"]);
    let mut lines = running.lines();
    running.pids.wait_for(1, SOON).unwrap();
    running.signal(rustix::process::Signal::TERM);
    assert_eq!(lines.next().unwrap(), "ignoring TERM");
    assert_eq!(lines.by_ref().take(5).filter(|line| line == "still here").count(), 5);
    assert!(process::alive(running.child.id()));
}

#[test]
fn double_forks_leaves_an_orphan_that_prints_in_another_session() {
    let mut running = Running::start(&["double-forks"]);
    let mut lines = running.lines();
    assert!(running.child.wait().unwrap().success());
    let pids = running.pids.wait_for(3, SOON).unwrap();
    assert_eq!(lines.by_ref().filter(|line| line == "the daemon prints").take(5).count(), 5);
    let daemon = last_alive(&pids);
    assert!(!process::descendants(std::process::id()).contains(&daemon));
    assert_ne!(process::session(daemon), process::session(std::process::id()));
    // The environment tells where it came from when its parents don't.
    let home = format!("HOME={}", std::env::var("HOME").unwrap());
    assert!(process::with_variable(&home).contains(&daemon));
    assert!(!process::with_variable(&format!("{home}/elsewhere")).contains(&daemon));
}

#[test]
fn setsid_holds_pipe_exits_with_its_code_while_stdout_stays_open() {
    let mut running = Running::start(&["setsid-holds-pipe", "7"]);
    let ours = running.child.stdout.as_ref().unwrap().as_raw_fd();
    let pipe = std::fs::read_link(format!("/proc/self/fd/{ours}")).unwrap();
    assert_eq!(running.child.wait().unwrap().code(), Some(7));
    let pids = running.pids.wait_for(2, SOON).unwrap();
    assert!(process::alive(pids[1]));
    assert_eq!(process::session(pids[1]), Some(pids[1]));
    let mut lines = running.lines();
    assert_eq!(lines.next().unwrap(), "exiting while a grandchild holds the pipe");
    assert_eq!(stdout_of(pids[1]), pipe, "the pipe is held");
    process::kill(pids[1]);
    assert_eq!(lines.next(), None);
}

#[test]
fn prompts_gives_up_at_the_end_of_stdin_and_takes_an_answer() {
    let none = output(&["prompts"]);
    assert_eq!((none.status.code(), none.stdout.as_slice()), (Some(3), &b"Continue? [y/N] no answer\n"[..]));
    let mut running = Running::start(&["prompts"]);
    running.child.stdin.take().unwrap().write_all(b"y\n").unwrap();
    assert_eq!(running.lines().next().unwrap(), "Continue? [y/N] answer: y");
}

#[test]
fn floods_prints_exactly_the_bytes_and_ends_with_a_newline() {
    for bytes in [0, 1, 79, 80, 81, 3_000_001] {
        let flood = output(&["floods", &bytes.to_string()]).stdout;
        assert_eq!(flood.len(), bytes);
        assert!(flood.is_empty() || flood.ends_with(b"\n"));
        assert!(flood.split(|byte| *byte == b'\n').all(|line| line.len() < 80));
    }
    assert_eq!(output(&["floods", "40", "4"]).stdout, b"a l\n".repeat(10));
}

#[test]
fn trickles_prints_byte_after_byte() {
    let mut running = Running::start(&["trickles", "10"]);
    let mut bytes = [0; 5];
    running.child.stdout.take().unwrap().read_exact(&mut bytes).unwrap();
    assert_eq!(&bytes, b".....");
}

#[test]
fn stops_itself_is_stopped_until_continued() {
    let mut running = Running::start(&["stops-itself"]);
    let pid = running.child.id();
    process::wait_until(SOON, || (process::state(pid) == Some('T')).then_some(())).expect("a stop");
    assert!(process::alive(pid));
    running.signal(rustix::process::Signal::CONT);
    assert_eq!(running.lines().take(2).collect::<Vec<_>>(), ["stopping", "continued"]);
}

#[test]
fn closes_stdout_lives_on_after_end_of_file() {
    let mut running = Running::start(&["closes-stdout"]);
    assert_eq!(running.lines().collect::<Vec<_>>(), ["closing stdout"]);
    let mut errors = String::new();
    running.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(errors, "");
    assert!(process::alive(running.child.id()));
}

#[test]
fn exits_exits_with_its_code_and_a_misuse_is_told_apart() {
    assert_eq!(output(&["exits", "0"]).status.code(), Some(0));
    assert_eq!(output(&["exits", "42"]).status.code(), Some(42));
    assert_eq!(output(&["exits", "soon"]).status.code(), Some(64));
    assert_eq!(output(&["dances"]).status.code(), Some(64));
}

#[test]
fn dies_by_has_a_signal_and_no_code() {
    for (name, number) in [("TERM", 15), ("KILL", 9), ("SEGV", 11), ("SIGABRT", 6), ("10", 10)] {
        let status = output(&["dies-by", name]).status;
        assert_eq!((status.code(), status.signal()), (None, Some(number)), "{name}");
    }
}

#[test]
fn fork_bombs_starts_every_descendant_some_in_their_own_sessions() {
    let running = Running::start(&["fork-bombs", "30"]);
    let pids = running.pids.wait_for(31, SOON).unwrap();
    assert_eq!(pids.len(), 31);
    assert_eq!(process::descendants(running.child.id()).len(), 30);
    let own = process::session(std::process::id());
    process::wait_until(SOON, || {
        (pids.iter().filter(|pid| process::session(**pid) != own).count() >= 10).then_some(())
    })
    .expect("some left the session");
}

#[test]
fn prints_does_its_steps_in_order() {
    let began = Instant::now();
    let printed = output(&[
        "prints",
        "--out",
        r"a\r\nb",
        "--err",
        r"oops\n",
        "--sleep",
        "50",
        "--out",
        r"\xff\0\n",
        "--exit",
        "5",
    ]);
    assert!(began.elapsed() >= Duration::from_millis(50));
    assert_eq!(printed.stdout, b"a\r\nb\xff\0\n");
    assert_eq!(printed.stderr, b"oops\n");
    assert_eq!(printed.status.code(), Some(5));
}

#[test]
fn prints_waits_until_its_output_was_read_or_a_file_exists() {
    let folder = tempfile::tempdir().unwrap();
    let go = folder.path().join("go");
    let until = go.to_str().unwrap();
    let mut running =
        Running::start(&["prints", "--out", "a", "--until", "read", "--err", "b", "--until", until]);
    let mut letter = [0];
    running.pids.wait_for(1, SOON).unwrap();
    assert!(process::alive(running.child.id()));
    running.child.stdout.take().unwrap().read_exact(&mut letter).unwrap();
    running.child.stderr.take().unwrap().read_exact(&mut letter).unwrap();
    assert!(process::alive(running.child.id()), "the file is not there");
    std::fs::write(go, "").unwrap();
    assert!(running.child.wait().unwrap().success());
}

#[test]
fn long_line_has_no_newline() {
    let line = output(&["long-line", "2500000"]).stdout;
    assert_eq!(line.len(), 2_500_000);
    assert!(line.iter().all(|byte| *byte == b'x'));
}

#[test]
fn env_tells_arguments_environment_folder_and_stdin() {
    let told = Command::new(testkit::bins().child())
        .args(["env", "--name", "a b"])
        .env("TESTKIT_PROBE", "é")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(told["argv"], serde_json::json!(["--name", "a b"]));
    assert_eq!(told["env"]["TESTKIT_PROBE"], "é");
    assert_eq!(told["stdin"], "empty");
    assert_eq!(told["cwd"], std::env::current_dir().unwrap().to_str().unwrap());
}

#[test]
fn clears_env_daemon_leaves_an_orphan_that_nothing_marks() {
    let mut running = Running::start(&["clears-env-daemon"]);
    assert!(running.child.wait().unwrap().success());
    let pids = running.pids.wait_for(3, SOON).unwrap();
    let daemon = last_alive(&pids);
    assert_eq!(std::fs::read(format!("/proc/{daemon}/environ")).unwrap(), b"");
    assert_ne!(process::session(daemon), process::session(std::process::id()));
    assert_eq!(running.lines().collect::<Vec<_>>(), ["daemon started"], "the daemon holds no pipe");
}

#[test]
fn a_pid_file_that_is_dropped_takes_its_processes_along() {
    let mut running = Running::start(&["setsid-holds-pipe"]);
    running.child.wait().unwrap();
    let pids = running.pids.wait_for(2, SOON).unwrap();
    drop(running);
    process::wait_gone(&pids, SOON).unwrap();
}

#[test]
fn survivors_are_named() {
    let running = Running::start(&["ignores-term"]);
    let pids = running.pids.wait_for(1, SOON).unwrap();
    let told = process::wait_gone(&pids, Duration::from_millis(20)).unwrap_err().to_string();
    assert!(told.contains(&pids[0].to_string()) && told.contains("ignores-term"), "{told}");
}

/// What a process has as its stdout.
fn stdout_of(pid: u32) -> PathBuf {
    std::fs::read_link(format!("/proc/{pid}/fd/1")).unwrap()
}

/// The only one of these processes that is left once those that end by themselves have ended.
fn last_alive(pids: &[u32]) -> u32 {
    let one_left = || {
        let alive: Vec<u32> = pids.iter().copied().filter(|pid| process::alive(*pid)).collect();
        (alive.len() == 1).then(|| alive[0])
    };
    process::wait_until(SOON, one_left).unwrap()
}
