//! What the way through a session's proxy costs a navigation: the same page, asked for by an address of this machine that is none of the
//! loopback's, and by one that is, in turns.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient};

use super::super::report::{Report, median};

const NAME: &str = "navigation: through the proxy / without";
const ROUNDS: usize = 40;
/// The first ones are slower, and nobody's.
const WARM: usize = 5;
/// What the page asks for, besides itself.
const PARTS: usize = 10;

/// Measures it with the server at `program`.
pub(super) fn measure(program: &Path, report: &mut Report) -> anyhow::Result<()> {
    let Some(outside) = outside() else {
        let told = "this machine has no address but the loopback's".to_owned();
        report.line(NAME, told, "≤ 1.05", false);
        return Ok(());
    };
    let port = serve()?.port();
    let folder = tempfile::tempdir()?;
    let allowed = format!("--allowed-hosts={outside}");
    let flags = ["--headless", "--log-level=error", &allowed];
    let mut client = StdioClient::start(program, &flags, &[], folder.path())?;
    client.initialize(Revision::V2025_11_25)?;
    let opened: Value = serde_json::from_str(&client.call_tool("create_session", &json!({}))?.text())?;
    let session = opened["sessionId"].as_str().context("no sessionId")?.to_owned();
    let mut navigate = |to: IpAddr| -> anyhow::Result<f64> {
        let url = format!("http://{}/", SocketAddr::new(to, port));
        let began = Instant::now();
        let answer = client.call_tool("navigate", &json!({ "sessionId": session, "url": url }))?;
        let took = began.elapsed().as_secs_f64() * 1000.0;
        ensure!(!answer.is_error(), "{}", answer.text());
        Ok(took)
    };
    let (mut through, mut without) = (Vec::new(), Vec::new());
    for round in 0..WARM + ROUNDS {
        let times = (navigate(outside)?, navigate(Ipv4Addr::LOCALHOST.into())?);
        if round >= WARM {
            through.push(times.0);
            without.push(times.1);
        }
    }
    let (through, without) = (median(through), median(without));
    let ratio = through / without;
    let told = format!("{through:.1} ms / {without:.1} ms = {ratio:.2}");
    report.line(NAME, told, "≤ 1.05", ratio <= 1.05);
    Ok(())
}

/// An address of this machine by which others would reach it. Nothing is sent to find it.
fn outside() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(203, 0, 113, 1), 9)).ok()?;
    socket.local_addr().ok().map(|at| at.ip()).filter(|at| !at.is_loopback())
}

/// Serves a page and its parts on every address, until the process ends.
fn serve() -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    let at = listener.local_addr()?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    Ok(at)
}

/// Answers one request after the other, until the browser hangs up.
fn answer(mut stream: TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut asked = BufReader::new(stream.try_clone().ok()?).lines().map_while(Result::ok);
    loop {
        let first = asked.next()?;
        asked.by_ref().find(String::is_empty)?;
        let page = first.starts_with("GET / ");
        let body = if page {
            let part = |number| format!("<link rel=stylesheet href=/{number}.css>");
            format!(
                "<!doctype html><title>page</title>{}<p>here</p>",
                (0..PARTS).map(part).collect::<String>()
            )
        } else {
            "p { color: green }".to_owned()
        };
        let kind = if page { "text/html" } else { "text/css" };
        let length = body.len();
        let head = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store");
        stream.write_all(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}").as_bytes()).ok()?;
    }
}
