//! `cargo xtask bench timebox`: what `run_test` costs over running the same command directly.
//!
//! The command under test is a fake `flutter`: a script that becomes a child of testkit, so that its behaviour is
//! ours to choose. Direct and timeboxed runs alternate, so that a busy machine slows both.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use testkit::SampleProject;
use testkit::mcp::{Revision, StdioClient};

use super::memory_of;
use super::report::{Report, median};
use crate::repo;

const FLOOD: u64 = 1 << 30;
/// The default of `--kill-grace`.
const GRACE: Duration = Duration::from_secs(1);

/// The programs that are measured, both built as they are shipped.
struct Programs {
    server: PathBuf,
    child: PathBuf,
}

pub(super) fn run() -> anyhow::Result<()> {
    println!("building what is shipped …");
    let programs = build()?;
    let mut report = Report::default();
    println!("measuring …");
    binary_size(&programs, &mut report)?;
    cold_start(&programs, &mut report)?;
    trivial_suite(&programs, &mut report)?;
    deadline(&programs, &mut report)?;
    flood(&programs, &mut report)?;
    report.finish()
}

fn build() -> anyhow::Result<Programs> {
    let build =
        ["build", "--profile", "dist", "--package", "e2e-mcp-server", "--package", "testkit", "--bins"];
    repo::show(repo::cargo().args(build))?;
    let dist = repo::target_dir()?.join("dist");
    Ok(Programs { server: dist.join("e2e-mcp-server"), child: dist.join("testkit-child") })
}

fn binary_size(programs: &Programs, report: &mut Report) -> anyhow::Result<()> {
    let bytes = std::fs::metadata(&programs.server)?.len();
    let megabytes = bytes as f64 / 1e6;
    report.line("release binary", format!("{megabytes:.1} MB"), "≤ 15 MB", megabytes <= 15.0);
    let ldd = Command::new("ldd").arg(&programs.server).output().context("ldd")?;
    let listed = String::from_utf8_lossy(&ldd.stdout).into_owned();
    let foreign: Vec<&str> = listed.lines().filter_map(library).filter(|name| !is_basic(name)).collect();
    let told = if foreign.is_empty() { "none".to_owned() } else { foreign.join(", ") };
    report.line("libraries beyond libc, libm, libgcc", told, "none", foreign.is_empty());
    Ok(())
}

/// The file name of the library in a line of `ldd`.
fn library(line: &str) -> Option<&str> {
    line.split_whitespace().next()?.rsplit('/').next()
}

/// What every program has: the C library with its loader, mathematics and unwinding, and the kernel's own page.
fn is_basic(library: &str) -> bool {
    ["linux-vdso.", "ld-linux", "libc.", "libm.", "libgcc_s."].iter().any(|basic| library.starts_with(basic))
}

/// From exec to the answer of `tools/list`, and what the server then holds in memory.
fn cold_start(programs: &Programs, report: &mut Report) -> anyhow::Result<()> {
    let project = SampleProject::new()?;
    let mut times = Vec::new();
    let mut memory = Vec::new();
    for _ in 0..21 {
        let began = Instant::now();
        let mut client = start(programs, &project)?;
        ensure!(!client.list_tools()?.is_empty(), "the server lists no tools");
        times.push(milliseconds(began.elapsed()));
        memory.push(memory_of(client.server().pid(), "VmRSS")?);
    }
    let time = median(times);
    report.line("cold start: exec to tools/list", format!("{time:.1} ms"), "< 15 ms", time < 15.0);
    let memory = median(memory);
    report.line("idle memory", format!("{memory:.1} MiB"), "< 10 MiB", memory < 10.0);
    Ok(())
}

/// A suite that prints a little and takes half a second.
fn trivial_suite(programs: &Programs, report: &mut Report) -> anyhow::Result<()> {
    let suite = r"prints --out '00:00 +0: loading\n' --sleep 500 --out '00:00 +1: All tests passed!\n'";
    let project = fake_flutter(programs, suite)?;
    let mut client = start(programs, &project)?;
    let (mut ratios, mut added) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let direct = milliseconds(directly(&project)?);
        let (took, answer) = run_test(&mut client, 60_000)?;
        expect(&answer, "pass")?;
        let boxed = milliseconds(took);
        ratios.push(boxed / direct);
        added.push(boxed - direct);
    }
    let (ratio, added) = (median(ratios), median(added));
    report.line("trivial suite: run_test / direct", format!("{ratio:.3}"), "≤ 1.05", ratio <= 1.05);
    report.line("trivial suite: time added", format!("{added:.1} ms"), "< 30 ms", added < 30.0);
    Ok(())
}

/// A child that ignores TERM: from the deadline to the response.
fn deadline(programs: &Programs, report: &mut Report) -> anyhow::Result<()> {
    let project = fake_flutter(programs, "ignores-term 50")?;
    let mut client = start(programs, &project)?;
    let limit = Duration::from_millis(500);
    let mut late = Vec::new();
    for _ in 0..5 {
        let (took, answer) = run_test(&mut client, 500)?;
        expect(&answer, "timeout")?;
        late.push(milliseconds(took.saturating_sub(limit)));
    }
    let (late, goal) = (median(late), milliseconds(GRACE) + 150.0);
    let told = format!("≤ {goal:.0} ms (grace + 150)");
    report.line("deadline to response, TERM ignored", format!("{late:.0} ms"), told, late <= goal);
    Ok(())
}

/// A gibibyte of lines through `run_test`, against the same child into `cat > file`.
fn flood(programs: &Programs, report: &mut Report) -> anyhow::Result<()> {
    let project = fake_flutter(programs, &format!("floods {FLOOD}"))?;
    let (mut ratios, mut peaks) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let direct = into_cat(&project)?;
        let mut client = start(programs, &project)?;
        let (took, answer) = run_test(&mut client, 600_000)?;
        expect(&answer, "pass")?;
        peaks.push(memory_of(client.server().pid(), "VmHWM")?);
        ratios.push(direct.as_secs_f64() / took.as_secs_f64());
        remove_reports(&project)?;
    }
    let (ratio, peak) = (median(ratios), median(peaks));
    report.line("1 GiB of lines: speed / cat > file", format!("{ratio:.2}"), "≥ 0.5", ratio >= 0.5);
    report.line("1 GiB of lines: peak memory", format!("{peak:.1} MiB"), "< 32 MiB", peak < 32.0);
    Ok(())
}

/// A project with a `flutter` that becomes `testkit-child BEHAVIOUR`, whatever its arguments.
fn fake_flutter(programs: &Programs, behaviour: &str) -> anyhow::Result<SampleProject> {
    let script = format!("exec '{}' {behaviour}\n", programs.child.display());
    SampleProject::new()?.file("pubspec.yaml", "name: sample\n")?.program("flutter", &script)
}

/// A server for the project, with the handshake done.
fn start(programs: &Programs, project: &SampleProject) -> anyhow::Result<StdioClient> {
    let root = project.root();
    let args = ["--tools", "test", "--workspace", &root.to_string_lossy()];
    let mut client = StdioClient::start(&programs.server, &args, &[("PATH", &project.path_env())], &root)?;
    client.initialize(Revision::V2025_11_25)?;
    Ok(client)
}

fn run_test(client: &mut StdioClient, timeout_ms: u64) -> anyhow::Result<(Duration, Value)> {
    let arguments = json!({
        "runner": "flutter", "scope": "all",
        "timeout_ms": timeout_ms, "no_output_timeout_ms": 60_000, "max_output_bytes": 20_000,
    });
    let limit = Duration::from_millis(timeout_ms) + Duration::from_secs(60);
    let began = Instant::now();
    let result = client.call_tool_within("run_test", &arguments, limit)?;
    Ok((began.elapsed(), result.json()))
}

fn expect(answer: &Value, status: &str) -> anyhow::Result<()> {
    ensure!(answer["status"] == status, "the status should be {status}: {answer}");
    Ok(())
}

/// The same command without us: stdin empty, both streams piped and read.
fn directly(project: &SampleProject) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let mut flutter = Command::new(project.bin().join("flutter"));
    let output = flutter.arg("test").current_dir(project.root()).stdin(Stdio::null()).output()?;
    ensure!(output.status.success(), "the direct run failed");
    Ok(began.elapsed())
}

/// The same child with `cat` writing what it prints.
fn into_cat(project: &SampleProject) -> anyhow::Result<Duration> {
    let file = project.root().join("direct.log");
    let began = Instant::now();
    let mut flutter = Command::new(project.bin().join("flutter"));
    let mut flutter = flutter.arg("test").stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let pipe = flutter.stdout.take().context("no stdout")?;
    let cat = Command::new("cat").stdin(pipe).stdout(std::fs::File::create(&file)?).status()?;
    ensure!(cat.success() && flutter.wait()?.success(), "the direct run failed");
    let took = began.elapsed();
    ensure!(std::fs::metadata(&file)?.len() == FLOOD, "the direct run lost something");
    std::fs::remove_file(&file)?;
    Ok(took)
}

/// A gibibyte a run fills disks.
fn remove_reports(project: &SampleProject) -> anyhow::Result<()> {
    Ok(std::fs::remove_dir_all(project.root().join(".cache"))?)
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
