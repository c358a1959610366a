//! A server under test as a process: started, listened to, waited for, and killed with the test.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
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
    stdin: Option<File>,
    stdout: Option<File>,
    stderr_lines: Lines,
    stdout_lines: Lines,
}

impl ServerProcess {
    /// Starts `command` on pipes. The environment is the test's own with `env` on top.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn start(
        command: impl AsRef<OsStr>,
        args: &[&str],
        env: &[(&str, &str)],
        cwd: &Path,
    ) -> anyhow::Result<Self> {
        let mut child = spawn(command.as_ref(), args, env, cwd, (Stdio::piped(), Stdio::piped()))?;
        let stdin = child.stdin.take().map(file);
        let stdout = child.stdout.take().map(file);
        Ok(Self::of(child, stdin, stdout))
    }

    /// Starts `command` with sockets as its standard input and output, as Node does for every child.
    ///
    /// # Errors
    /// When it can't be started.
    #[cfg(unix)]
    pub fn start_on_sockets(
        command: impl AsRef<OsStr>,
        args: &[&str],
        env: &[(&str, &str)],
        cwd: &Path,
    ) -> anyhow::Result<Self> {
        use std::os::fd::OwnedFd;
        use std::os::unix::net::UnixStream;

        let (stdin, its_stdin) = UnixStream::pair()?;
        let (stdout, its_stdout) = UnixStream::pair()?;
        let its_ends = (OwnedFd::from(its_stdin).into(), OwnedFd::from(its_stdout).into());
        let child = spawn(command.as_ref(), args, env, cwd, its_ends)?;
        Ok(Self::of(child, Some(file(stdin)), Some(file(stdout))))
    }

    fn of(mut child: Child, stdin: Option<File>, stdout: Option<File>) -> Self {
        let stderr_lines = Lines::default();
        if let Some(pipe) = child.stderr.take() {
            collect(pipe, Arc::clone(&stderr_lines));
        }
        Self { child, stdin, stdout, stderr_lines, stdout_lines: Lines::default() }
    }

    /// The server's pid.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote to stderr so far.
    pub fn stderr(&self) -> Vec<String> {
        self.stderr_lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
            collect(pipe, Arc::clone(&server.stdout_lines));
        }
        let address = server.wait_stderr(Duration::from_secs(10), |line| {
            let address = line.split_once("http://")?.1;
            address.split(|end: char| end.is_whitespace() || "/\"".contains(end)).next()?.parse().ok()
        })?;
        Ok((server, address))
    }

    /// What a [`listening`](Self::listening) server wrote to stdout so far.
    pub fn stdout(&self) -> Vec<String> {
        self.stdout_lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Our end of its stdin, once; dropping it ends the server's input.
    pub fn take_stdin(&mut self) -> Option<File> {
        self.stdin.take()
    }

    /// Our end of its stdout, once; dropping it closes the server's output.
    pub fn take_stdout(&mut self) -> Option<File> {
        self.stdout.take()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(
    command: &OsStr,
    args: &[&str],
    env: &[(&str, &str)],
    cwd: &Path,
    (stdin, stdout): (Stdio, Stdio),
) -> anyhow::Result<Child> {
    let mut start = Command::new(command);
    start.args(args).envs(env.iter().copied()).current_dir(cwd);
    start.stdin(stdin).stdout(stdout).stderr(Stdio::piped());
    start.spawn().with_context(|| format!("can't start {}", Path::new(command).display()))
}

/// A pipe or a socket as something to read from or to write to.
#[cfg(unix)]
fn file(end: impl Into<std::os::fd::OwnedFd>) -> File {
    File::from(end.into())
}

#[cfg(windows)]
fn file(end: impl Into<std::os::windows::io::OwnedHandle>) -> File {
    File::from(end.into())
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
