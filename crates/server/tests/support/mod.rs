//! A plain client: it sends what it is told to, well-formed or not, and shows what comes back.
#![allow(dead_code, reason = "each test binary uses its part of it")]
#![allow(
    clippy::expect_used,
    clippy::needless_pass_by_value,
    reason = "tests: what is unexpected fails them"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_e2e-mcp-server");
pub(crate) const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// Longer than anything takes here; a test that reaches it has found a hang.
pub(crate) const LONG: Duration = Duration::from_secs(20);

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params }).to_string()
}

pub(crate) fn initialize(revision: &str) -> String {
    let client = json!({ "name": "test", "version": "0" });
    request(
        "handshake",
        "initialize",
        json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client }),
    )
}

/// What revision 2026-07-28 wants in every request.
pub(crate) fn modern_meta() -> Value {
    json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "0" },
    } })
}

/// The server on pipes. Killed when dropped, if it still runs.
pub(crate) struct OnPipes {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) lines: Receiver<String>,
}

impl OnPipes {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(BINARY);
        command.args(arguments).stderr(Stdio::null());
        Self::spawn(&mut command)
    }

    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("spawn");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("piped");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines }
    }

    pub(crate) fn initialized(arguments: &[&str]) -> Self {
        let mut server = Self::start(arguments);
        server.send(&initialize("2025-11-25"));
        assert_eq!(server.reply()["id"], "handshake");
        server
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().expect("open").write_all(bytes).expect("the server reads");
    }

    pub(crate) fn reply(&mut self) -> Value {
        let line = self.lines.recv_timeout(LONG).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("no JSON ({error}): {line}"))
    }

    pub(crate) fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(&request(id, method, params));
        self.reply()
    }

    /// Waits for the end and says how long it took.
    pub(crate) fn ended(&mut self) -> (ExitStatus, Duration) {
        wait(&mut self.child)
    }
}

impl Drop for OnPipes {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn wait(child: &mut Child) -> (ExitStatus, Duration) {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return (status, began.elapsed());
        }
        assert!(began.elapsed() < LONG, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The server on a port of its own. Killed when dropped, if it still runs.
pub(crate) struct OnPort {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
}

impl OnPort {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(BINARY)
            .args(["--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("spawn");
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        let (send, address) = channel();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if let Some(address) = line.strip_prefix("Listening on http://") {
                    let _ = send.send(address.to_owned());
                }
            }
        });
        let address = address.recv_timeout(LONG).expect("the address").parse().expect("an address");
        Self { child, address }
    }

    pub(crate) fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.address).expect("connect");
        stream.set_read_timeout(Some(LONG)).expect("time-out");
        stream.set_nodelay(true).expect("nodelay");
        Connection { stream: BufReader::new(stream) }
    }

    pub(crate) fn post(&self, body: &str, headers: &[(&str, &str)]) -> Response {
        self.connect().post("/message", body.as_bytes(), headers)
    }
}

impl Drop for OnPort {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One kept-alive connection.
pub(crate) struct Connection {
    pub(crate) stream: BufReader<TcpStream>,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("no JSON ({error}): {self:?}"))
    }
}

impl Connection {
    pub(crate) fn post(&mut self, path: &str, body: &[u8], headers: &[(&str, &str)]) -> Response {
        let mut all = vec![
            ("Host", "localhost"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        all.retain(|(name, _)| !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)));
        all.extend_from_slice(headers);
        self.send("POST", path, body, &all);
        self.read().expect("a response")
    }

    pub(crate) fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> Response {
        self.send("GET", path, b"", headers);
        self.read().expect("a response")
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, body: &[u8], headers: &[(&str, &str)]) {
        let mut head = format!("{method} {path} HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend_from_slice(body);
        self.stream.get_mut().write_all(&bytes).expect("the server reads");
    }

    /// `None` when the server closed the connection instead.
    pub(crate) fn read(&mut self) -> Option<Response> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            line.clear();
            self.stream.read_line(&mut line).ok()?;
            match line.trim_end().split_once(": ") {
                Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.to_owned())),
                None => break,
            }
        }
        let length =
            headers.iter().find(|(name, _)| name == "content-length").map(|(_, value)| value.parse());
        let mut body = Vec::new();
        if let Some(Ok(length)) = length {
            body.resize(length, 0);
            self.stream.read_exact(&mut body).ok()?;
        } else {
            self.stream.read_to_end(&mut body).ok()?;
        }
        Some(Response { status, headers, body: String::from_utf8(body).expect("text") })
    }
}

/// xorshift64*: the same sequence on every machine.
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let random = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(random).expect("31 bits") % bound
    }
}
