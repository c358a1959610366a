//! The fixture site answers as tests were promised, to well-behaved and to broken expectations alike.
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use testkit::mcp::{HttpConnection, HttpReply};
use testkit::site::{Response, STANDING, Site};
use tokio_tungstenite::tungstenite::Message;

const SOON: Duration = Duration::from_secs(10);

fn connect(site: &Site) -> HttpConnection {
    HttpConnection::open(site.address(), SOON).unwrap()
}

fn get(site: &Site, path: &str) -> HttpReply {
    connect(site).ask("GET", path, &[], &[]).unwrap()
}

fn text(reply: &HttpReply) -> String {
    String::from_utf8(reply.body.clone()).unwrap()
}

/// A socket on which a GET was sent.
fn asked(site: &Site, path: &str) -> TcpStream {
    let mut socket = TcpStream::connect(site.address()).unwrap();
    socket.set_read_timeout(Some(SOON)).unwrap();
    write!(socket, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    socket
}

#[test]
fn pages_and_routes_are_set_and_replaced_while_the_site_runs() {
    let site = Site::start().unwrap();
    assert_eq!(get(&site, "/a").status, 404);
    site.page("/a", "<h1>één</h1>");
    assert_eq!(text(&get(&site, "/a?x=1")), "<h1>één</h1>");
    site.route("/a", |request| Response::text(&request.param("x").unwrap()).with_status(201));
    let reply = get(&site, "/a?x=a+b%26");
    assert_eq!((reply.status, text(&reply).as_str()), (201, "a b&"));
    site.page("/empty", "no longer");
    assert_eq!(text(&get(&site, "/empty")), "no longer");
}

#[test]
fn requests_are_kept_as_they_came_and_counted_by_path() {
    let site = Site::start().unwrap();
    connect(&site).ask("POST", "/form?a=b", &[("X-Test", "yes")], b"name=x").unwrap();
    get(&site, "/form");
    site.wait_hits("/form", 2, SOON).unwrap();
    let requests = site.requests();
    assert_eq!((requests[0].line().as_str(), requests[0].text().as_str()), ("POST /form?a=b", "name=x"));
    assert_eq!(requests[0].header("x-test"), Some("yes"));
    assert_eq!((site.hits("/form"), site.hits("/other")), (2, 0));
    let told = site.wait_hits("/other", 1, Duration::ZERO).unwrap_err().to_string();
    assert!(told.contains("0 of 1") && told.contains("GET /form"), "{told}");
}

#[test]
fn every_origin_leads_to_the_same_routes() {
    let site = Site::start().unwrap();
    site.page("/here", "here");
    let other = site.other_origin();
    let address = other.strip_prefix("http://").unwrap().parse().unwrap();
    assert_ne!(address, site.address());
    let reply = HttpConnection::open(address, SOON).unwrap().ask("GET", "/here", &[], &[]).unwrap();
    assert_eq!(text(&reply), "here");
    let port = site.address().port();
    assert_eq!(site.url("/here?a"), format!("http://127.0.0.1:{port}/here?a"));
    assert_eq!(site.url_on("localhost", "/here"), format!("http://localhost:{port}/here"));
}

#[test]
fn a_connection_is_kept_until_the_client_wants_it_closed() {
    let site = Site::start().unwrap();
    let mut connection = connect(&site);
    for path in ["/empty", "/status/500", "/no-content", "/drip?count=2&ms=1", "/big"] {
        connection.ask("GET", path, &[], &[]).unwrap();
    }
    connection.ask("GET", "/status/404", &[("Connection", "close")], &[]).unwrap();
    assert!(connection.reply().unwrap().is_none(), "it was not closed");
}

#[test]
fn a_head_request_gets_a_head_and_no_body() {
    let site = Site::start().unwrap();
    let mut socket = TcpStream::connect(site.address()).unwrap();
    socket.set_read_timeout(Some(SOON)).unwrap();
    write!(socket, "HEAD /big HTTP/1.1\r\nConnection: close\r\n\r\n").unwrap();
    let mut head = String::new();
    socket.read_to_string(&mut head).unwrap();
    assert!(head.contains("Content-Length: 1000000\r\n") && head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn a_blocked_route_and_sixty_open_answers_hold_up_nobody() {
    let site = Site::start().unwrap();
    let (release, blocked) = channel::<()>();
    let blocked = Mutex::new(blocked);
    site.route("/blocked", move |_| {
        let _ = blocked.lock().unwrap().recv_timeout(SOON);
        Response::text("released")
    });
    let open: Vec<TcpStream> =
        ["/never", "/drip", "/events"].iter().cycle().take(60).map(|path| asked(&site, path)).collect();
    let mut waits = connect(&site);
    waits.send("GET", "/blocked", &[], &[]).unwrap();
    site.wait_hits("/blocked", 1, SOON).unwrap();
    site.wait_hits("/events", 20, SOON).unwrap();
    assert_eq!(get(&site, "/empty").status, 200);
    release.send(()).unwrap();
    assert_eq!(text(&waits.reply().unwrap().unwrap()), "released");
    drop(open);
}

#[test]
fn dropping_the_site_closes_every_connection_and_the_ports() {
    let site = Site::start().unwrap();
    let address = site.address();
    let mut never = asked(&site, "/never");
    let mut drips = asked(&site, "/drip");
    site.wait_hits("/drip", 1, SOON).unwrap();
    drop(site);
    assert_eq!(never.read(&mut [0; 16]).unwrap_or(0), 0);
    let _ = drips.read_to_end(&mut Vec::new());
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_route_that_panics_answers_500() {
    let site = Site::start().unwrap();
    site.route("/panics", |_| panic!("on purpose"));
    assert_eq!(get(&site, "/panics").status, 500);
    assert_eq!(get(&site, "/empty").status, 200);
}

#[test]
fn what_is_no_http_is_told_so() {
    let site = Site::start().unwrap();
    let mut connection = connect(&site);
    connection.send_raw(b"hello there\r\n\r\n").unwrap();
    assert_eq!(connection.reply().unwrap().unwrap().status, 400);
}

#[test]
fn redirects_lead_where_they_are_told_and_chains_end() {
    let site = Site::start().unwrap();
    let reply = get(&site, "/redirect?to=/next%3Fa=b&code=307");
    assert_eq!((reply.status, reply.header("location")), (307, Some("/next?a=b")));
    assert_eq!(get(&site, "/redirects/2").header("location"), Some("/redirects/1"));
    assert_eq!(get(&site, "/redirects/0").status, 200);
    assert_eq!(get(&site, "/redirects/x").status, 404);
}

#[test]
fn statuses_are_those_that_were_asked_for() {
    let site = Site::start().unwrap();
    for status in [200, 204, 304, 402, 404, 418, 500, 503] {
        assert_eq!(get(&site, &format!("/status/{status}")).status, status);
    }
    assert_eq!(get(&site, "/no-content").body, b"");
}

#[test]
fn a_slow_answer_holds_back_its_head_or_only_its_body() {
    let site = Site::start().unwrap();
    assert_eq!(text(&get(&site, "/slow?ms=1&body=late&type=text/css")), "late");
    let mut early = asked(&site, "/slow?ms=3600000&head=now");
    let mut head = [0; 15];
    early.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 200 OK");
    let mut late = asked(&site, "/slow?ms=3600000");
    site.wait_hits("/slow", 3, SOON).unwrap();
    late.set_nonblocking(true).unwrap();
    assert_eq!(late.read(&mut [0; 1]).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn drips_and_events_go_on_for_as_long_as_one_reads() {
    let site = Site::start().unwrap();
    assert_eq!(text(&get(&site, "/drip?bytes=3&count=4&ms=1")), "............");
    let mut events = asked(&site, "/events?ms=1");
    let mut came = String::new();
    while came.matches("data: tick\n\n").count() < 3 {
        let mut some = [0; 256];
        let read = events.read(&mut some).unwrap();
        assert!(read > 0, "the stream ended: {came}");
        came += std::str::from_utf8(&some[..read]).unwrap();
    }
    assert!(came.contains("Content-Type: text/event-stream"), "{came}");
}

#[test]
fn a_download_carries_its_name_in_any_script() {
    let site = Site::start().unwrap();
    let reply = get(&site, "/download?name=b%C3%A9ta%20%22x%22.txt&bytes=5");
    let disposition = reply.header("content-disposition").unwrap();
    assert_eq!(
        disposition,
        "attachment; filename=\"b_ta _x_.txt\"; filename*=UTF-8''b%C3%A9ta%20%22x%22.txt"
    );
    assert_eq!(reply.body.len(), 5);
}

#[test]
fn cookies_are_set_and_told_and_break_no_header() {
    let site = Site::start().unwrap();
    let reply = get(&site, "/cookie?set=a%3D1%3B+Path%3D/&set=b%3D2%0D%0AX-Bad:+1");
    let set: Vec<_> =
        reply.headers.iter().filter(|(name, _)| name == "set-cookie").map(|(_, value)| value).collect();
    assert_eq!(set, ["a=1; Path=/", "b=2  X-Bad: 1"]);
    let reply = connect(&site).ask("GET", "/cookie", &[("Cookie", "a=1")], &[]).unwrap();
    assert_eq!(text(&reply), "a=1");
}

#[test]
fn echo_tells_the_request_back() {
    let site = Site::start().unwrap();
    let told = connect(&site).ask("PUT", "/echo?q=1", &[("X-Test", "yes")], b"body").unwrap().json();
    assert_eq!(
        (&told["method"], &told["query"], &told["body"]),
        (&"PUT".into(), &"q=1".into(), &"body".into())
    );
    assert_eq!(told["headers"]["x-test"], "yes");
}

#[test]
fn basic_authentication_lets_in_who_knows_the_password() {
    let site = Site::start().unwrap();
    let refused = get(&site, "/auth");
    assert_eq!(refused.status, 401);
    assert!(refused.header("www-authenticate").unwrap().starts_with("Basic"));
    let known = [("Authorization", "Basic dXNlcjpwYXNzd29yZA==")];
    assert_eq!(connect(&site).ask("GET", "/auth", &known, &[]).unwrap().status, 200);
    assert_eq!(connect(&site).ask("GET", "/auth?password=x", &known, &[]).unwrap().status, 401);
}

#[test]
fn the_rest_is_what_it_says() {
    let site = Site::start().unwrap();
    assert!(get(&site, "/csp").header("content-security-policy").unwrap().contains("default-src 'none'"));
    assert_eq!(get(&site, "/big?mb=2").body.len(), 2_000_000);
    assert!(get(&site, "/image.png").body.starts_with(b"\x89PNG"));
    assert_eq!(get(&site, "/favicon.ico").status, 204);
    assert!(STANDING.iter().all(|route| !route.help.is_empty()));
}

#[test]
fn a_reset_is_a_reset_and_a_hang_up_is_none() {
    let site = Site::start().unwrap();
    let reset = asked(&site, "/reset").read(&mut [0; 1]);
    assert_eq!(reset.unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert_eq!(asked(&site, "/hang-up").read(&mut [0; 1]).unwrap(), 0);
}

#[tokio::test]
async fn a_websocket_echoes_and_closes_when_told_to() {
    let site = Site::start().unwrap();
    let url = site.url("/ws").replace("http:", "ws:");
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
    for message in [Message::text("hello"), Message::binary(vec![0, 1, 2])] {
        socket.send(message.clone()).await.unwrap();
        assert_eq!(socket.next().await.unwrap().unwrap(), message);
    }
    socket.send(Message::text("close")).await.unwrap();
    assert!(socket.next().await.unwrap().unwrap().is_close());
    assert_eq!(get(&site, "/ws").status, 426);
}
