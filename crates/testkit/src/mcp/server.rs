//! A server under test as a process: started, listened to, waited for, and killed with the test.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;

use crate::process::wait_until;

/// Lines that a thread reads while the test does something else.
type Lines = Arc<Mutex<Vec<String>>>;

/// A started server with its stderr collected; dropping it kills it.
#[derive(Debug)]
pub struct ServerProcess {
    child: Child,
    stderr: Lines,
    stdout: Lines,
}

impl ServerProcess {
    /// Starts `command`. The environment is the test's own with `env` on top.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn start(
        command: impl AsRef<OsStr>,
        args: &[&str],
        env: &[(&str, &str)],
        cwd: &Path,
    ) -> anyhow::Result<Self> {
        let mut start = Command::new(command.as_ref());
        start.args(args).envs(env.iter().copied()).current_dir(cwd);
        start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = start
            .spawn()
            .with_context(|| format!("can't start {}", Path::new(command.as_ref()).display()))?;
        let stderr = Lines::default();
        if let Some(pipe) = child.stderr.take() {
            collect(pipe, Arc::clone(&stderr));
        }
        Ok(Self { child, stderr, stdout: Lines::default() })
    }

    /// The server's pid.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote to stderr so far.
    pub fn stderr(&self) -> Vec<String> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for a stderr line in which `look` finds something: the port that it listens on, for example.
    ///
    /// # Errors
    /// When the limit passes first; the message has the lines there were.
    pub fn wait_stderr<T>(&self, limit: Duration, look: impl Fn(&str) -> Option<T>) -> anyhow::Result<T> {
        wait_until(limit, || self.stderr().iter().find_map(|line| look(line)))
            .with_context(|| format!("the line did not come within {limit:?}; stderr: {:#?}", self.stderr()))
    }

    /// Waits until it has exited.
    ///
    /// # Errors
    /// When it still runs at the limit.
    pub fn wait_exit(&mut self, limit: Duration) -> anyhow::Result<ExitStatus> {
        let child = &mut self.child;
        wait_until(limit, || child.try_wait().ok().flatten())
            .with_context(|| format!("the server still runs after {limit:?}"))
    }

    /// Sends a signal by number.
    ///
    /// # Errors
    /// When there is no such signal or the server is gone.
    #[cfg(unix)]
    pub fn signal(&self, number: i32) -> anyhow::Result<()> {
        let signal = rustix::process::Signal::from_named_raw(number).context("no such signal")?;
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), signal)?;
        Ok(())
    }

    /// Starts a server that listens, and waits until it says on stderr where (`http://ADDRESS`).
    ///
    /// Its stdout is collected too: a server that logs there must not stall on a full pipe.
    ///
    /// # Errors
    /// When it can't be started or does not say so within 10 s.
    pub fn listening(
        command: impl AsRef<OsStr>,
        args: &[&str],
        env: &[(&str, &str)],
        cwd: &Path,
    ) -> anyhow::Result<(Self, SocketAddr)> {
        let mut server = Self::start(command, args, env, cwd)?;
        if let Some(pipe) = server.take_stdout() {
            collect(pipe, Arc::clone(&server.stdout));
        }
        let address = server.wait_stderr(Duration::from_secs(10), |line| {
            let address = line.split_once("http://")?.1;
            address.split(|end: char| end.is_whitespace() || "/\"".contains(end)).next()?.parse().ok()
        })?;
        Ok((server, address))
    }

    /// What a [`listening`](Self::listening) server wrote to stdout so far.
    pub fn stdout(&self) -> Vec<String> {
        self.stdout.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its stdin, once.
    pub(crate) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Its stdout, once.
    pub(crate) fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines into `lines` until the pipe ends.
fn collect(pipe: impl Read + Send + 'static, lines: Lines) {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
    });
}
