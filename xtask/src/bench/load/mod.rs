//! `cargo xtask bench load`: many clients of one server that open sessions, act in them and close them, for minutes.
//!
//! No call may fail but by a limit, each session must hold its own values only, and afterwards nothing may be left: no
//! session, no process, no file, and no memory beyond what the server had after its first session.
//! `--clients N` and `--seconds N` change the size, `--server PATH` measures a build that is there already.

mod client;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use testkit::mcp::ServerProcess;
use testkit::process::{descendants, wait_until, with_variable};

use self::client::{Client, Tally};
use super::memory_of;
use super::report::{Report, quantile};
use crate::repo;

/// How long the server may take to settle once its clients are gone.
const SETTLING: Duration = Duration::from_secs(30);
const TERM: i32 = 15;

/// All clients have one address here, so what is counted by address is not limited; the number of sessions is.
const FLAGS: &[&str] = &[
    "--port=0",
    "--headless",
    "--rate-limit-calls=0",
    "--rate-limit-sessions=0",
    "--max-concurrent-calls-per-client=100",
    "--log-level=error",
];

struct Size {
    clients: usize,
    time: Duration,
    server: Option<PathBuf>,
}

pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let Size { clients, time, server } = size(arguments)?;
    let program = server.map_or_else(shipped, Ok)?;
    let (project, temporary) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let mark = format!("TMPDIR={}", temporary.path().display());
    let environment = [("TMPDIR", temporary.path().to_str().context("a folder whose name is no text")?)];
    let (mut server, address) = ServerProcess::listening(&program, FLAGS, &environment, project.path())?;
    let site = client::site()?;

    println!("warming up …");
    let mut first = Client::new(address, &site, 0);
    for _ in 0..3 {
        first.round()?;
    }
    let before = State::settled(server.pid(), temporary.path())?;
    println!("{clients} clients for {} s …", time.as_secs());
    let (tally, rounds) = client::all(address, &site, clients, time)?;
    let after = wait_until(SETTLING, || {
        State::of(server.pid(), temporary.path()).ok().filter(|state| state.holds_no_more_than(&before))
    });
    let after = after.map_or_else(|| State::of(server.pid(), temporary.path()), Ok)?;

    let mut report = Report::default();
    tell(&tally, rounds, time, &mut report);
    compare(&before, &after, &mut report);
    server.signal(TERM)?;
    let ended = server.wait_exit(SETTLING)?;
    report.line("exit after SIGTERM", ended.to_string(), "exit status: 0", ended.success());
    let alive = wait_until(SETTLING, || with_variable(&mark).is_empty().then_some(0));
    let alive = alive.unwrap_or_else(|| with_variable(&mark).len());
    report.line("processes left", alive.to_string(), "0", alive == 0);
    let files = std::fs::read_dir(temporary.path())?.count();
    report.line("files left", files.to_string(), "0", files == 0);
    report.finish()
}

/// The server as it is shipped, built.
fn shipped() -> anyhow::Result<PathBuf> {
    println!("building what is shipped …");
    repo::show(repo::cargo().args(["build", "--profile", "dist", "--package", "e2e-mcp-server", "--bins"]))?;
    Ok(repo::target_dir()?.join("dist/e2e-mcp-server"))
}

fn size(arguments: &[String]) -> anyhow::Result<Size> {
    let mut size = Size { clients: 50, time: Duration::from_secs(300), server: None };
    let (pairs, odd) = arguments.as_chunks::<2>();
    let usage = "cargo xtask bench load [--clients N] [--seconds N] [--server PATH]";
    ensure!(odd.is_empty(), usage);
    for [name, value] in pairs {
        match name.as_str() {
            "--clients" => size.clients = value.parse()?,
            "--seconds" => size.time = Duration::from_secs(value.parse()?),
            "--server" => size.server = Some(std::path::absolute(value)?),
            _ => bail!(usage),
        }
    }
    Ok(size)
}

fn tell(tally: &Tally, rounds: usize, time: Duration, report: &mut Report) {
    let mut times = tally.times.clone();
    times.sort_by(f64::total_cmp);
    let rate = times.len() as f64 / time.as_secs_f64();
    report.line("calls", times.len().to_string(), "(told)", true);
    report.line("calls a second", format!("{rate:.1}"), "(told)", true);
    report.line("sessions opened and closed", rounds.to_string(), "> 0", rounds > 0);
    for (what, part) in [("a call's time, median", 0.5), ("a call's time, 99th percentile", 0.99)] {
        report.line(what, format!("{:.0} ms", quantile(&times, part)), "(told)", true);
    }
    report.line("refused by a limit", tally.limited.to_string(), "(told)", true);
    let failed = tally.failed.len();
    report.line("other errors", failed.to_string(), "0", failed == 0);
    for failure in tally.failed.iter().take(5) {
        println!("    {failure}");
    }
}

fn compare(before: &State, after: &State, report: &mut Report) {
    let ratio = after.memory / before.memory;
    let told = format!("{:.1} MiB / {:.1} MiB = {ratio:.2}", after.memory, before.memory);
    report.line("server's memory: after / before", told, "≤ 1.10", ratio <= 1.10);
    let told = format!("{} / {}", after.processes, before.processes);
    report.line("processes: after / before", told, "no more", after.processes <= before.processes);
    let told = format!("{} / {}", after.files, before.files);
    report.line("temporary files: after / before", told, "no more", after.files <= before.files);
    let told = format!("{} / {}", after.descriptors, before.descriptors);
    report.line("descriptors: after / before", told, "no more", after.descriptors <= before.descriptors);
}

/// What a server holds.
#[derive(Debug)]
struct State {
    /// In MiB.
    memory: f64,
    processes: usize,
    files: usize,
    descriptors: usize,
}

impl State {
    fn of(server: u32, temporary: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            memory: memory_of(server, "VmRSS")?,
            processes: descendants(server).len(),
            files: std::fs::read_dir(temporary)?.count(),
            descriptors: std::fs::read_dir(format!("/proc/{server}/fd"))?.count(),
        })
    }

    /// What it holds once that is the same for two seconds.
    fn settled(server: u32, temporary: &Path) -> anyhow::Result<Self> {
        let mut last = Self::of(server, temporary)?;
        let mut since = Instant::now();
        let settled = wait_until(SETTLING, || {
            let now = Self::of(server, temporary).ok()?;
            if !now.holds_no_more_than(&last) || !last.holds_no_more_than(&now) {
                since = Instant::now();
            }
            last = now;
            (since.elapsed() > Duration::from_secs(2)).then_some(())
        });
        settled.context("the server does not come to rest")?;
        Ok(last)
    }

    fn holds_no_more_than(&self, other: &Self) -> bool {
        self.processes <= other.processes
            && self.files <= other.files
            && self.descriptors <= other.descriptors
            && self.memory <= other.memory * 1.10
    }
}
