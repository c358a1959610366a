//! What the gate's tests share: names that lead where a test says, a server that writes down what it was asked, and a
//! client that speaks in bytes.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use egress::{Gate, Limits, Resolver, Rules};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// No wait in these tests takes longer.
pub(crate) const SOON: Duration = Duration::from_secs(10);

/// A resolver that a test plays. The answers of a name are given one after another; the last one stays.
#[derive(Debug, Default)]
pub(crate) struct Names {
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    pub(crate) fn of(names: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let parse = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
        let answers =
            names.iter().map(|(name, answers)| ((*name).to_owned(), answers.iter().map(parse).collect()));
        Arc::new(Self { answers: Mutex::new(answers.collect()), asked: Mutex::default() })
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Resolver for Names {
    fn look_up<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        self.asked.lock().unwrap().push(name.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let answer = match answers.get_mut(name) {
            Some(answers) if answers.len() > 1 => Ok(answers.pop_front().unwrap()),
            Some(answers) => Ok(answers.front().cloned().unwrap_or_default()),
            None => Err(io::Error::other("no such name")),
        };
        async move { answer }.boxed()
    }
}

pub(crate) fn gate(rules: Rules, names: &Arc<Names>) -> Gate {
    Gate::open_with(rules, names.clone(), Limits::default()).unwrap()
}

/// A server that answers each connection's first head with the same bytes and closes, and remembers what came.
pub(crate) struct Origin {
    pub(crate) at: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Origin {
    pub(crate) async fn start(address: &str, answer: &'static str) -> Self {
        Self::start_at(&format!("{address}:0"), answer).await
    }

    pub(crate) async fn start_at(address: &str, answer: &'static str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let at = listener.local_addr().unwrap();
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let ears = heard.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let ears = ears.clone();
                tokio::spawn(async move {
                    let head = read_head(&mut stream).await;
                    ears.lock().unwrap().push(head);
                    let _ = stream.write_all(answer.as_bytes()).await;
                    // What still comes belongs to the request.
                    let mut rest = vec![0; 64 * 1024];
                    while let Ok(Ok(n)) =
                        tokio::time::timeout(Duration::from_millis(200), stream.read(&mut rest)).await
                    {
                        if n == 0 {
                            break;
                        }
                        let text = String::from_utf8_lossy(&rest[..n]).into_owned();
                        ears.lock().unwrap().last_mut().unwrap().push_str(&text);
                    }
                });
            }
        });
        Self { at, heard }
    }

    /// Waits until a request that ends like this has come, and gives it.
    pub(crate) async fn hears(&self, end: &str) -> String {
        let whole = async {
            loop {
                if let Some(heard) = self.heard().into_iter().find(|heard| heard.ends_with(end)) {
                    return heard;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(SOON, whole).await.expect("the request comes whole")
    }

    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

/// A connection to the gate.
pub(crate) async fn client(gate: &Gate) -> TcpStream {
    TcpStream::connect(gate.address().strip_prefix("http://").unwrap()).await.unwrap()
}

/// Sends `bytes` and answers what came until the end.
pub(crate) async fn talk(gate: &Gate, bytes: &str) -> String {
    let mut stream = client(gate).await;
    stream.write_all(bytes.as_bytes()).await.unwrap();
    read_all(&mut stream).await
}

/// One GET of `url`.
pub(crate) async fn get(gate: &Gate, url: &str) -> String {
    talk(gate, &format!("GET {url} HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n")).await
}

pub(crate) async fn read_all(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = tokio::time::timeout(SOON, stream.read_to_end(&mut bytes)).await.expect("the connection ends");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Everything up to the empty line.
pub(crate) async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let whole = async {
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => break,
            }
        }
    };
    tokio::time::timeout(SOON, whole).await.expect("a head comes");
    String::from_utf8_lossy(&head).into_owned()
}
