//! A web server on a loopback port that says what a test needs. It is two sites: by its number, and by `localhost`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// What is at a path.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// The connection stays open and nothing is said.
    pub(crate) silent: bool,
}

pub(crate) struct Site {
    pub(crate) port: u16,
    pages: Arc<Mutex<HashMap<String, Reply>>>,
    heard: Arc<Mutex<Vec<Heard>>>,
    serving: JoinHandle<()>,
}

pub(crate) fn html(body: &str) -> Reply {
    let headers = vec![("Content-Type", "text/html; charset=utf-8".to_owned())];
    Reply { status: "200 OK", headers, body: body.as_bytes().to_vec(), silent: false }
}

pub(crate) fn status(status: &'static str) -> Reply {
    Reply { status, headers: Vec::new(), body: Vec::new(), silent: false }
}

impl Reply {
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn silent() -> Self {
        Self { silent: true, ..status("200 OK") }
    }
}

impl Site {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (pages, heard) =
            (Arc::<Mutex<HashMap<String, Reply>>>::default(), Arc::<Mutex<Vec<Heard>>>::default());
        let (known, log) = (pages.clone(), Arc::clone(&heard));
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, known.clone(), log.clone()));
            }
        });
        Self { port, pages, heard, serving }
    }

    pub(crate) fn at(&self, path: &str, reply: Reply) {
        self.pages.lock().unwrap().insert(path.to_owned(), reply);
    }

    /// The address of a path, by the machine's number.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same on another site.
    pub(crate) fn elsewhere(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    pub(crate) fn heard(&self, path: &str) -> Option<Heard> {
        self.heard.lock().unwrap().iter().rfind(|heard| heard.path == path).cloned()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(
    stream: TcpStream,
    pages: Arc<Mutex<HashMap<String, Reply>>>,
    log: Arc<Mutex<Vec<Heard>>>,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut heard = Heard::default();
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    heard.path = line.split(' ').nth(1)?.split('?').next()?.to_owned();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        heard.headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = heard.headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    heard.body = vec![0; length];
    stream.read_exact(&mut heard.body).await.ok()?;
    let reply = pages.lock().unwrap().get(&heard.path).cloned().unwrap_or_else(|| status("404 Not Found"));
    log.lock().unwrap().push(heard);
    if reply.silent {
        // Until the browser gives up.
        let _ = stream.read_u8().await;
        return None;
    }
    let mut head =
        format!("HTTP/1.1 {}\r\nConnection: close\r\nContent-Length: {}\r\n", reply.status, reply.body.len());
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).await.ok()?;
    stream.write_all(&reply.body).await.ok()?;
    stream.shutdown().await.ok()
}
