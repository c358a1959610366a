//! The peers' programs, from npm, in a folder below cargo's target folder that stays for the next run.

use std::path::PathBuf;
use std::process::Command;

use anyhow::bail;

use crate::{npm, repo};

/// Each package and its version.
const PACKAGES: &[(&str, &str)] = &[("@playwright/mcp", "0.0.83"), ("agent-browser", "0.41.0")];

/// Where they are.
#[derive(Debug)]
pub(super) struct Peers {
    modules: PathBuf,
    native: &'static str,
}

/// Installs them unless these very versions are there.
pub(super) fn install() -> anyhow::Result<Peers> {
    let native = match std::env::consts::ARCH {
        "x86_64" => "agent-browser-linux-x64",
        "aarch64" => "agent-browser-linux-arm64",
        other => bail!("agent-browser has no program for {other}"),
    };
    let folder = repo::target_dir()?.join("bench/node");
    npm::install(&folder, PACKAGES, "measured beside ours")?;
    let peers = Peers { modules: folder.join("node_modules"), native };
    // Its install script would do it, but no package's own scripts run here.
    repo::show(Command::new("chmod").arg("+x").arg(peers.agent_browser()))?;
    let versions: Vec<String> = PACKAGES.iter().map(|(name, version)| format!("{name} {version}")).collect();
    println!("beside {}", versions.join(", "));
    Ok(peers)
}

impl Peers {
    /// The script that Node runs.
    pub(super) fn playwright(&self) -> PathBuf {
        self.modules.join("@playwright/mcp/cli.js")
    }

    /// The native program.
    pub(super) fn agent_browser(&self) -> PathBuf {
        self.modules.join("agent-browser/bin").join(self.native)
    }
}
