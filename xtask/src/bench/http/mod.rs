//! `cargo xtask bench http`: what a cheap call costs over HTTP, against the same over stdio and against the least that
//! a server made of the same SDK can be; what idle connections weigh; and what the way through a session's proxy costs.
//!
//! The servers take turns, so that a busy machine slows all alike. `--server PATH` and `--bare PATH` measure builds
//! that are there already.

mod gate;
mod load;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use serde_json::json;
use testkit::mcp::{HttpConnection, Revision, ServerProcess, StdioClient};

use self::load::Load;
use super::memory_of;
use super::report::{Report, median, quantile};
use crate::repo;

const LIMIT: Duration = Duration::from_secs(30);
/// Each server's share of a round.
const SLICE: Duration = Duration::from_secs(3);
const ROUNDS: usize = 5;
/// Clients at work, one call after the other each.
const BUSY: usize = 50;
/// As often as it can: the machine is at its end then, and a call's time is mostly that of waiting for a core.
const ALWAYS: Duration = Duration::ZERO;
/// Two thousand calls a second of all together: busy, with cores to spare.
const PACE: Duration = Duration::from_millis(25);
const IDLE: usize = 200;

/// Nothing is limited that is to be measured; nothing is logged, as the other logs nothing.
const FLAGS: &[&str] = &[
    "--port=0",
    "--headless",
    "--prelaunch=never",
    "--rate-limit-calls=0",
    "--max-concurrent-calls-per-client=1000",
    "--max-concurrent-calls=1000",
    "--log-level=error",
];

struct Programs {
    server: PathBuf,
    bare: PathBuf,
}

pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let programs = programs(arguments)?;
    let folder = tempfile::tempdir()?;
    let listening =
        |program: &PathBuf, flags: &[&str]| ServerProcess::listening(program, flags, &[], folder.path());
    let (ours, our_address) = listening(&programs.server, FLAGS)?;
    let (_bare, bare_address) = listening(&programs.bare, &[])?;
    let mut report = Report::default();
    println!("measuring …");
    calls(&programs, our_address, bare_address, &mut report)?;
    drop(ours);
    let (fresh, address) = listening(&programs.server, FLAGS)?;
    idle(&fresh, address, &mut report)?;
    drop(fresh);
    gate::measure(&programs.server, &mut report)?;
    report.finish()
}

fn programs(arguments: &[String]) -> anyhow::Result<Programs> {
    match arguments {
        [] => {
            println!("building what is shipped …");
            let build = [
                "build",
                "--profile",
                "dist",
                "--package",
                "e2e-mcp-server",
                "--bins",
                "--example",
                "bare_echo",
            ];
            repo::show(repo::cargo().args(build))?;
            let dist = repo::target_dir()?.join("dist");
            Ok(Programs { server: dist.join("e2e-mcp-server"), bare: dist.join("examples/bare_echo") })
        }
        [server, ours, bare, theirs] if server == "--server" && bare == "--bare" => {
            Ok(Programs { server: std::path::absolute(ours)?, bare: std::path::absolute(theirs)? })
        }
        _ => bail!("cargo xtask bench http [--server PATH --bare PATH]"),
    }
}

/// Calls a second and their times, of all three in turns.
fn calls(programs: &Programs, ours: SocketAddr, bare: SocketAddr, report: &mut Report) -> anyhow::Result<()> {
    let (mut rates, mut ratios, mut by_stdio, mut p50, mut p99, mut bare_p99) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut paced, mut bare_paced) = (Vec::new(), Vec::new());
    // The first of each is slower, and nobody's.
    load::run(ours, "list_sessions", BUSY, SLICE / 3, ALWAYS)?;
    load::run(bare, "echo", BUSY, SLICE / 3, ALWAYS)?;
    for _ in 0..ROUNDS {
        let Load { rate, times } = load::run(ours, "list_sessions", BUSY, SLICE, ALWAYS)?;
        let echo = load::run(bare, "echo", BUSY, SLICE, ALWAYS)?;
        paced.push(quantile(&load::run(ours, "list_sessions", BUSY, SLICE, PACE)?.times, 0.99));
        bare_paced.push(quantile(&load::run(bare, "echo", BUSY, SLICE, PACE)?.times, 0.99));
        rates.push(rate);
        ratios.push(rate / echo.rate);
        p50.push(quantile(&times, 0.50));
        p99.push(quantile(&times, 0.99));
        bare_p99.push(quantile(&echo.times, 0.99));
        by_stdio.push(rate / over_stdio(programs)?);
    }
    let (rate, ratio, by_stdio) = (median(rates), median(ratios), median(by_stdio));
    report.line("calls a second, 50 connections", format!("{rate:.0}"), "(told)", true);
    report.line("calls a second: ours / bare SDK", format!("{ratio:.2}"), "≥ 0.70", ratio >= 0.70);
    report.line("calls a second: HTTP / stdio, one client", format!("{by_stdio:.2}"), "(told)", true);
    report.line("a call's time, median", format!("{:.2} ms", median(p50)), "(told)", true);
    let (p99, bare_p99) = (median(p99), median(bare_p99));
    report.line("a call's time, 99th percentile", format!("{p99:.2} ms"), "< 5 ms", p99 < 5.0);
    report.line("the same of the bare SDK", format!("{bare_p99:.2} ms"), "(told)", true);
    let (paced, bare_paced) = (median(paced), median(bare_paced));
    report.line("99th percentile at 2,000 calls a second", format!("{paced:.2} ms"), "(told)", true);
    report.line("the same of the bare SDK there", format!("{bare_paced:.2} ms"), "(told)", true);
    Ok(())
}

/// Calls a second of one client on pipes, which waits for each answer.
fn over_stdio(programs: &Programs) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let flags = ["--headless", "--prelaunch=never", "--log-level=error"];
    let mut client = StdioClient::start(&programs.server, &flags, &[], folder.path())?;
    client.initialize(Revision::V2025_11_25)?;
    let began = Instant::now();
    let mut calls = 0_u32;
    while began.elapsed() < SLICE / 3 {
        let answer = client.call_tool("list_sessions", &json!({}))?;
        ensure!(!answer.is_error(), "{}", answer.text());
        calls += 1;
    }
    Ok(f64::from(calls) / began.elapsed().as_secs_f64())
}

/// What a server with many clients that say nothing holds in memory.
fn idle(server: &ServerProcess, address: SocketAddr, report: &mut Report) -> anyhow::Result<()> {
    let ping = Revision::V2025_11_25.message(Some(1), "ping", json!({})).to_string();
    let mut connections = Vec::new();
    for _ in 0..IDLE {
        let mut connection = HttpConnection::open(address, LIMIT)?;
        let answer = connection.post("/mcp", &[], ping.as_bytes())?;
        ensure!(answer.status == 200, "{}", answer.status);
        connections.push(connection);
    }
    let memory = memory_of(server.pid(), "VmRSS")?;
    report.line("memory with 200 idle connections", format!("{memory:.1} MiB"), "< 40 MiB", memory < 40.0);
    Ok(())
}
