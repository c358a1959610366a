//! An MCP client over stdio.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::answer::{answer, reply_to};
use super::{Answer, Revision, ServerProcess, ToolResult};

/// How long a call may take when the test names no limit of its own.
const USUAL: Duration = Duration::from_secs(30);

/// A client and the server that it started.
///
/// Responses may come in any order; each is kept until its request asks for it. What is no response is kept as a
/// notification.
#[derive(Debug)]
pub struct StdioClient {
    server: ServerProcess,
    stdin: Option<File>,
    incoming: Receiver<(Instant, Vec<u8>)>,
    raw: Vec<Vec<u8>>,
    last_came: Instant,
    responses: HashMap<u64, Value>,
    notifications: Vec<Value>,
    /// What the server's own requests are answered with, by method; `None` is silence.
    answers: HashMap<String, Option<Value>>,
    revision: Revision,
    last_id: u64,
}

impl StdioClient {
    /// Starts the server on pipes. `env` goes on top of the test's own environment.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn start(
        command: impl AsRef<OsStr>,
        args: &[&str],
        env: &[(&str, &str)],
        cwd: &Path,
    ) -> anyhow::Result<Self> {
        Self::of(ServerProcess::start(command, args, env, cwd)?)
    }

    /// The client of a server that was started, on whatever its standard input and output are.
    ///
    /// # Errors
    /// When its stdout was taken already.
    pub fn of(mut server: ServerProcess) -> anyhow::Result<Self> {
        let stdin = server.take_stdin();
        let stdout = server.take_stdout().context("the server has no stdout")?;
        let (send, incoming) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if send.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            server,
            stdin,
            incoming,
            raw: Vec::new(),
            last_came: Instant::now(),
            responses: HashMap::new(),
            notifications: Vec::new(),
            answers: HashMap::new(),
            revision: Revision::V2025_11_25,
            last_id: 0,
        })
    }

    /// Agrees on a revision: the handshake for those that have one, `server/discover` for those that have none.
    ///
    /// # Errors
    /// When the server does not answer, or with an error.
    pub fn initialize(&mut self, revision: Revision) -> anyhow::Result<Value> {
        self.revision = revision;
        if !revision.has_handshake() {
            return Ok(self.request("server/discover", json!({}), USUAL)??);
        }
        let agreed = self.request("initialize", revision.initialize_params(), USUAL)??;
        self.notify("notifications/initialized", Value::Null)?;
        Ok(agreed)
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// When none comes within the limit, or the server closes its stdout.
    pub fn request(&mut self, method: &str, params: Value, limit: Duration) -> anyhow::Result<Answer> {
        let id = self.send(method, params)?;
        self.receive(id, limit)
    }

    /// Sends a request and returns its id at once.
    ///
    /// # Errors
    /// When stdin is closed.
    pub fn send(&mut self, method: &str, params: Value) -> anyhow::Result<u64> {
        self.last_id += 1;
        let message = self.revision.message(Some(self.last_id), method, params);
        self.send_message(&message)?;
        Ok(self.last_id)
    }

    /// Waits for the answer to the request with this id.
    ///
    /// # Errors
    /// When none comes within the limit, or the server closes its stdout.
    pub fn receive(&mut self, id: u64, limit: Duration) -> anyhow::Result<Answer> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(response) = self.responses.remove(&id) {
                return Ok(answer(&response));
            }
            if !self.take_line(deadline)? {
                bail!("no answer to request {id} within {limit:?}; stderr: {:#?}", self.server.stderr());
            }
        }
    }

    /// Calls a tool and waits for its result.
    ///
    /// # Errors
    /// When no result comes within 30 s, or the answer is a protocol error.
    pub fn call_tool(&mut self, name: &str, arguments: &Value) -> anyhow::Result<ToolResult> {
        self.call_tool_within(name, arguments, USUAL)
    }

    /// Calls a tool and waits for its result, no longer than `limit`.
    ///
    /// # Errors
    /// When no result comes in time, or the answer is a protocol error.
    pub fn call_tool_within(
        &mut self,
        name: &str,
        arguments: &Value,
        limit: Duration,
    ) -> anyhow::Result<ToolResult> {
        let params = json!({ "name": name, "arguments": arguments });
        Ok(ToolResult(self.request("tools/call", params, limit)??))
    }

    /// The tools that `tools/list` names.
    ///
    /// # Errors
    /// When the list does not come.
    pub fn list_tools(&mut self) -> anyhow::Result<Vec<Value>> {
        let list = self.request("tools/list", json!({}), USUAL)??;
        Ok(list["tools"].as_array().cloned().unwrap_or_default())
    }

    /// Answers the server's requests of this method with a result, or never; without this they are refused.
    pub fn on_request(&mut self, method: &str, result: Option<Value>) {
        self.answers.insert(method.to_owned(), result);
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// When stdin is closed.
    pub fn notify(&mut self, method: &str, params: Value) -> anyhow::Result<()> {
        let message = self.revision.message(None, method, params);
        self.send_message(&message)
    }

    /// Writes bytes as they are: no newline is added, nothing is checked.
    ///
    /// # Errors
    /// When stdin is closed.
    pub fn send_raw(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let stdin = self.stdin.as_mut().context("stdin is closed")?;
        stdin.write_all(bytes)?;
        stdin.flush()?;
        Ok(())
    }

    /// Ends the server's input, as a client does that goes away.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Waits until the server has exited.
    ///
    /// # Errors
    /// When it still runs at the limit.
    pub fn wait_exit(&mut self, limit: Duration) -> anyhow::Result<ExitStatus> {
        self.server.wait_exit(limit)
    }

    /// Waits until a notification of this method has come, takes it out of the collection, and returns it.
    ///
    /// # Errors
    /// When none comes within the limit.
    pub fn wait_notification(&mut self, method: &str, limit: Duration) -> anyhow::Result<Value> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(at) = self.notifications.iter().position(|one| one["method"] == method) {
                return Ok(self.notifications.remove(at));
            }
            if !self.take_line(deadline)? {
                bail!("no {method} within {limit:?}");
            }
        }
    }

    /// The next message, whatever it is; for tests that send what no request of [`send`](Self::send) is.
    ///
    /// # Errors
    /// When none comes within the limit, the server closes its stdout, or the line is no JSON.
    pub fn next_message(&mut self, limit: Duration) -> anyhow::Result<Value> {
        let line = self.next_line(Instant::now() + limit)?;
        let line = line.with_context(|| format!("no message within {limit:?}"))?;
        let message = serde_json::from_slice(&line);
        message.with_context(|| format!("this is no JSON: {}", String::from_utf8_lossy(&line)))
    }

    /// What came and was no response to a request of ours, in order: notifications, errors without id.
    pub fn notifications(&self) -> &[Value] {
        &self.notifications
    }

    /// Every line that came on stdout and was looked at so far, as bytes.
    pub fn raw_lines(&self) -> &[Vec<u8>] {
        &self.raw
    }

    /// When the last line that was looked at had come; for benches, which do not count how long testkit reads it.
    pub fn last_came(&self) -> Instant {
        self.last_came
    }

    /// Looks at what comes on stdout until it ends or the limit passes; for tests that count or parse every line.
    pub fn drain(&mut self, limit: Duration) {
        let deadline = Instant::now() + limit;
        while matches!(self.take_line(deadline), Ok(true)) {}
    }

    /// What the server wrote to stderr so far.
    pub fn stderr(&self) -> Vec<String> {
        self.server.stderr()
    }

    /// The process itself.
    pub fn server(&self) -> &ServerProcess {
        &self.server
    }

    /// Sends any JSON as a message.
    ///
    /// # Errors
    /// When stdin is closed.
    pub fn send_message(&mut self, message: &Value) -> anyhow::Result<()> {
        self.send_raw(format!("{message}\n").as_bytes())
    }

    /// The next line, if one comes before the deadline.
    fn next_line(&mut self, deadline: Instant) -> anyhow::Result<Option<Vec<u8>>> {
        match self.incoming.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((came, line)) => {
                self.last_came = came;
                self.raw.push(line.clone());
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                bail!("the server closed its stdout; stderr: {:#?}", self.server.stderr())
            }
        }
    }

    /// Takes the next line, if one comes before the deadline, and puts it where it belongs.
    fn take_line(&mut self, deadline: Instant) -> anyhow::Result<bool> {
        let Some(line) = self.next_line(deadline)? else { return Ok(false) };
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        match message["id"].as_u64() {
            Some(id) if message.get("method").is_none() => {
                self.responses.insert(id, message);
            }
            Some(id) => {
                if let Some(answer) = reply_to(id, &message, &self.answers) {
                    self.send_message(&answer)?;
                }
                self.notifications.push(message);
            }
            None => self.notifications.push(message),
        }
        Ok(true)
    }
}
