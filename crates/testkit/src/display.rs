//! A display that nobody looks at, for browsers with windows.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};

/// An Xvfb of the test's own, gone when it is dropped.
#[derive(Debug)]
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts one with a number that is free, and waits until it answers.
    ///
    /// # Errors
    /// When there is no Xvfb here (`cargo xtask test` installs it), or it does not start.
    pub fn start() -> anyhow::Result<Self> {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("Xvfb can't be started")?;
        let stdout = server.stdout.take().context("Xvfb has no stdout")?;
        let mut display = Self { server, name: String::new() };
        // It writes its number when it is ready, or ends without.
        let mut number = String::new();
        BufReader::new(stdout).read_line(&mut number)?;
        ensure!(!number.trim().is_empty(), "Xvfb ended before it was ready");
        display.name = format!(":{}", number.trim());
        Ok(display)
    }

    /// What `DISPLAY` has to be.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It takes its sockets along when it is asked to end.
        #[cfg(unix)]
        if let Some(pid) = i32::try_from(self.server.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        #[cfg(not(unix))]
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
