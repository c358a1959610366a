//! agent-browser: a command line with a daemon behind it. Each step is a process, as its users pay for it.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use testkit::process;

use super::contender::{Changes, Contender, Running, Step, Told};
use super::field::{Field, Place};
use super::memory;
use super::peers::Peers;

/// How long one command may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The name of the session and of the folder in which the daemon keeps its files.
const SESSION: &str = "bench";

/// The program.
#[derive(Debug, Clone)]
pub(super) struct AgentBrowser {
    program: PathBuf,
    place: Place,
}

impl AgentBrowser {
    /// The native program itself: the script around it would only add to its times.
    pub(super) fn new(peers: &Peers, field: &Field) -> Self {
        Self { program: peers.agent_browser(), place: field.place("agent-browser") }
    }

    /// Runs a command and reads what it prints.
    fn run(&self, arguments: &[&str]) -> anyhow::Result<Told> {
        let folder = self.place.folder()?;
        let (out, err) = (folder.join("stdout"), folder.join("stderr"));
        let mut command = Command::new(&self.program);
        command.args(arguments).envs(self.place.variables()).current_dir(folder);
        command.env("AGENT_BROWSER_EXECUTABLE_PATH", Field::chromium()).env("AGENT_BROWSER_SESSION", SESSION);
        // So that its files are where `daemon` looks for them.
        command.env("AGENT_BROWSER_NAMESPACE", SESSION).env_remove("XDG_RUNTIME_DIR");
        if let Some(flag) = Field::sandbox_flag() {
            command.env("AGENT_BROWSER_ARGS", flag);
        }
        // Files and no pipes: the daemon, which the first command starts, may keep them open.
        command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
        let (took, succeeded) = time(&mut command)?;
        let text = String::from_utf8_lossy(&std::fs::read(&out)?).into_owned();
        let complaint = String::from_utf8_lossy(&std::fs::read(&err)?).trim().to_owned();
        ensure!(succeeded, "agent-browser {}: {} {complaint}", arguments.join(" "), text.trim());
        Ok(Told { took, bytes: text.len(), text })
    }

    /// The daemon's pid, as it wrote it down.
    fn daemon(&self) -> anyhow::Result<u32> {
        let file =
            self.place.folder()?.join(format!("home/.agent-browser/namespaces/{SESSION}/run/{SESSION}.pid"));
        let pid = std::fs::read_to_string(&file).with_context(|| format!("no {}", file.display()))?;
        Ok(pid.trim().parse()?)
    }
}

impl Contender for AgentBrowser {
    fn name(&self) -> &'static str {
        "agent-browser"
    }

    /// Nothing is started here: the first command starts the daemon.
    fn start(&self) -> anyhow::Result<Box<dyn Running>> {
        Ok(Box::new(Session(self.clone())))
    }
}

/// The daemon and its browser, from the first command to `close`.
struct Session(AgentBrowser);

impl Running for Session {
    fn ready_after(&self) -> Option<Duration> {
        None
    }

    fn ask(&mut self, step: &Step<'_>) -> anyhow::Result<Told> {
        match step {
            Step::Navigate { url } => self.0.run(&["open", url]),
            Step::Snapshot => self.0.run(&["snapshot"]),
            Step::Click { target } => self.0.run(&["click", &format!("@{target}")]),
            Step::Type { target, text } => self.0.run(&["fill", &format!("@{target}"), text]),
            Step::Evaluate { expression } => self.0.run(&["eval", expression]),
            Step::Screenshot => {
                let shot = self.0.place.folder()?.join("shot.png");
                let told = self.0.run(&["screenshot", &shot.display().to_string()])?;
                std::fs::remove_file(&shot).context("no image came")?;
                Ok(told)
            }
        }
    }

    fn changes(&self) -> Changes {
        Changes::NotTold
    }

    fn memory(&self) -> anyhow::Result<f64> {
        memory::without_browser(self.0.daemon()?, Field::chromium())
    }

    fn tools_bytes(&mut self) -> anyhow::Result<Option<usize>> {
        Ok(None)
    }
}

impl Drop for Session {
    /// The daemon goes after its answer; the next one must not meet it.
    fn drop(&mut self) {
        let daemon = self.0.daemon();
        let _ = self.0.run(&["close"]);
        if let Ok(pid) = daemon {
            let _ = process::wait_gone(&[pid], LIMIT);
        }
    }
}

/// Runs a command to its end, which comes by force at the limit. Not by looking again and again: that would blur what
/// takes a few milliseconds.
fn time(command: &mut Command) -> anyhow::Result<(Duration, bool)> {
    let (done, ended) = channel::<()>();
    let began = Instant::now();
    let mut child = command.spawn().context("agent-browser can't be run")?;
    let pid = child.id();
    let guard = std::thread::spawn(move || {
        if ended.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
            process::kill(pid);
        }
    });
    let status = child.wait();
    let took = began.elapsed();
    drop(done);
    let _ = guard.join();
    Ok((took, status?.success()))
}
