//! Sessions as an agent has them: their own, bounded in number and time, and gone when they should be.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::browsing::Agent;
use common::engines::{Engine, on_each_browser};
use common::{BINARY, CACHE, LIMIT};
use serde_json::{Value, json};
use testkit::mcp::{HttpClient, Revision, ServerProcess};
use testkit::process::{alive, descendants, kill, wait_gone, wait_until};

/// The pids of the browsers below the server.
fn browsers(agent: &Agent) -> Vec<u32> {
    Engine::played().browsers(agent.client.server().pid())
}

on_each_browser![
    a_session_has_an_id_a_page_and_a_time_to_live,
    sessions_share_a_browser_and_nothing_else,
    with_process_isolation_each_session_has_a_browser_of_its_own_that_ends_with_it,
    a_closed_session_is_gone_and_its_browser_stays,
    a_session_that_nobody_calls_expires_and_says_so_afterwards,
    beyond_the_maximum_the_open_sessions_are_named,
    without_an_id_the_only_session_is_meant_and_several_are_named,
    over_http_the_session_is_named_and_health_counts_it,
    calls_on_one_session_run_in_the_order_in_which_they_came,
    calls_on_different_sessions_do_not_wait_for_each_other,
    closing_a_session_ends_the_call_that_runs_in_it,
    a_crash_of_the_browser_ends_its_sessions_and_the_next_one_gets_another,
    a_page_that_crashes_is_told_and_a_navigation_brings_it_back,
    the_browser_is_there_before_it_is_needed_and_gone_with_the_client,
    a_session_is_as_it_was_asked_for,
    an_endless_page_holds_no_call_longer_than_its_limit,
];

#[test]
fn a_session_has_an_id_a_page_and_a_time_to_live() {
    let mut agent = Agent::start(&["--sessionTimeout", "60000"]);
    let before = jiff_now();
    let opened =
        agent.json("create_session", &json!({"name": "mine", "viewport": {"width": 500, "height": 400}}));
    let took = jiff_now() - before;
    let id = opened["sessionId"].as_str().unwrap();
    assert_eq!((id.len(), &id[14..15]), (36, "4"), "a UUID v4");
    assert!(opened["browser"].as_str().unwrap().contains(Engine::played().product()), "{opened}");
    let expires = seconds(opened["expiresAt"].as_str().unwrap()) - before;
    // A minute from when it was opened, whenever that was; seconds are cut off.
    assert!((59..=61 + took).contains(&expires), "{expires} s after it was asked for, which took {took} s");
    let list = agent.json("list_sessions", &json!({}));
    assert_eq!(list["sessions"][0]["name"], "mine");
    assert_eq!(list["sessions"][0]["tabs"], 1);
    assert_eq!(agent.evaluate("[innerWidth, innerHeight]"), json!([500, 400]));
}

/// Seconds since midnight: enough to compare two moments of one test, except at midnight.
fn seconds(timestamp: &str) -> i64 {
    let clock = timestamp.split('T').nth(1).unwrap();
    let part = |range: std::ops::Range<usize>| clock[range].parse::<i64>().unwrap();
    part(0..2) * 3600 + part(3..5) * 60 + part(6..8)
}

fn jiff_now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs() % 86_400).unwrap()
}

#[test]
fn sessions_share_a_browser_and_nothing_else() {
    let mut agent = Agent::start(&[]);
    let (first, second) = (agent.session(&json!({})), agent.session(&json!({})));
    let url = agent.site.url("/cookie?set=who=first");
    agent.text("navigate", &json!({"url": url, "sessionId": first}));
    agent.text("evaluate", &json!({"script": "localStorage.setItem('a', '1')", "sessionId": first}));
    let plain = agent.site.url("/cookie");
    let told = agent.text("navigate", &json!({"url": plain, "sessionId": second}));
    assert!(!told.contains("who"), "{told}");
    let item = agent.text("evaluate", &json!({"script": "localStorage.getItem('a')", "sessionId": second}));
    assert!(item.contains("null"), "{item}");
    assert_eq!(browsers(&agent).len(), Engine::played().processes_of(2));
}

#[test]
fn with_process_isolation_each_session_has_a_browser_of_its_own_that_ends_with_it() {
    let mut agent = Agent::start(&["--isolation", "process"]);
    let first = agent.session(&json!({}));
    agent.session(&json!({}));
    let both = browsers(&agent);
    assert_eq!(both.len(), 2);
    agent.json("close_session", &json!({"sessionId": first}));
    wait_until(LIMIT, || (browsers(&agent).len() == 1).then_some(())).unwrap();
}

#[test]
fn a_closed_session_is_gone_and_its_browser_stays() {
    let mut agent = Agent::start(&[]);
    let id = agent.session(&json!({}));
    let running = browsers(&agent);
    let closed = agent.json("close_session", &json!({"sessionId": id}));
    assert_eq!(closed, json!({"sessionId": id, "closed": true}));
    for tool in ["snapshot", "close_session"] {
        assert_eq!(agent.code(tool, &json!({"sessionId": id})), "SESSION_NOT_FOUND");
    }
    let error =
        agent.failure("navigate", &json!({"url": "about:blank", "sessionId": "no-such"}))["error"].clone();
    assert_eq!((&error["type"], &error["sessionId"]), (&json!("session_not_found"), &json!("no-such")));
    assert!(error["suggestion"].as_str().unwrap().contains("create_session"), "{error}");
    assert_eq!(agent.json("list_sessions", &json!({}))["sessions"], json!([]));
    agent.session(&json!({}));
    if Engine::played().shares_a_process() {
        assert_eq!(browsers(&agent), running, "the browser is still the same");
    }
}

#[test]
fn a_session_that_nobody_calls_expires_and_says_so_afterwards() {
    let mut agent = Agent::start(&["--session-timeout", "700"]);
    let id = agent.session(&json!({}));
    let gone = wait_until(LIMIT, || {
        let list = agent.json("list_sessions", &json!({}));
        (list["sessions"] == json!([])).then_some(())
    });
    gone.unwrap();
    for (tool, args) in [
        ("navigate", json!({"url": "about:blank", "sessionId": id})),
        ("click", json!({"selector": "a", "sessionId": id})),
        ("type", json!({"selector": "a", "text": "b", "sessionId": id})),
    ] {
        let error = agent.failure(tool, &args)["error"].clone();
        assert_eq!(error["errorCode"], "SESSION_EXPIRED", "{error}");
        assert_eq!(error["sessionId"], id);
    }
    // Without an id there is a new one, and the agent is told.
    let told = agent.text("snapshot", &json!({}));
    assert!(told.starts_with("This is a new session: the one before expired"), "{told}");
}

#[test]
fn beyond_the_maximum_the_open_sessions_are_named() {
    let mut agent = Agent::start(&["--maxSessions=2"]);
    let first = agent.session(&json!({"name": "one"}));
    agent.session(&json!({}));
    let error = agent.failure("create_session", &json!({}))["error"].clone();
    assert_eq!(error["errorCode"], "MAX_SESSIONS_REACHED");
    assert!(!error["message"].as_str().unwrap().is_empty());
    assert_eq!(error["details"]["open"][0]["sessionId"], first);
    assert_eq!(error["details"]["open"][0]["name"], "one");
    agent.json("close_session", &json!({"sessionId": first}));
    agent.session(&json!({}));
}

#[test]
fn without_an_id_the_only_session_is_meant_and_several_are_named() {
    let mut agent = Agent::on("<p>mine</p>");
    let list = agent.json("list_sessions", &json!({}));
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1, "opened on demand");
    agent.session(&json!({}));
    let error = agent.failure("snapshot", &json!({}))["error"].clone();
    assert_eq!((&error["errorCode"], &error["field"]), (&json!("INVALID_INPUT"), &json!("sessionId")));
    assert_eq!(error["details"]["open"].as_array().unwrap().len(), 2);
}

#[test]
fn over_http_the_session_is_named_and_health_counts_it() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--headless", "--port", "0", "--browser", Engine::played().word()];
    let (_server, address) = ServerProcess::listening(BINARY, &flags, &[CACHE], folder.path()).unwrap();
    let mut client = HttpClient::new(address, "/mcp", Revision::V2025_11_25);
    client.initialize().unwrap();
    let unnamed = client.call_tool("snapshot", &json!({}), LIMIT).unwrap();
    assert_eq!(unnamed.json()["error"]["field"], "sessionId", "{}", unnamed.text());
    let active = || -> Value {
        let mut connection = common::connect(address);
        connection.ask("GET", "/health", &[], b"").unwrap().json()["activeSessions"].clone()
    };
    assert_eq!(active(), 0);
    let opened = client.call_tool("createSession", &json!({}), LIMIT).unwrap().json();
    assert_eq!(active(), 1);
    let args = json!({"sessionId": opened["sessionId"], "url": "about:blank"});
    assert!(!client.call_tool("navigate", &args, LIMIT).unwrap().is_error());
}

#[test]
fn calls_on_one_session_run_in_the_order_in_which_they_came() {
    let mut agent = Agent::on("<p id=log></p>");
    let ids: Vec<u64> = (0..12)
        .map(|number| {
            let script = format!(
                "async () => {{ await new Promise(r => setTimeout(r, {})); log.textContent += '{number} '; }}",
                (12 - number) * 2
            );
            let params = json!({"name": "evaluate", "arguments": {"script": script}});
            agent.client.send("tools/call", params).unwrap()
        })
        .collect();
    for id in ids {
        agent.client.receive(id, LIMIT).unwrap().unwrap();
    }
    assert_eq!(agent.evaluate("log.textContent.trim()"), "0 1 2 3 4 5 6 7 8 9 10 11");
}

#[test]
fn calls_on_different_sessions_do_not_wait_for_each_other() {
    let mut agent = Agent::start(&[]);
    let (slow, quick) = (agent.session(&json!({})), agent.session(&json!({})));
    let url = agent.site.url("/never");
    let params = json!({"name": "navigate", "arguments": {"url": url, "sessionId": slow}});
    let hanging = agent.client.send("tools/call", params).unwrap();
    agent.site.wait_hits("/never", 1, LIMIT).unwrap();
    agent.text("snapshot", &json!({"sessionId": quick}));
    agent.json("close_session", &json!({"sessionId": slow}));
    agent.client.receive(hanging, LIMIT).unwrap().unwrap();
}

#[test]
fn closing_a_session_ends_the_call_that_runs_in_it() {
    let mut agent = Agent::start(&[]);
    let id = agent.session(&json!({}));
    let url = agent.site.url("/never");
    let params = json!({"name": "navigate", "arguments": {"url": url, "sessionId": id}});
    let hanging = agent.client.send("tools/call", params).unwrap();
    agent.site.wait_hits("/never", 1, LIMIT).unwrap();
    agent.json("close_session", &json!({"sessionId": id}));
    let answer = agent.client.receive(hanging, LIMIT).unwrap().unwrap();
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("SESSION_CLOSED"), "{text}");
}

#[test]
fn a_crash_of_the_browser_ends_its_sessions_and_the_next_one_gets_another() {
    let mut agent = Agent::start(&[]);
    let id = agent.session(&json!({}));
    let crashed = browsers(&agent);
    crashed.iter().for_each(|pid| kill(*pid));
    wait_gone(&crashed, LIMIT).unwrap();
    let code = wait_until(LIMIT, || {
        let result = agent.call("snapshot", &json!({"sessionId": id}));
        result.is_error().then(|| result.json()["error"]["errorCode"].clone())
    });
    assert_eq!(code.unwrap(), "BROWSER_CRASHED");
    let next = agent.session(&json!({}));
    agent.text("navigate", &json!({"url": "about:blank", "sessionId": next}));
    assert!(browsers(&agent).iter().all(|pid| !crashed.contains(pid)));
}

#[test]
fn a_page_that_crashes_is_told_and_a_navigation_brings_it_back() {
    let mut agent = Agent::on("<p>alive</p>");
    let painters = Engine::played().painters(agent.client.server().pid());
    painters.iter().for_each(|pid| kill(*pid));
    let code = wait_until(LIMIT, || {
        let result = agent.call("snapshot", &json!({}));
        result.is_error().then(|| result.json()["error"]["errorCode"].clone())
    });
    assert_eq!(code.unwrap(), "PAGE_CRASHED");
    assert!(agent.visit("<p>again</p>").contains("again"));
}

#[test]
fn the_browser_is_there_before_it_is_needed_and_gone_with_the_client() {
    let mut agent = Agent::start(&[]);
    let early = wait_until(LIMIT, || Some(browsers(&agent)).filter(|found| !found.is_empty())).unwrap();
    let all = descendants(agent.client.server().pid());
    agent.client.close_stdin();
    assert!(agent.client.wait_exit(LIMIT).unwrap().success());
    wait_gone(&all, LIMIT).unwrap();
    assert!(!alive(early[0]));
    assert!(browsers(&Agent::start(&["--prelaunch", "never"])).is_empty());
}

#[test]
fn a_browser_that_is_not_there_is_told_with_what_to_do() {
    let mut agent = Agent::start(&["--executable-path", "/no/such/browser"]);
    let error = agent.failure("create_session", &json!({}))["error"].clone();
    assert_eq!(error["errorCode"], "BROWSER_NOT_FOUND");
    assert_eq!(error["details"]["looked"], json!(["/no/such/browser"]));
    let mut agent = Agent::start(&["--executable-path", "/bin/false"]);
    assert_eq!(agent.code("create_session", &json!({})), "BROWSER_LAUNCH_FAILED");
}

#[test]
fn a_session_is_as_it_was_asked_for() {
    // Firefox follows a colour scheme only so.
    let firefox = &["--firefox-system-access"][..];
    let mut agent = Agent::start(if Engine::played() == Engine::Firefox { firefox } else { &[] });
    let origin = agent.site.url("");
    agent.session(&json!({
        "locale": "de-DE",
        "timezoneId": "Asia/Tokyo",
        "colorScheme": "dark",
        "userAgent": "Agent/1",
        "extraHeaders": {"x-mine": "yes"},
        "geolocation": {"latitude": 52.5, "longitude": 13.4},
        "permissions": ["geolocation"],
        "storageState": {
            "cookies": [{"name": "who", "value": "me", "domain": "127.0.0.1", "path": "/", "expires": -1,
                         "httpOnly": false, "secure": false, "sameSite": "Lax"}],
            "origins": [{"origin": origin, "localStorage": [{"name": "k", "value": "v"}]}],
        },
    }));
    let url = agent.site.url("/echo");
    let echoed = agent.text("navigate", &json!({ "url": url }));
    assert!(echoed.contains("x-mine") && echoed.contains("who=me") && echoed.contains("Agent/1"), "{echoed}");
    let seen = agent.evaluate(
        "async () => [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, \
         matchMedia('(prefers-color-scheme: dark)').matches, localStorage.getItem('k'), \
         await new Promise(done => navigator.geolocation.getCurrentPosition(at => done(at.coords.latitude), () => done('refused')))]",
    );
    assert_eq!(seen, json!(["de-DE", "Asia/Tokyo", true, "v", 52.5]));
    agent.write("state.json", "{\"cookies\": 1}");
    assert_eq!(agent.code("create_session", &json!({"storageState": "state.json"})), "INVALID_INPUT");
    assert_eq!(agent.code("create_session", &json!({"storageState": "../state.json"})), "PATH_ESCAPE");
}

#[test]
fn an_endless_page_holds_no_call_longer_than_its_limit() {
    let mut agent = Agent::on("<button onclick='for(;;);'>Stuck</button>");
    // Whatever it answers, it comes back, and the client's limit is far longer than the call's.
    agent.call("click", &json!({"selector": "button", "timeout": 1000}));
    let code = agent.code("evaluate", &json!({"script": "1", "timeout": 500}));
    assert!(["TIMEOUT", "PAGE_CRASHED"].contains(&code.as_str()), "{code}");
    let id = agent.session(&json!({}));
    agent.text("navigate", &json!({"url": "about:blank", "sessionId": id}));
}
