//! What ends the server, and how soon.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod common;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use common::{BINARY, LIMIT, connect, folder, initialized, on_port};
use serde_json::json;
use testkit::mcp::{Revision, ServerProcess, StdioClient};
use testkit::process::{wait_gone, wait_until};

/// The promise for every way to end the server.
const PROMISED: Duration = Duration::from_secs(5);
const TERM: i32 = 15;
const INT: i32 = 2;

/// The server on what MCP clients give it: pipes, and sockets where the client runs on Node.
fn on_every_wire() -> [ServerProcess; 2] {
    [
        ServerProcess::start(BINARY, &[], &[], folder()).unwrap(),
        ServerProcess::start_on_sockets(BINARY, &[], &[], folder()).unwrap(),
    ]
}

#[test]
fn the_end_of_input_ends_it_after_the_last_reply() {
    for server in on_every_wire() {
        let mut client = StdioClient::of(server).unwrap();
        client.initialize(Revision::V2025_11_25).unwrap();
        let id = client.send("tools/list", json!({})).unwrap();
        client.close_stdin();
        assert!(client.receive(id, LIMIT).unwrap().is_ok());
        assert!(client.wait_exit(PROMISED).unwrap().success());
    }
}

#[test]
fn a_closed_output_ends_it() {
    for mut server in on_every_wire() {
        drop(server.take_stdout());
        let mut stdin = server.take_stdin().unwrap();
        stdin.write_all(b"nonsense\n").unwrap();
        assert!(server.wait_exit(PROMISED).unwrap().success());
    }
}

#[test]
fn a_signal_ends_it_cleanly() {
    for signal in [TERM, INT] {
        let mut client = initialized(&[]);
        client.server().signal(signal).unwrap();
        assert!(client.wait_exit(PROMISED).unwrap().success(), "{signal}");

        let (mut server, address) = on_port();
        let _idle = connect(address);
        server.signal(signal).unwrap();
        assert!(server.wait_exit(PROMISED).unwrap().success(), "{signal}");
    }
}

/// A client that reads nothing, so that the server's replies can't be delivered.
struct Stuck {
    server: ServerProcess,
    /// Open, and full.
    _stdout: BufReader<File>,
}

impl Stuck {
    fn on(mut server: ServerProcess) -> Self {
        let mut stdin = server.take_stdin().unwrap();
        let mut stdout = BufReader::with_capacity(1, server.take_stdout().unwrap());
        let written = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&written);
        std::thread::spawn(move || {
            let request = json!({ "jsonrpc": "2.0", "id": "x".repeat(10_000), "method": "no/such" });
            // Blocks when the server reads no more, and fails when it ends.
            while writeln!(stdin, "{request}").is_ok() {
                counted.fetch_add(10_000, Ordering::SeqCst);
            }
        });
        // More than input and output hold between the two: the server has taken in more than it can ever answer.
        wait_until(LIMIT, || (written.load(Ordering::SeqCst) > ENOUGH).then_some(())).unwrap();
        let mut first = String::new();
        stdout.read_line(&mut first).unwrap();
        Self { server, _stdout: stdout }
    }
}

/// Pipes hold 64 KiB, sockets a few hundred.
const ENOUGH: usize = 700_000;

#[test]
fn a_client_that_reads_nothing_can_not_hold_up_the_end() {
    for server in on_every_wire() {
        let mut stuck = Stuck::on(server);
        stuck.server.signal(TERM).unwrap();
        assert!(stuck.server.wait_exit(PROMISED).unwrap().success());
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    for (signal, name, code) in [(TERM, "SIGTERM", 143), (INT, "SIGINT", 130)] {
        for server in on_every_wire() {
            let mut stuck = Stuck::on(server);
            stuck.server.signal(signal).unwrap();
            let seen = format!("received {name}");
            stuck.server.wait_stderr(LIMIT, |line| line.contains(&seen).then_some(())).unwrap();
            stuck.server.signal(signal).unwrap();
            assert_eq!(stuck.server.wait_exit(PROMISED).unwrap().code(), Some(code));
        }
    }
}

#[test]
fn a_vanished_parent_ends_it_though_its_pipes_stay_open() {
    // A shell gives what it starts in the background no input, unless told twice.
    let script = "exec 3<&0; \"$0\" <&3 & echo pid $! >&2; wait";
    let mut client = StdioClient::start("sh", &["-c", script, BINARY], &[], folder()).unwrap();
    let pid = |line: &str| line.strip_prefix("pid ")?.parse().ok();
    let pid: u32 = client.server().wait_stderr(LIMIT, pid).unwrap();
    assert!(client.request("ping", json!({}), LIMIT).unwrap().is_ok());

    client.server().signal(9).unwrap();
    wait_gone(&[pid], PROMISED).unwrap();
}
