//! What ends the server, and how soon.
#![cfg(unix)]
#![allow(clippy::expect_used, reason = "tests: what is unexpected fails them")]

mod support;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::json;
use support::{LONG, OnPipes, OnPort, request, wait};

/// The promise; an idle server needs far less.
const SOON: Duration = Duration::from_secs(5);

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it runs");
}

#[test]
fn the_end_of_input_ends_it_after_the_last_reply() {
    let mut server = OnPipes::initialized(&[]);
    server.send(&request(1, "tools/list", json!({})));
    drop(server.stdin.take());
    assert_eq!(server.reply()["id"], 1);
    let (status, took) = server.ended();
    assert!(status.success() && took < Duration::from_secs(1), "{status} after {took:?}");
}

#[test]
fn a_closed_output_ends_it() {
    let mut child = Command::new(support::BINARY)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("spawn");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"nonsense\n").expect("open");
    let (status, took) = wait(&mut child);
    assert!(status.success() && took < SOON, "{status} after {took:?}");
}

#[test]
fn a_signal_ends_it_cleanly() {
    for kind in [Signal::TERM, Signal::INT] {
        let mut server = OnPipes::initialized(&[]);
        signal(&server.child, kind);
        let (status, took) = server.ended();
        assert!(status.success() && took < Duration::from_secs(1), "{kind:?}: {status} after {took:?}");

        let mut server = OnPort::start();
        let _idle = server.connect();
        signal(&server.child, kind);
        let (status, took) = wait(&mut server.child);
        assert!(status.success() && took < Duration::from_secs(1), "{kind:?}: {status} after {took:?}");
    }
}

/// A server whose client reads nothing, so that its replies can't be delivered.
fn stuck() -> Child {
    let mut child = Command::new(support::BINARY)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("spawn");
    let mut stdin = child.stdin.take().expect("piped");
    let flood = std::thread::spawn(move || {
        let line = format!("{}\n", request("x".repeat(10_000), "no/such", json!({})));
        // Blocks when the server reads no more, and fails when it ends.
        while stdin.write_all(line.as_bytes()).is_ok() {}
    });
    // The first line shows that it serves; the rest of the pipe stays full.
    let mut first = String::new();
    let stdout = child.stdout.take().expect("piped");
    let mut reader = BufReader::with_capacity(1, stdout);
    reader.read_line(&mut first).expect("a line");
    std::thread::spawn(move || {
        let _ = flood.join();
        drop(reader);
    });
    child
}

#[test]
fn a_client_that_reads_nothing_can_not_hold_up_the_end() {
    let mut server = stuck();
    signal(&server, Signal::TERM);
    let (status, took) = wait(&mut server);
    assert!(status.success() && took < SOON, "{status} after {took:?}");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    for (kind, code) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        let mut server = stuck();
        signal(&server, kind);
        std::thread::sleep(Duration::from_millis(300));
        signal(&server, kind);
        let (status, took) = wait(&mut server);
        assert_eq!(status.code(), Some(code));
        assert!(took < Duration::from_millis(500), "{took:?}");
    }
}

#[test]
fn a_vanished_parent_ends_it_though_its_pipes_stay_open() {
    let mut shell = Command::new("sh");
    // A shell gives what it starts in the background no input, unless told twice.
    shell.args(["-c", "exec 3<&0; \"$0\" <&3 & echo $! >&2; wait", support::BINARY]).stderr(Stdio::piped());
    let mut server = OnPipes::spawn(&mut shell);
    let mut pid = String::new();
    BufReader::new(server.child.stderr.take().expect("piped")).read_line(&mut pid).expect("a line");
    let pid = Pid::from_raw(pid.trim().parse().expect("a pid")).expect("a pid");
    assert_eq!(server.ask(1, "ping", json!({}))["id"], 1);

    server.child.kill().expect("the shell runs");
    server.child.wait().expect("a child");
    let began = Instant::now();
    while test_kill_process(pid).is_ok() {
        assert!(began.elapsed() < LONG, "it outlives its parent");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}
