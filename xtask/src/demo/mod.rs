//! `cargo xtask demo`: what an agent gets, as one story told through a real MCP handshake.
//!
//! Builds the binary and starts it over stdio in a small project. The agent starts the project's app, uses it in a real
//! browser, meets a bug and a failure, runs the tests and ends the session. Then the demo proves that nothing is left
//! running and removes the project; pictures and logs stay for those who want to look at them.

mod engines;
mod scene;
mod shop;
mod show;
mod story;

use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use testkit::mcp::{Revision, StdioClient};
use testkit::process;

use self::scene::{Named, Played};
use self::story::STORY;
use crate::steps::readable;
use crate::{machine, repo};

/// The sample project's files. It is a cargo package, because cargo is all that is surely there.
const FILES: &[(&str, &str)] =
    &[("Cargo.toml", include_str!("sample_manifest.txt")), ("src/lib.rs", include_str!("sample_lib.rs"))];

/// The project's dev server, as people would say `npm run dev`.
const DEV: &str = "xtask demo --serve";

/// How long what was told to end may take.
const END: Duration = Duration::from_secs(10);

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    if arguments == ["--serve"] {
        return shop::serve();
    }
    let wanted = Wanted::read(arguments)?;
    match wanted.every_browser {
        true => machine::prepare_browsers()?,
        false => machine::prepare_browser()?,
    }
    show::heading("Building e2e-mcp-server");
    let binary = build(wanted.dev)?;
    let began = Instant::now();
    let kept = fresh(&repo::target_dir()?.join("demo"))?;
    let project = sample_project()?;
    let outcome = play(&binary, project.path(), &kept, wanted.every_browser);
    let left = left_running(project.path());
    let folder = project.path().to_owned();
    project.close().context("the sample project can't be removed")?;
    let named = outcome?;

    show::heading("Afterwards");
    ensure!(left.is_empty(), "still running in the project: {}", left.join(", "));
    println!("No process of it is alive, nobody listens on its port, and {} is gone.", folder.display());
    for Named { what, path } in named.iter().filter(|file| file.path.starts_with(&kept)) {
        println!("{what}: {}", path.display());
    }
    println!("The story took {}.", readable(began.elapsed()));
    Ok(())
}

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// The quick build instead of the release's.
    dev: bool,
    /// The app in three browsers, side by side, instead of the story in one.
    every_browser: bool,
}

impl Wanted {
    fn read(arguments: &[String]) -> anyhow::Result<Self> {
        let mut wanted = Self::default();
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--dev" => wanted.dev = true,
                "--browsers" if words.next() == Some("all") => wanted.every_browser = true,
                "--browsers=all" => wanted.every_browser = true,
                _ => bail!("demo takes only --dev and --browsers all"),
            }
        }
        Ok(wanted)
    }
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

/// An empty folder in place of what an earlier demo kept.
fn fresh(folder: &Path) -> anyhow::Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("can't remove {}", folder.display()))?;
    }
    std::fs::create_dir_all(folder)?;
    Ok(folder.to_owned())
}

fn sample_project() -> anyhow::Result<tempfile::TempDir> {
    let dir = tempfile::Builder::new().prefix("small-shop-").tempdir()?;
    for (name, text) in FILES {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().context("no folder")?)?;
        std::fs::write(path, text)?;
    }
    Ok(dir)
}

/// The session: handshake, tool list, the story, the end. Answers with the files that were named on the way.
fn play(binary: &Path, project: &Path, kept: &Path, every_browser: bool) -> anyhow::Result<Vec<Named>> {
    show::heading("An agent's client starts the server, and says how the project's dev server is started");
    let (output, run) = (kept.to_string_lossy(), kept.join("run"));
    std::fs::create_dir(&run)?;
    let args = ["--headless", "--dev", DEV, "--output-dir", &output];
    println!("$ cd {}", project.display());
    println!("$ e2e-mcp-server --headless --dev \"{DEV}\" --output-dir {output}");
    let env = [("PATH", with_ourselves()?), ("XDG_RUNTIME_DIR", run.to_string_lossy().into_owned())];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut client = StdioClient::start(binary, &args, &env, project)?;
    let agreed = client.initialize(Revision::V2025_11_25)?;
    let server = &agreed["serverInfo"];
    println!("{} speaks MCP {}", show::plain(&server["name"]), show::plain(&agreed["protocolVersion"]));
    let names: Vec<String> = client.list_tools()?.iter().map(|tool| show::plain(&tool["name"])).collect();
    println!("{} tools: {}", names.len(), names.join(", "));

    let (mut named, mut ports, mut everyone) = (Vec::new(), Vec::new(), Vec::new());
    let mut keep = |played: Played, server: u32| {
        everyone.extend(process::descendants(server));
        named.extend(played.named);
        ports.extend(played.port);
    };
    if every_browser {
        engines::play(&mut client, project, &mut keep)?;
    } else {
        for scene in STORY {
            let played = scene.play(&mut client, project)?;
            keep(played, client.server().pid());
        }
    }
    show::heading("The agent goes away");
    client.close_stdin();
    let status = client.wait_exit(END)?;
    process::wait_gone(&everyone, END)?;
    for port in ports {
        let answers = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
        ensure!(!answers, "somebody still listens on port {port}");
    }
    let whose = if every_browser { "its browsers" } else { "its browser" };
    println!("the server ended itself, and {whose} with it ({status})");
    Ok(named)
}

/// A PATH on which this program is found by its name.
fn with_ourselves() -> anyhow::Result<String> {
    let own = std::env::current_exe()?;
    let own = own.parent().context("this program lies in no folder")?.to_owned();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(own).chain(std::env::split_paths(&rest));
    Ok(std::env::join_paths(folders)?.to_string_lossy().into_owned())
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
