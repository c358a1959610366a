//! The whole story of an app: started, used, watched while it fails, restarted, and gone.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::LIMIT;
use common::apps::Stage;
use common::engines::on_each_browser;
use serde_json::{Value, json};
use testkit::mcp::ToolResult;
use testkit::process::{self, wait_until};

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key} in {value}"))
}

fn images(result: &ToolResult) -> usize {
    result.0["content"].as_array().unwrap().iter().filter(|content| content["type"] == "image").count()
}

on_each_browser![
    an_app_is_started_used_watched_restarted_and_gone,
    a_session_that_is_ended_shuts_its_server_down_and_says_so,
    a_server_that_its_command_does_not_stop_is_ended_by_force_and_that_is_told,
    a_server_that_ran_before_is_adopted_and_left_running,
    a_server_that_dies_is_told_with_its_exit_and_last_words_in_the_next_answer,
    a_status_has_the_server_the_browser_the_time_and_the_errors,
    a_call_that_takes_too_long_comes_with_the_servers_status,
];

#[test]
fn an_app_is_started_used_watched_restarted_and_gone() {
    let mut stage = Stage::open(&["--session-timeout", "6000"]);
    let started = stage.start();
    let (id, url) = (text(&started, "sessionId").to_owned(), text(&started, "url").to_owned());
    let pid = u32::try_from(started["pid"].as_u64().unwrap()).unwrap();
    assert_eq!(stage.app.pids(), [pid]);
    assert_eq!(started["logs"]["stderr"].as_str(), stage.app.log("stderr").to_str());
    assert_eq!((&started["alreadyRunning"], &started["port"].is_u64()), (&json!(false), &true));

    // A relative address is the app's.
    let page = stage.text("navigate", &json!({"url": "/"}));
    assert!(page.contains(&format!("URL: {url}/")) && page.contains("Shop"), "{page}");
    let clicked = stage.text("click", &json!({"selector": "#add"}));
    assert!(clicked.contains('1'), "{clicked}");
    stage.text("type", &json!({"selector": "#name", "text": "me"}));
    let shot = stage.call("screenshot", &json!({}));
    assert!(images(&shot) == 1, "{}", shot.text());

    // What the server logs while a call runs is in its answer.
    let logged = stage.text("click", &json!({"selector": "#log"}));
    assert!(logged.contains("### Server log") && logged.contains("LOG added to the basket"), "{logged}");
    let quiet = stage.text("click", &json!({"selector": "#add"}));
    assert!(!quiet.contains("### Server log"), "{quiet}");

    // A failure behind a click that did what was asked is pointed out.
    let failed = stage.text("click", &json!({"selector": "#fail"}));
    assert!(
        failed.contains("### Attention") && failed.contains("the server failed") && failed.contains("500"),
        "{failed}"
    );
    assert!(failed.contains("Traceback: the basket is broken"), "{failed}");
    let threw = stage.text("click", &json!({"selector": "#throw"}));
    assert!(threw.contains("the page threw") && threw.contains("nobody catches me"), "{threw}");

    // A failing click has the image, the log's end and a suggestion.
    let miss = stage.call("click", &json!({"selector": "#nowhere", "timeout": 300}));
    assert!(miss.is_error() && images(&miss) == 1, "{}", miss.text());
    let miss = miss.json();
    assert_eq!(miss["error"]["type"], "element_not_found");
    assert!(text(&miss["error"], "suggestion").contains("find"), "{miss}");
    assert!(text(&miss["serverLogs"], "stderr").contains("Traceback"), "{miss}");
    assert_eq!(miss["serverLogs"]["path"].as_str(), stage.app.log("stderr").to_str());
    assert!(miss["screenshot"]["path"].is_string(), "{miss}");
    assert_eq!(miss["error"]["sessionId"], id.as_str());

    // A restart has a new port, says what that means for the pages, and opens them again if asked.
    let restarted = stage.json("restart_server", &json!({}));
    assert_ne!(restarted["port"], started["port"]);
    assert_eq!((&restarted["previousPort"], &restarted["previousPid"]), (&started["port"], &json!(pid)));
    assert_eq!(restarted["pages"], json!([format!("{url}/")]));
    assert!(text(&restarted, "note").contains("old address"), "{restarted}");
    assert!(!process::alive(pid));
    let again = stage.text("navigate", &json!({"url": "/"}));
    assert!(again.contains(text(&restarted, "url")), "{again}");
    let reloaded = stage.json("restart_server", &json!({"reload": true}));
    assert_eq!(reloaded["pages"], json!([format!("{}/", text(&reloaded, "url"))]));
    let now = stage.text("snapshot", &json!({}));
    assert!(now.contains(&format!("served by {}", reloaded["pid"])), "{now}");

    // Nobody calls: the session expires, and the server with it.
    let calls =
        wait_until(LIMIT, || Some(stage.app.calls()).filter(|calls| calls.last().unwrap() == "shutdown"));
    assert_eq!(calls.unwrap(), ["start", "restart", "restart", "shutdown"]);
    stage.app.wait_gone(LIMIT).unwrap();
    let late = stage.failure("click", &json!({"selector": "#add", "sessionId": id}));
    assert_eq!(late["error"]["type"], "session_expired");
    stage.close();
}

#[test]
fn a_session_that_is_ended_shuts_its_server_down_and_says_so() {
    let mut stage = Stage::open(&[]);
    let started = stage.start();
    let expires: jiff::Timestamp = text(&started, "expiresAt").parse().unwrap();
    let left = expires.duration_since(jiff::Timestamp::now()).as_secs();
    assert!((500..=600).contains(&left), "ten minutes, not {left} s");
    let ended = stage.json("end_session", &json!({"sessionId": started["sessionId"]}));
    assert_eq!((&ended["closed"], &ended["server"]["status"]), (&json!(true), &json!("stopped")));
    assert_eq!(ended["server"]["pid"], started["pid"]);
    assert_eq!(stage.app.calls(), ["start", "shutdown"]);
    stage.app.wait_gone(LIMIT).unwrap();
    let gone = stage.failure("get_session_status", &json!({"sessionId": started["sessionId"]}));
    assert_eq!(gone["error"]["type"], "session_not_found");
    stage.close();
}

#[test]
fn a_server_that_its_command_does_not_stop_is_ended_by_force_and_that_is_told() {
    let mut stage = Stage::open(&[]);
    stage.start();
    stage.app.behave(&json!({"shutdown": "ignore"})).unwrap();
    let ended = stage.json("close_session", &json!({}));
    assert_eq!(ended["server"]["status"], "force_stopped", "{ended}");
    stage.app.wait_gone(LIMIT).unwrap();
    // One whose command fails, too.
    stage.app.behave(&json!({})).unwrap();
    stage.start();
    stage.app.behave(&json!({"shutdown": "fail"})).unwrap();
    let ended = stage.json("end_session", &json!({}));
    assert_eq!(ended["server"]["status"], "force_stopped", "{ended}");
    assert!(text(&ended["server"], "shutdownError").contains("exit code 3"), "{ended}");
    stage.app.wait_gone(LIMIT).unwrap();
    stage.close();
}

#[test]
fn a_server_that_ran_before_is_adopted_and_left_running() {
    let mut stage = Stage::open(&[]);
    let before = stage.app.run("--start").unwrap();
    let started = stage.start();
    assert_eq!((&started["alreadyRunning"], &started["pid"]), (&json!(true), &before["pid"]));
    assert!(started["notes"].to_string().contains("leaves it running"), "{started}");
    stage.text("navigate", &json!({"url": "/"}));
    assert_eq!(stage.json("get_session_status", &json!({}))["endsWithSession"], false);
    let ended = stage.json("end_session", &json!({}));
    assert_eq!(ended["server"]["status"], "left_running");
    let pid = u32::try_from(before["pid"].as_u64().unwrap()).unwrap();
    assert!(process::alive(pid));
    assert_eq!(stage.app.calls(), ["start", "start", "status"]);
    stage.app.run("--shutdown").unwrap();
    stage.close();
}

#[test]
fn a_server_that_dies_is_told_with_its_exit_and_last_words_in_the_next_answer() {
    let mut stage = Stage::open(&[]);
    let started = stage.start();
    stage.text("navigate", &json!({"url": "/"}));
    let pid = u32::try_from(started["pid"].as_u64().unwrap()).unwrap();
    stage.call("evaluate", &json!({"script": "fetch('/die').catch(() => 0)"}));
    process::wait_gone(&[pid], LIMIT).unwrap();
    let clicked = stage.text("click", &json!({"selector": "#add"}));
    let told = clicked.contains("The dev server died");
    // The call that killed it may have told already.
    assert!(told && clicked.contains("exit code 7") && clicked.contains("restart_server"), "{clicked}");
    let status = stage.json("get_session_status", &json!({}));
    assert_eq!(status["status"], "stopped", "{status}");
    let refused = stage.failure("navigate", &json!({"url": "/"}));
    assert_eq!(refused["error"]["type"], "navigation_failed");
    assert!(text(&refused["error"], "suggestion").contains("restart_server"), "{refused}");
    assert!(text(&refused["serverLogs"], "stderr").contains("panic: out of baskets"), "{refused}");
    assert_eq!(refused["serverStatus"]["status"], "stopped", "{refused}");
    stage.json("restart_server", &json!({}));
    let page = stage.text("navigate", &json!({"url": "/"}));
    assert!(page.contains("Shop") && !page.contains("died"), "{page}");
    stage.close();
}

#[test]
fn a_status_has_the_server_the_browser_the_time_and_the_errors() {
    let mut stage = Stage::open(&[]);
    stage.start();
    stage.text("navigate", &json!({"url": "/"}));
    stage.failure("click", &json!({"selector": "#nowhere", "timeout": 200}));
    let status = stage.json("getSessionStatus", &json!({}));
    assert_eq!((&status["status"], &status["healthy"]), (&json!("running"), &json!(true)), "{status}");
    assert_eq!(status["browser"]["tabs"][0]["title"], "Shop");
    assert_eq!(status["recent"][0]["type"], "element_not_found");
    assert!(status["idleMs"].is_u64() && status["expiresAt"].is_string(), "{status}");
    let list = stage.json("list_sessions", &json!({}));
    assert_eq!(list["sessions"][0]["server"], status["url"]);
    stage.app.behave(&json!({"status": "garbage"})).unwrap();
    let status = stage.json("get_session_status", &json!({}));
    assert_eq!(
        (&status["status"], &status["statusError"]["type"]),
        (&json!("unknown"), &json!("invalid_json"))
    );
    stage.close();
}

#[test]
fn a_call_that_takes_too_long_comes_with_the_servers_status() {
    let mut stage = Stage::open(&[]);
    stage.start();
    let missing = |late: &Value| late["error"]["details"]["missing"].to_string().contains("serverStatus");
    // On a machine that others keep busy a status may miss its time; it is said to be missing then, and comes another time.
    let late = wait_until(LIMIT, || {
        let late = stage.failure("navigate", &json!({"url": "/never", "timeout": 500}));
        assert_eq!(late["error"]["type"], "navigation_failed");
        assert_eq!(late["serverStatus"].is_null(), missing(&late), "{late}");
        Some(late).filter(|late| !missing(late))
    });
    assert_eq!(late.unwrap()["serverStatus"]["status"], "running");
    // A status that does not come in time is said to be missing.
    stage.app.behave(&json!({"status": "hang"})).unwrap();
    let late = stage.failure("navigate", &json!({"url": "/never", "timeout": 500}));
    assert!(missing(&late), "{late}");
    assert!(text(&late["serverLogs"], "stderr").contains("warming up"), "{late}");
    stage.app.behave(&json!({})).unwrap();
    stage.close();
}
