//! `cargo xtask bench app`: what it costs to have the dev server started and watched, on a real Vite project.
//!
//! Direct starts and those by `start_session` alternate, so that a busy machine slows both.

mod direct;
mod project;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use testkit::process;

use self::project::{Agent, Project};
use super::report::{Report, median};
use crate::{machine, npm, repo};

const STARTS: usize = 15;
const CLICKS: usize = 9;
const READS: usize = 21;
/// The time-out of a click that fails …
const TIMEOUT: Duration = Duration::from_millis(500);
/// … and how long before it the engine stops trying, so that the page's last word still comes in time (`ANSWERING` in
/// its `action::prepare`). Evidence is gathered from then on: counted from the time-out, this much of it would be free.
const RESERVE: Duration = Duration::from_millis(100);
/// The size of a log that nobody wants to read as a whole.
const LOG: u64 = 1 << 30;
const LINES: usize = 100;
const KILLS: usize = 5;
/// The commands of two dev servers.
const COMMANDS: [&str; 2] =
    ["examples/server-commands/python/server-command", "examples/server-commands/node/server-command"];
/// When it is given up.
const GONE: Duration = Duration::from_secs(30);

pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    ensure!(cfg!(target_os = "linux"), "this bench reads /proc, which only Linux has");
    let server = match arguments {
        [] => build()?,
        [flag, path] if flag == "--server" => std::path::absolute(path)?,
        _ => bail!("cargo xtask bench app [--server PATH]"),
    };
    machine::prepare_browser()?;
    npm::prepare()?;
    let project = Project::new()?;
    let mut agent = project.agent(&server)?;
    let mut report = Report::default();
    println!("measuring; this takes about a minute …");
    starts(&project, &mut agent, &mut report)?;
    let started = agent.json("start_session", &json!({}))?;
    agent.ask("navigate", &json!({"url": "/"}))?;
    failing_click("failing click, covered: evidence", "#covered", &mut agent, &mut report)?;
    failing_click("failing click, not there: evidence", "#nowhere", &mut agent, &mut report)?;
    long_log(&started, &mut agent, &mut report)?;
    agent.json("end_session", &json!({}))?;
    agent.close()?;
    kills(&project, &server, &mut report)?;
    report.finish()
}

fn build() -> anyhow::Result<PathBuf> {
    println!("building what is shipped …");
    repo::show(repo::cargo().args(["build", "--profile", "dist", "--package", "e2e-mcp-server"]))?;
    Ok(repo::target_dir()?.join("dist/e2e-mcp-server"))
}

/// The call, against the time that the command itself takes to answer a first request.
fn starts(project: &Project, agent: &mut Agent, report: &mut Report) -> anyhow::Result<()> {
    // The browser is up, and whatever Vite prepares once per project is prepared.
    agent.json("create_session", &json!({}))?;
    agent.ask("close_session", &json!({}))?;
    direct::first_answer(project)?;
    let (mut ratios, mut calls, mut directly, mut by_session) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..STARTS {
        // Who is first changes with every round: what one leaves to the machine, the other would pay for.
        let (direct, (call, took)) = if round % 2 == 0 {
            let direct = direct::first_answer(project)?;
            (direct, through_session(agent)?)
        } else {
            let through = through_session(agent)?;
            (direct::first_answer(project)?, through)
        };
        let (direct, took) = (milliseconds(direct), milliseconds(took));
        calls.push(milliseconds(call) / direct);
        println!("  start {}: {took:.0} ms by start_session, {direct:.0} ms directly", round + 1);
        ratios.push(took / direct);
        directly.push(direct);
        by_session.push(took);
    }
    let (ratio, direct, took) = (median(calls), median(directly), median(by_session));
    let further = format!("with a first request after it {:.2}, {took:.0} ms", median(ratios));
    let told = format!("{ratio:.2} (npm run dev itself {direct:.0} ms; {further})");
    report.line("start_session / first answer of npm run dev itself", told, "≤ 1.1", ratio <= 1.1);
    Ok(())
}

/// One session: the time of its call, and that to its server's first answer.
fn through_session(agent: &mut Agent) -> anyhow::Result<(Duration, Duration)> {
    let began = Instant::now();
    let started = agent.json("start_session", &json!({}))?;
    let call = agent.last_took();
    // It comes back when the port accepts; the direct start is measured to an answer, so this is, too.
    direct::answers(port_of(&started)?).context("start_session came back before the server answers")?;
    let took = began.elapsed();
    let ended = agent.json("end_session", &json!({}))?;
    ensure!(ended["server"]["status"] == "stopped", "the dev server did not stop: {ended}");
    Ok((call, took))
}

/// A click that fails with all its evidence: the time after its last try, which is stricter than after its time-out.
fn failing_click(
    what: &'static str,
    selector: &str,
    agent: &mut Agent,
    report: &mut Report,
) -> anyhow::Result<()> {
    let arguments = json!({ "selector": selector, "timeout": TIMEOUT.as_millis() });
    let mut beyond = Vec::new();
    for _ in 0..CLICKS {
        let result = agent.call("click", &arguments)?;
        beyond.push(milliseconds(agent.last_took()) - milliseconds(TIMEOUT));
        ensure!(result.is_error(), "the click should fail: {}", result.text());
        let contents = result.0["content"].as_array().map_or(&[][..], Vec::as_slice);
        ensure!(contents.iter().any(|content| content["type"] == "image"), "no picture came");
        let failure = result.json();
        for place in ["/screenshot/path", "/serverLogs/stderr", "/error/suggestion"] {
            ensure!(failure.pointer(place).is_some_and(Value::is_string), "no {place} in {failure}");
        }
    }
    let beyond = median(beyond);
    let evidence = beyond + milliseconds(RESERVE);
    let told = format!("{evidence:.0} ms ({beyond:+.0} ms from the time-out)");
    report.line(what, told, "< 300 ms", evidence < 300.0);
    Ok(())
}

/// The end of a log of a gibibyte.
fn long_log(started: &Value, agent: &mut Agent, report: &mut Report) -> anyhow::Result<()> {
    let log = started["logs"]["combined"].as_str().context("the app has no log")?;
    fill(Path::new(log))?;
    let arguments = json!({ "logType": "combined", "lines": LINES });
    let mut times = Vec::new();
    for _ in 0..READS {
        let answer = agent.json("read_server_logs", &arguments)?;
        times.push(milliseconds(agent.last_took()));
        ensure!(answer["lines"] == LINES, "{LINES} lines were asked for: {answer}");
        ensure!(answer["size"].as_u64().is_some_and(|size| size >= LOG), "the log is too short: {answer}");
    }
    let time = median(times);
    let told = format!("{time:.1} ms");
    report.line("read_server_logs: last 100 lines of 1 GiB", told, "< 20 ms", time < 20.0);
    Ok(())
}

/// A server that is killed without a warning, with two dev servers and a browser open: the time until nothing of them
/// is left.
fn kills(project: &Project, server: &Path, report: &mut Report) -> anyhow::Result<()> {
    // What they remember and their logs lie beside them.
    let mut commands = Vec::new();
    for (number, command) in COMMANDS.iter().enumerate() {
        let folder = project.root().join(format!("server-{number}"));
        std::fs::create_dir(&folder)?;
        std::fs::copy(repo::root().join(command), folder.join("server-command"))?;
        commands.push(folder.join("server-command"));
    }
    let mut times = Vec::new();
    for _ in 0..KILLS {
        let mut agent = project.agent_with(server, &["--headless"])?;
        for command in &commands {
            let started = agent.json("start_session", &json!({ "commandPath": command }))?;
            ensure!(started["status"] != "already_running", "something was left: {started}");
        }
        let everyone = process::descendants(agent.pid());
        ensure!(everyone.len() >= 4, "only {} processes run below the server", everyone.len());
        let began = Instant::now();
        process::kill(agent.pid());
        process::wait_gone(&everyone, GONE)?;
        times.push(milliseconds(began.elapsed()));
    }
    let time = median(times);
    report.line(
        "kill -9 with two dev servers: nothing left after",
        format!("{time:.0} ms"),
        "< 5 s",
        time < 5000.0,
    );
    Ok(())
}

/// Lines as servers write them, behind those that are there.
fn fill(log: &Path) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    while lines.len() < 1 << 20 {
        writeln!(lines, "10:42:07 [vite] (client) hmr update /src/components/part-{}.js", lines.len())?;
    }
    let mut file = std::fs::File::options().append(true).open(log)?;
    let mut written = 0;
    while written < LOG {
        file.write_all(&lines)?;
        written += lines.len() as u64;
    }
    Ok(())
}

fn port_of(started: &Value) -> anyhow::Result<u16> {
    started["port"]
        .as_u64()
        .and_then(|port| port.try_into().ok())
        .with_context(|| format!("no port in {started}"))
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
