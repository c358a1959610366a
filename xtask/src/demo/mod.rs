//! `cargo xtask demo`: what an agent gets, shown on a small project through a real MCP handshake.
//!
//! Builds the binary, starts it over stdio, opens a small app in a real browser and acts on it, and calls `run_test` for
//! tests that pass, one that fails and one that hangs. Then it proves that nothing is left running and removes the
//! project; what the browser's half made stays for those who want to look at it.

mod browser;
mod show;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient};

use crate::{machine, repo};

/// The sample project's files. It is a cargo package, because cargo is all that is surely there.
const FILES: &[(&str, &str)] =
    &[("Cargo.toml", include_str!("sample_manifest.txt")), ("src/lib.rs", include_str!("sample_lib.rs"))];

/// One call of the demo: what it shows, which tests it runs, and how it must end.
struct Scene {
    title: &'static str,
    pattern: &'static str,
    status: &'static str,
    timeout_ms: u64,
    no_output_timeout_ms: u64,
}

/// The calls, in order. The first one has time to compile the project.
const SCENES: &[Scene] = &[
    Scene {
        title: "The agent runs the tests of what it wrote",
        pattern: "costs",
        status: "pass",
        timeout_ms: 120_000,
        no_output_timeout_ms: 60_000,
    },
    Scene {
        title: "A test fails: the failure comes back with its place and its message",
        pattern: "discount",
        status: "fail",
        timeout_ms: 120_000,
        no_output_timeout_ms: 60_000,
    },
    Scene {
        title: "A test hangs: the call comes back all the same, and nothing is left running",
        pattern: "warehouse",
        status: "no_output",
        timeout_ms: 60_000,
        no_output_timeout_ms: 3_000,
    },
];

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let dev = match arguments {
        [] => false,
        [only] if only == "--dev" => true,
        _ => bail!("demo takes only --dev"),
    };
    machine::prepare_browser()?;
    show::heading("Building e2e-mcp-server");
    let binary = build(dev)?;
    let pictures = repo::target_dir()?.join("demo");
    std::fs::create_dir_all(&pictures)?;
    browser::play(&binary, &pictures)?;

    let dir = tempfile::tempdir()?;
    for (name, text) in FILES {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().context("no folder")?)?;
        std::fs::write(path, text)?;
    }
    let outcome = play(&binary, dir.path());
    let left = left_running(dir.path());
    let folder = dir.path().to_owned();
    dir.close().context("the sample project can't be removed")?;
    outcome?;

    show::heading("After the session");
    ensure!(left.is_empty(), "still running in the project: {}", left.join(", "));
    println!("No process of it is alive, and {} is gone.", folder.display());
    Ok(())
}

fn build(dev: bool) -> anyhow::Result<PathBuf> {
    let mut cargo = repo::cargo();
    cargo.args(["build", "--package", "e2e-mcp-server"]);
    if !dev {
        cargo.arg("--release");
    }
    println!("$ {}", repo::spell(&cargo));
    repo::show(&mut cargo)?;
    let folder = repo::target_dir()?.join(if dev { "debug" } else { "release" });
    Ok(folder.join(format!("e2e-mcp-server{}", std::env::consts::EXE_SUFFIX)))
}

/// The session: handshake, tool list, scenes, end.
fn play(binary: &Path, project: &Path) -> anyhow::Result<()> {
    show::heading("An agent starts the server over stdio and shakes hands");
    let workspace = project.to_string_lossy();
    let args = ["--tools", "test", "--workspace", &workspace];
    println!("$ e2e-mcp-server {}", args.join(" "));
    let mut client = StdioClient::start(binary, &args, &[], project)?;
    let agreed = client.initialize(Revision::V2025_11_25)?;
    let server = &agreed["serverInfo"];
    println!("{} speaks MCP {}", show::plain(&server["name"]), show::plain(&agreed["protocolVersion"]));

    show::heading("tools/list");
    let tools = client.list_tools()?;
    for tool in &tools {
        show::tool(tool);
    }
    for scene in SCENES {
        show::heading(scene.title);
        play_scene(&mut client, scene, project)?;
    }
    show::heading("The agent goes away");
    client.close_stdin();
    let status = client.wait_exit(Duration::from_secs(5))?;
    println!("the server ended itself ({status})");
    Ok(())
}

fn play_scene(client: &mut StdioClient, scene: &Scene, project: &Path) -> anyhow::Result<()> {
    let arguments = json!({
        "runner": "cargo",
        "scope": "pattern",
        "target": scene.pattern,
        "timeout_ms": scene.timeout_ms,
        "no_output_timeout_ms": scene.no_output_timeout_ms,
        "max_output_bytes": 20_000,
    });
    println!("→ run_test {arguments}");
    let began = Instant::now();
    let limit = Duration::from_millis(scene.timeout_ms) + Duration::from_secs(30);
    let result = client.call_tool_within("run_test", &arguments, limit)?;
    let answer = if result.structured().is_null() { result.json() } else { result.structured().clone() };
    println!("← after {:.1} s", began.elapsed().as_secs_f64());
    show::answer(&answer);
    ensure!(answer["status"] == scene.status, "the status should be {}", scene.status);
    check_artifacts(&answer, project)
}

/// The artifacts that the answer names are there.
fn check_artifacts(answer: &Value, project: &Path) -> anyhow::Result<()> {
    for name in ["raw_log", "summary_md", "summary_json"] {
        let path = answer["artifacts"][name].as_str().with_context(|| format!("no artifact {name}"))?;
        ensure!(project.join(path).is_file(), "the artifact {path} does not exist");
    }
    Ok(())
}

/// Processes whose working folder or program is in the project.
fn left_running(project: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let inside = |entry: &Path, link: &str| {
        std::fs::read_link(entry.join(link)).is_ok_and(|target| target.starts_with(project))
    };
    let entries = entries.flatten().map(|entry| entry.path());
    let left = entries.filter(|entry| inside(entry, "cwd") || inside(entry, "exe"));
    left.map(|entry| entry.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect()
}
