//! A project with a dev server, run by the real binary's adapter.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use testkit::{bins, process};

/// An answer of the adapter.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) json: Value,
}

impl Answer {
    pub(crate) fn text(&self, name: &str) -> &str {
        self.json[name].as_str().unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    pub(crate) fn number(&self, name: &str) -> u32 {
        let number = self.json[name].as_u64().unwrap_or_else(|| panic!("no {name} in {self:?}"));
        u32::try_from(number).unwrap()
    }

    pub(crate) fn log(&self, name: &str) -> PathBuf {
        PathBuf::from(self.json["logs"][name].as_str().unwrap_or_else(|| panic!("no log in {self:?}")))
    }

    /// Sees that it is a success with this status.
    #[track_caller]
    pub(crate) fn is(self, status: &str) -> Self {
        assert_eq!((self.text("status"), self.code), (status, 0), "{self:?}");
        self
    }
}

/// A project's folder and a private runtime folder. Dropping it ends what is left.
pub(crate) struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["app", "run"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
        }
        std::fs::write(dir.path().join("app/server.py"), include_str!("server.py")).unwrap();
        Self { dir }
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn app(&self) -> PathBuf {
        self.dir.path().join("app")
    }

    /// Where the adapter keeps what it knows.
    pub(crate) fn states(&self) -> PathBuf {
        self.dir.path().join("run/e2e-mcp-server")
    }

    /// The adapter, to be started in the project's folder.
    pub(crate) fn adapter(&self, flags: &[&str], command: &[&str]) -> Command {
        let mut adapter = Command::new(bins().server());
        adapter
            .arg("dev-server")
            .args(flags)
            .arg("--")
            .args(command)
            .current_dir(self.app())
            .env("XDG_RUNTIME_DIR", self.dir.path().join("run"))
            .stdin(Stdio::null());
        adapter
    }

    pub(crate) fn call(&self, flags: &[&str], command: &[&str]) -> Answer {
        answer(&mut self.adapter(flags, command))
    }

    /// A call for `server.py` with these words.
    pub(crate) fn server(&self, flags: &[&str], words: &[&str]) -> Answer {
        self.call(flags, &server(words))
    }

    /// What every keeper wrote down.
    pub(crate) fn written(&self) -> Vec<Value> {
        let entries = std::fs::read_dir(self.states()).into_iter().flatten().flatten();
        let texts = entries.filter_map(|entry| std::fs::read(entry.path().join("state.json")).ok());
        texts.filter_map(|text| serde_json::from_slice(&text).ok()).collect()
    }

    /// The numbers of every keeper.
    pub(crate) fn keepers(&self) -> Vec<u32> {
        self.written().iter().filter_map(|state| state["keeper"]["pid"].as_u64()?.try_into().ok()).collect()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // Each takes its tree with it.
        for keeper in self.keepers() {
            let words = std::fs::read(format!("/proc/{keeper}/cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&words).contains("dev-server-keeper") {
                process::kill(keeper);
            }
        }
    }
}

/// The command line of `server.py` with these words.
pub(crate) fn server<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["python3", "server.py"], words].concat()
}

pub(crate) fn answer(command: &mut Command) -> Answer {
    let output = command.output().unwrap();
    let json = serde_json::from_slice(&output.stdout);
    let json = json.unwrap_or_else(|error| panic!("{error}: {output:?}"));
    Answer { code: output.status.code().unwrap(), json }
}

/// GETs a URL, by any address that its host has, and answers with what came.
pub(crate) fn fetch(url: &str) -> std::io::Result<String> {
    let url = url::Url::parse(url).unwrap();
    let host = url.host_str().unwrap().trim_matches(['[', ']']);
    let mut last = Err(std::io::Error::other("no address"));
    for address in (host, url.port_or_known_default().unwrap()).to_socket_addrs()? {
        last = TcpStream::connect_timeout(&address, Duration::from_secs(10)).and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(10)))?;
            stream.write_all(format!("GET {} HTTP/1.0\r\nHost: {host}\r\n\r\n", url.path()).as_bytes())?;
            let mut text = String::new();
            stream.read_to_string(&mut text)?;
            Ok(text)
        });
        if last.is_ok() {
            break;
        }
    }
    last
}
