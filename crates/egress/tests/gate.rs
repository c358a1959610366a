//! The gate as a browser meets it: over its socket, in bytes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Names, Origin, SOON, client, gate, get, read_all, read_head, talk};
use egress::{Gate, Limits, Rules, Trouble};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const HELLO: &str =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nX-Kept: 2\r\n\r\nhello";

fn open() -> Rules {
    Rules::new(Vec::new(), false)
}

fn list(entries: &[&str]) -> Rules {
    Rules::new(entries.iter().map(|entry| entry.parse().unwrap()).collect(), false)
}

#[tokio::test]
async fn a_request_is_carried_to_its_host_and_its_answer_back() {
    let origin = Origin::start("127.0.0.2", HELLO).await;
    let names = Names::of(&[("app.test", &[&["127.0.0.2"]])]);
    let gate = gate(open(), &names);
    let port = origin.at.port();
    let body = "x".repeat(100_000);
    let told = talk(
        &gate,
        &format!(
            "POST http://app.test:{port}/a?b=c HTTP/1.1\r\nHost: evil.test\r\nProxy-Connection: keep-alive\r\n\
             Connection: close, X-Mine\r\nX-Mine: 1\r\nX-Other: 2\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    )
    .await;
    assert!(told.starts_with("HTTP/1.1 200 OK\r\n") && told.ends_with("\r\n\r\nhello"), "{told}");
    assert!(told.contains("X-Kept: 2") && !told.contains("X-Hop"), "{told}");
    let heard = origin.hears(&body).await;
    assert!(heard.starts_with("POST /a?b=c HTTP/1.1\r\n"), "{heard}");
    assert!(heard.to_lowercase().contains(&format!("host: app.test:{port}\r\n")), "{heard}");
    assert!(heard.contains("X-Other: 2") && heard.ends_with(&body), "{}", &heard[..400]);
    assert!(!heard.contains("X-Mine") && !heard.contains("Proxy") && !heard.contains("evil"), "{heard}");
    assert_eq!((gate.refused(), gate.refusals().noted.len()), (0, 0));
}

#[tokio::test]
async fn a_connection_serves_one_request_after_another_refused_ones_too() {
    let origin = Origin::start(
        "127.0.0.1",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    )
    .await;
    let gate = gate(open(), &Names::of(&[]));
    let mut stream = client(&gate).await;
    for round in 0..3 {
        let request = format!("GET http://{}/ HTTP/1.1\r\nHost: x\r\n\r\n", origin.at);
        stream.write_all(request.as_bytes()).await.unwrap();
        let head = read_head(&mut stream).await;
        assert!(head.starts_with("HTTP/1.1 200"), "{round}: {head}");
        let mut body = [0; 12];
        stream.read_exact(&mut body).await.unwrap();
        assert_eq!(&body, b"2\r\nhi\r\n0\r\n\r\n");
        stream.write_all(b"GET http://10.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let head = read_head(&mut stream).await;
        assert!(head.starts_with("HTTP/1.1 403"), "{round}: {head}");
        let length = head
            .to_lowercase()
            .split("content-length: ")
            .nth(1)
            .unwrap()
            .split("\r\n")
            .next()
            .unwrap()
            .parse();
        let mut body = vec![0; length.unwrap()];
        stream.read_exact(&mut body).await.unwrap();
    }
    assert_eq!(gate.refused(), 3);
}

#[tokio::test]
async fn a_refusal_says_which_rule_and_what_would_permit_it() {
    let names = Names::of(&[("inside.test", &[&["93.184.216.34", "10.0.0.7"]])]);
    let gate = gate(open(), &names);
    for (url, rule) in [
        ("http://169.254.169.254/latest/meta-data/", "169.254.0.0/16"),
        ("http://2852039166/", "169.254.0.0/16"),
        ("http://0xa9fea9fe/", "169.254.0.0/16"),
        ("http://[::ffff:10.0.0.7]/", "private range 10.0.0.0/8"),
        ("http://[64:ff9b::a00:7]:8080/", "private range 10.0.0.0/8"),
        ("http://inside.test/x", "private range 10.0.0.0/8"),
        ("http://0.0.0.0:1/", "this network 0.0.0.0/8"),
        ("http://user:password@10.0.0.7/", "private range 10.0.0.0/8"),
    ] {
        let told = get(&gate, url).await;
        assert!(told.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{url}: {told}");
        let header = told.lines().find(|line| line.to_lowercase().starts_with("x-e2e-refused:")).unwrap();
        assert!(header.contains(rule), "{url}: {header}");
        assert!(told.contains("is refused") && told.contains("ALLOWED_HOSTS"), "{url}: {told}");
        let host = &url["http://".len()..].split('/').next().unwrap();
        let host = host.rsplit('@').next().unwrap();
        let connect = if host.ends_with(":1") || host.ends_with(":8080") {
            (*host).to_owned()
        } else {
            format!("{host}:443")
        };
        let told =
            talk(&gate, &format!("CONNECT {connect} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).await;
        assert!(told.starts_with("HTTP/1.1 403 Forbidden\r\n") && told.contains(rule), "{connect}: {told}");
    }
    assert_eq!(gate.refused(), 16);
    let refusals = gate.refusals();
    // CONNECT names the same host whatever its spelling.
    assert_eq!((refusals.noted.len(), refusals.others), (14, 0));
    let first = &refusals.noted[0];
    assert_eq!(first.url.as_deref(), Some("http://169.254.169.254/latest/meta-data/"));
    assert_eq!(first.refusal.rule.kind(), "link_local");
    assert!(gate.refusals().noted.is_empty(), "they are told once");
}

#[tokio::test]
async fn a_name_that_changes_between_two_looks_leads_where_it_was_judged() {
    let outside = Origin::start("127.0.0.2", HELLO).await;
    let port = outside.at.port();
    let inside = Origin::start_at(&format!("127.0.0.3:{port}"), HELLO).await;
    let names = Names::of(&[("rebound.test", &[&["127.0.0.2"], &["127.0.0.3"]])]);
    // 127.0.0.3 stands for an address that is refused.
    let gate = gate(Rules::new(vec!["127.0.0.2".parse().unwrap()], true), &names);
    let url = format!("http://rebound.test:{port}/");
    assert!(get(&gate, &url).await.contains("hello"));
    assert_eq!(names.asked().len(), 1, "one look for one request");
    let told = get(&gate, &url).await;
    assert!(told.starts_with("HTTP/1.1 403"), "{told}");
    assert_eq!((outside.heard().len(), inside.heard().len()), (1, 0));
}

#[tokio::test]
async fn a_tunnel_carries_bytes_both_ways_and_ends_with_its_sides() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let gate = gate(open(), &Names::of(&[]));
    let mut stream = client(&gate).await;
    stream
        .write_all(format!("CONNECT localhost:{} HTTP/1.1\r\nHost: x\r\n\r\nearly", at.port()).as_bytes())
        .await
        .unwrap();
    let (mut there, _) = listener.accept().await.unwrap();
    let head = read_head(&mut stream).await;
    assert!(head.starts_with("HTTP/1.1 200") && !head.to_lowercase().contains("content-length"), "{head}");
    let mut early = [0; 5];
    there.read_exact(&mut early).await.unwrap();
    assert_eq!(&early, b"early");
    there.write_all(b"answer").await.unwrap();
    let mut answer = [0; 6];
    stream.read_exact(&mut answer).await.unwrap();
    drop(there);
    assert_eq!(stream.read(&mut answer).await.unwrap(), 0);
}

#[tokio::test]
async fn a_websocket_in_absolute_form_is_switched_and_carried() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let gate = gate(open(), &Names::of(&[]));
    let mut stream = client(&gate).await;
    let request = format!(
        "GET ws://{at}/socket HTTP/1.1\r\nHost: {at}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let (mut there, _) = listener.accept().await.unwrap();
    let asked = read_head(&mut there).await.to_lowercase();
    assert!(asked.starts_with("get /socket http/1.1") && asked.contains("upgrade: websocket"), "{asked}");
    let switch = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst";
    there.write_all(switch.as_bytes()).await.unwrap();
    let head = read_head(&mut stream).await;
    assert!(head.starts_with("HTTP/1.1 101") && head.to_lowercase().contains("upgrade: websocket"), "{head}");
    let mut bytes = [0; 5];
    stream.read_exact(&mut bytes).await.unwrap();
    assert_eq!(&bytes, b"first");
    stream.write_all(b"reply").await.unwrap();
    there.read_exact(&mut bytes).await.unwrap();
    assert_eq!(&bytes, b"reply");
    let mut other = client(&gate).await;
    other
        .write_all(b"GET ws://10.0.0.1/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        .await
        .unwrap();
    assert!(read_head(&mut other).await.starts_with("HTTP/1.1 403"));
    assert_eq!(gate.refused(), 1);
}

#[tokio::test]
async fn with_a_list_only_it_is_reached_and_no_name_beside_it_is_looked_up() {
    let origin = Origin::start("127.0.0.2", HELLO).await;
    let names = Names::of(&[("listed.test", &[&["127.0.0.2"]]), ("leak.evil.test", &[&["93.184.216.34"]])]);
    let gate = gate(list(&["listed.test"]), &names);
    assert!(get(&gate, &format!("http://listed.test:{}/", origin.at.port())).await.contains("hello"));
    let told = get(&gate, "http://leak.evil.test/").await;
    assert!(told.starts_with("HTTP/1.1 403") && told.contains("not listed in ALLOWED_HOSTS"), "{told}");
    assert_eq!(names.asked(), ["listed.test"]);
}

#[tokio::test]
async fn with_strict_loopback_only_the_app_is_reached_on_this_machine() {
    let (app, other) = (Origin::start("127.0.0.1", HELLO).await, Origin::start("127.0.0.1", HELLO).await);
    let gate = gate(Rules::new(Vec::new(), true), &Names::of(&[]));
    assert!(get(&gate, &format!("http://localhost:{}/", app.at.port())).await.starts_with("HTTP/1.1 403"));
    gate.admit(app.at.port());
    assert!(get(&gate, &format!("http://localhost:{}/", app.at.port())).await.contains("hello"));
    assert!(get(&gate, &format!("http://{}/", other.at)).await.starts_with("HTTP/1.1 403"));
    assert!(other.heard().is_empty());
}

#[tokio::test]
async fn a_gate_never_talks_to_itself() {
    let gate = gate(list(&["0.0.0.0", "127.0.0.0/8"]), &Names::of(&[]));
    let port = gate.address().rsplit(':').next().unwrap().to_owned();
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "127.0.0.9"] {
        let told = get(&gate, &format!("http://{host}:{port}/")).await;
        assert!(told.starts_with("HTTP/1.1 403") && told.contains("own proxy"), "{host}: {told}");
    }
    let told =
        talk(&gate, &format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")).await;
    assert!(told.starts_with("HTTP/1.1 400") && told.contains("no pages of its own"), "{told}");
}

#[tokio::test]
async fn what_is_permitted_and_cannot_be_reached_is_told_as_such() {
    let closed = { TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap() };
    let (mute, odd) =
        (Origin::start("127.0.0.1", "").await, Origin::start("127.0.0.1", "no HTTP\r\n\r\n").await);
    let gate = gate(open(), &Names::of(&[("empty.test", &[&[]])]));
    for (url, part) in [
        (format!("http://{closed}/"), "could not be reached"),
        ("http://nowhere.test/".to_owned(), "could not be looked up"),
        ("http://empty.test/".to_owned(), "has no addresses"),
        (format!("http://{}/", mute.at), "could not be reached"),
        (format!("http://{}/", odd.at), "could not be reached"),
    ] {
        let told = get(&gate, &url).await;
        assert!(told.starts_with("HTTP/1.1 502") && told.contains(part), "{url}: {told}");
    }
    let troubles: Vec<Trouble> = gate.unreached().iter().map(|one| one.trouble).collect();
    use Trouble::{BrokenOff, NoHttp, NoName, Refused};
    assert_eq!((troubles, gate.refused()), (vec![Refused, NoName, NoName, BrokenOff, NoHttp], 0));
}

#[tokio::test]
async fn garbage_is_answered_and_does_not_stop_the_gate() {
    let origin = Origin::start("127.0.0.1", HELLO).await;
    let gate = gate(open(), &Names::of(&[]));
    for bytes in [
        "\0\0\0\0\r\n\r\n",
        "GET\r\n\r\n",
        "\x16\x03\x01\x02\0\x01\0\x01\u{fc}\x03\x03 hello\r\n\r\n",
        "CONNECT nowhere HTTP/1.1\r\n\r\n",
        "CONNECT a@b:443 HTTP/1.1\r\n\r\n",
        "CONNECT b:0 HTTP/1.1\r\n\r\n",
        "GET ftp://a/ HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET https://a/ HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET http://a:99999/ HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET http:// HTTP/1.1\r\nConnection: close\r\n\r\n",
        "POST http://a/ HTTP/1.1\r\nTransfer-Encoding: nonsense\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ] {
        let mut stream = client(&gate).await;
        stream.write_all(bytes.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let told = read_all(&mut stream).await;
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 4"), "{bytes:?}: {told}");
    }
    let told = talk(&gate, &format!("GET http://a/ HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(200_000))).await;
    assert!(told.is_empty() || told.starts_with("HTTP/1.1 431"), "{told}");
    assert!(get(&gate, &format!("http://{}/", origin.at)).await.contains("hello"));
}

#[tokio::test]
async fn slow_and_many_clients_are_given_up_and_hold_nobody() {
    let origin = Origin::start("127.0.0.1", HELLO).await;
    let limits = Limits { connections: 8, head_time: Duration::from_millis(300), ..Limits::default() };
    let gate = Gate::open_with(open(), Names::of(&[]), limits).unwrap();
    let mut slow = Vec::new();
    for _ in 0..20 {
        let mut stream = client(&gate).await;
        stream.write_all(b"GET http://a").await.unwrap();
        slow.push(stream);
    }
    let told = tokio::time::timeout(SOON, get(&gate, &format!("http://{}/", origin.at))).await;
    assert!(told.expect("the slow ones are given up").contains("hello"));
}

#[tokio::test]
async fn a_silent_tunnel_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let limits = Limits { idle: Duration::from_millis(400), ..Limits::default() };
    let gate = Gate::open_with(open(), Names::of(&[]), limits).unwrap();
    let mut stream = client(&gate).await;
    stream.write_all(format!("CONNECT {at} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
    let (mut there, _) = listener.accept().await.unwrap();
    read_head(&mut stream).await;
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        there.write_all(b".").await.unwrap();
    }
    assert_eq!(read_all(&mut stream).await, "....", "until then it lived");
}

#[tokio::test]
async fn a_dropped_gate_leaves_no_port_and_no_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let gate = gate(open(), &Names::of(&[]));
    let address = gate.address().strip_prefix("http://").unwrap().to_owned();
    let mut tunnel = client(&gate).await;
    tunnel.write_all(format!("CONNECT {at} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
    let (mut there, _) = listener.accept().await.unwrap();
    read_head(&mut tunnel).await;
    let mut waiting = client(&gate).await;
    waiting.write_all(format!("GET http://{at}/ HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await.unwrap();
    let (mut asked, _) = listener.accept().await.unwrap();
    read_head(&mut asked).await;
    drop(gate);
    let mut byte = [0];
    for stream in [&mut tunnel, &mut there, &mut waiting, &mut asked] {
        let ended = tokio::time::timeout(SOON, stream.read(&mut byte)).await.expect("it ends");
        assert!(matches!(ended, Ok(0) | Err(_)), "{ended:?}");
    }
    assert!(TcpStream::connect(&address).await.is_err());
}

#[tokio::test]
async fn a_silent_address_does_not_keep_the_next_from_being_tried() {
    let origin = Origin::start("127.0.0.1", HELLO).await;
    let port = origin.at.port();
    // Nobody listens at the first two.
    let names = Names::of(&[("many.test", &[&["::1", "127.0.0.77", "127.0.0.1"]])]);
    let gate = gate(open(), &names);
    assert!(get(&gate, &format!("http://many.test:{port}/")).await.contains("hello"));
    assert_eq!(Arc::strong_count(&names), 2);
}

#[tokio::test]
async fn a_client_that_would_take_the_answer_for_the_hosts_is_hung_up_on() {
    let gate = gate(open(), &Names::of(&[]));
    gate.hang_up_on_tunnels();
    let told = talk(&gate, "CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert_eq!((told.as_str(), gate.refused()), ("", 1));
    assert!(get(&gate, "http://10.0.0.1/").await.starts_with("HTTP/1.1 403"));
}
