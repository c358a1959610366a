//! The dev server without us: the same command, asked until it answers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use testkit::process;

use super::project::{DEV, Project};

const LIMIT: Duration = Duration::from_secs(60);

/// From exec to the end of the first answer.
pub(super) fn first_answer(project: &Project) -> anyhow::Result<Duration> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let line = DEV.replace("{port}", &port.to_string());
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).current_dir(project.root()).envs(project.env());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let began = Instant::now();
    let running = Running(command.spawn().with_context(|| format!("can't run {line}"))?);
    let came = process::wait_until(LIMIT, || answers(port).ok()).map(|()| began.elapsed());
    running.end()?;
    came.with_context(|| format!("`{line}` did not answer within {LIMIT:?}"))
}

/// Whether the page is answered.
pub(super) fn answers(port: u16) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect(("localhost", port))?;
    stream.set_read_timeout(Some(LIMIT))?;
    write!(stream, "GET / HTTP/1.0\r\nHost: localhost:{port}\r\nAccept: text/html\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let first = answer.lines().next().unwrap_or_default();
    ensure!(first.ends_with("200 OK"), "the dev server answered with {first:?}");
    Ok(())
}

/// The dev server and everything that it started; dropping it ends them.
struct Running(Child);

impl Running {
    /// Ends them, and waits until they are gone.
    fn end(mut self) -> anyhow::Result<()> {
        let everyone = self.kill();
        process::wait_gone(&everyone, LIMIT)
    }

    fn kill(&mut self) -> Vec<u32> {
        // From above, so that nobody is adopted by another parent before he is found.
        let everyone = process::descendants(self.0.id());
        let _ = self.0.kill();
        everyone.iter().for_each(|pid| process::kill(*pid));
        let _ = self.0.wait();
        everyone
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}
