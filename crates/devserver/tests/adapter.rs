//! The adapter with real dev servers of all kinds: found, watched, restarted, and gone with everything they started.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use common::LIMIT;
use common::project::{Project, answer, fetch, server};
use devserver::Running;
use testkit::process::{self, wait_until};

const HTTP_SERVER: &[&str] = &["python3", "-m", "http.server", "{port}"];

#[test]
fn a_plain_server_is_started_watched_and_stopped_as_the_contract_says() {
    let project = Project::new();
    project.call(&["--status"], HTTP_SERVER).is("stopped");
    let started = project.call(&[], HTTP_SERVER).is("ready");
    let running = Running::read(started.json.as_object().unwrap()).unwrap();
    assert_eq!(running.notes, Vec::<String>::new());
    assert!(running.started_at.unwrap().parse::<jiff::Timestamp>().is_ok());
    assert!(fetch(&running.url).unwrap().contains("200 OK"));

    let combined = started.log("combined");
    let written = || std::fs::read_to_string(&combined).unwrap().contains("GET / HTTP").then_some(());
    wait_until(LIMIT, written).expect("the request is not in the log");
    for name in ["stdout", "stderr", "combined"] {
        assert_eq!(started.log(name).metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    for folder in [project.states(), combined.parent().unwrap().to_owned()] {
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    let status = project.call(&["--status"], HTTP_SERVER).is("running");
    assert_eq!((&status.json["healthy"], status.number("pid")), (&true.into(), started.number("pid")));
    assert!(status.json["uptime"].is_u64());
    let again = project.call(&["--start"], HTTP_SERVER).is("already_running");
    for field in ["url", "port", "pid", "startedAt", "logs"] {
        assert_eq!(again.json[field], started.json[field], "{field}");
    }

    let stopped = project.call(&["--shutdown"], HTTP_SERVER).is("stopped");
    assert_eq!(stopped.number("previousPid"), started.number("pid"));
    assert_eq!(stopped.number("previousPort"), started.number("port"));
    assert!(stopped.json["uptime"].is_u64() && stopped.json["stoppedAt"].is_string());
    assert!(!process::alive(started.number("pid")) && fetch(&running.url).is_err());
    assert!(project.keepers().iter().all(|keeper| !process::alive(*keeper)));
    project.call(&["--status"], HTTP_SERVER).is("stopped");
    assert!(combined.exists(), "the logs are evidence until the next start");
    project.call(&["--shutdown"], HTTP_SERVER).is("stopped");
}

#[test]
fn a_node_server_is_found_by_its_port() {
    let project = Project::new();
    let script = "require('http').createServer((q, r) => r.end('from node')).listen(process.env.PORT)";
    let node = ["node", "-e", script];
    let started = project.call(&["--start"], &node).is("ready");
    assert!(fetch(started.text("url")).unwrap().ends_with("from node"));
    project.call(&["--shutdown"], &node).is("stopped");
    assert!(!process::alive(started.number("pid")));
}

#[test]
fn a_server_that_ignores_its_port_and_says_nothing_is_found_all_the_same() {
    let project = Project::new();
    let started = project.server(&[], &["own-port"]).is("ready");
    assert!(fetch(started.text("url")).unwrap().contains("hello"));
    project.server(&["--status"], &["own-port"]).is("running");
    project.server(&["--shutdown"], &["own-port"]).is("stopped");
}

#[test]
fn the_url_that_a_server_prints_is_taken() {
    let project = Project::new();
    let started = project.server(&[], &["own-port", "prints"]).is("ready");
    let url = started.text("url");
    assert_eq!(url, format!("http://localhost:{}/app/", started.number("port")));
    assert!(fetch(url).unwrap().contains("hello"));
    project.server(&["--shutdown"], &["own-port", "prints"]).is("stopped");
}

#[test]
fn a_server_on_ipv6_alone_gets_a_url_that_works() {
    let project = Project::new();
    for words in [&["six"][..], &["six", "own-port", "prints"]] {
        let started = project.server(&[], words).is("ready");
        assert!(fetch(started.text("url")).unwrap().contains("hello"), "{started:?}");
        project.server(&["--status"], words).is("running");
        project.server(&["--shutdown"], words).is("stopped");
    }
}

#[test]
fn a_server_that_makes_a_daemon_of_itself_is_kept_and_ended() {
    let project = Project::new();
    let started = project.server(&[], &["daemon"]).is("ready");
    let body = fetch(started.text("url")).unwrap();
    let pid = started.number("pid");
    assert!(body.ends_with(&format!("hello from {pid}")), "{body}");
    project.server(&["--status"], &["daemon"]).is("running");
    project.server(&["--shutdown"], &["daemon"]).is("stopped");
    assert!(!process::alive(pid));
}

#[test]
fn a_server_that_dies_at_its_start_is_an_error_with_its_last_words() {
    let project = Project::new();
    let failed = project.server(&[], &["dies"]);
    assert_eq!(
        (failed.code, failed.text("status"), failed.text("error")),
        (1, "error", "server_start_failed")
    );
    assert!(failed.text("message").contains("exit code 4") && failed.number("exitCode") == 4);
    assert!(failed.text("stderr").contains("no database at db:5432"));
    assert!(std::fs::read_to_string(failed.log("stderr")).unwrap().contains("no database"));
    project.server(&["--status"], &["dies"]).is("stopped");
    let missing = project.call(&[], &["no-such-program-anywhere"]);
    assert_eq!((missing.code, missing.text("error")), (1, "command_not_found"));
}

#[test]
fn a_server_that_never_listens_is_given_up_and_leaves_nothing() {
    let project = Project::new();
    let failed = project.server(&["--ready-timeout", "1500"], &["never"]);
    assert_eq!((failed.code, failed.text("error")), (1, "timeout"));
    assert!(failed.text("stderr").contains("thinking"), "{failed:?}");
    let written = &project.written()[0];
    for who in ["keeper", "root", "watchdog"] {
        let pid = u32::try_from(written[who]["pid"].as_u64().unwrap()).unwrap();
        process::wait_gone(&[pid], LIMIT).unwrap();
    }
}

#[test]
fn a_server_that_ignores_term_is_killed_with_its_children_and_named() {
    let project = Project::new();
    let started = project.server(&[], &["deaf", "has-child"]).is("ready");
    let family = process::descendants(project.keepers()[0]);
    assert!(family.len() >= 3, "the watchdog, the server and its child: {family:?}");
    let stopped = project.server(&["--shutdown"], &["deaf", "has-child"]).is("stopped");
    assert!(stopped.text("message").contains("server.py deaf"), "{stopped:?}");
    assert!(family.iter().all(|pid| !process::alive(*pid)));
    assert!(fetch(started.text("url")).is_err());
}

#[test]
fn a_restart_gets_a_new_process_on_a_new_port() {
    let project = Project::new();
    let first = project.server(&[], &[]).is("ready");
    let second = project.server(&["--restart"], &[]).is("restarted");
    assert_eq!(second.number("previousPid"), first.number("pid"));
    assert_eq!(second.number("previousPort"), first.number("port"));
    assert_ne!(second.number("port"), first.number("port"));
    assert!(!process::alive(first.number("pid")) && fetch(first.text("url")).is_err());
    assert!(fetch(second.text("url")).unwrap().contains("hello"));
    project.server(&["--shutdown"], &[]).is("stopped");
    let third = project.server(&["--restart"], &[]).is("started");
    assert!(third.json.get("previousPid").is_none());
    project.server(&["--shutdown"], &[]).is("stopped");
}

#[test]
fn readiness_is_a_url_a_path_or_a_line_as_was_asked() {
    let project = Project::new();
    for (flags, words) in [
        (["--ready-url", "/health"], &["wakes-slowly"][..]),
        (["--ready-url", "http://localhost:{port}/health"], &["wakes-slowly", "own-port"]),
        (["--ready-log", "^compiled"], &["says"]),
        (["--ready-log", r"on port (\d+)"], &["says", "own-port"]),
    ] {
        let started = project.server(&flags, words).is("ready");
        assert!(fetch(started.text("url")).unwrap().contains("200 OK"), "{started:?}");
        project.server(&["--status"], words).is("running");
        project.server(&["--shutdown"], words).is("stopped");
    }
    let late = project.server(&["--ready-log", "never said", "--ready-timeout", "1500"], &[]);
    assert!(late.code == 1 && late.text("message").contains("/never said/"), "{late:?}");
    let late = project.server(&["--ready-url", "/health", "--ready-timeout", "1500"], &["never"]);
    assert!(late.code == 1 && late.text("message").contains("/health"), "{late:?}");
}

#[test]
fn a_port_or_url_that_somebody_else_has_is_refused() {
    let project = Project::new();
    let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = stranger.local_addr().unwrap().port().to_string();
    let taken = project.server(&["--port", &port], &[]);
    assert_eq!((taken.code, taken.text("error")), (1, "port_in_use"));
    drop(stranger);
    let fixed = project.server(&["--port", &port], &[]).is("ready");
    assert_eq!(fixed.number("port").to_string(), port);
    let url = format!("http://localhost:{port}/");
    let answered = project.server(&["--ready-url", &url], &["own-port"]);
    assert_eq!((answered.code, answered.text("error")), (1, "address_in_use"));
    project.server(&["--shutdown"], &[]).is("stopped");
}

#[test]
fn of_ten_simultaneous_starts_one_starts_and_all_have_the_same_server() {
    let project = Project::new();
    let calls: Vec<_> = (0..10)
        .map(|_| {
            let mut call = project.adapter(&["--start"], &server(&["prints"]));
            call.stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let answers: Vec<serde_json::Value> = calls
        .into_iter()
        .map(|call| serde_json::from_slice(&call.wait_with_output().unwrap().stdout).unwrap())
        .collect();
    let count = |status: &str| answers.iter().filter(|answer| answer["status"] == status).count();
    assert_eq!((count("ready"), count("already_running")), (1, 9), "{answers:?}");
    assert!(answers.iter().all(|answer| answer["pid"] == answers[0]["pid"]));
    project.server(&["--shutdown"], &["prints"]).is("stopped");
}

#[test]
fn when_the_keeper_is_killed_the_server_ends_and_the_next_start_replaces_it() {
    let project = Project::new();
    // Deaf, so that its end takes a while.
    let server = |verb: &[&str]| project.server(verb, &["deaf", "has-child"]);
    let started = server(&[]).is("ready");
    let keeper = project.keepers()[0];
    let family = process::descendants(keeper);
    process::kill(keeper);
    process::wait_gone(&family, LIMIT).unwrap();
    server(&["--status"]).is("stopped");
    server(&["--shutdown"]).is("stopped");
    let next = server(&[]).is("ready");
    assert_ne!(next.number("pid"), started.number("pid"));
    let keeper = project.keepers()[0];
    process::kill(keeper);
    process::wait_gone(&[keeper], LIMIT).unwrap();
    // The watchdog is still at it.
    let replaced = server(&[]).is("ready");
    assert!(!process::alive(next.number("pid")) && fetch(replaced.text("url")).is_ok());
    server(&["--shutdown"]).is("stopped");
}

#[test]
fn a_server_that_dies_later_is_told_with_how_and_where_its_logs_are() {
    let project = Project::new();
    let started = project.server(&[], &[]).is("ready");
    process::kill(started.number("pid"));
    process::wait_gone(&project.keepers(), LIMIT).unwrap();
    let status = project.server(&["--status"], &[]).is("stopped");
    assert!(status.text("message").contains("by itself with signal 9"), "{status:?}");
    assert!(status.log("stderr").exists());
}

#[test]
fn a_server_that_does_not_answer_is_unhealthy() {
    let project = Project::new();
    let started = project.server(&[], &[]).is("ready");
    let pid = rustix::process::Pid::from_raw(started.number("pid").cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    let status = project.server(&["--status"], &[]).is("unhealthy");
    assert_eq!(status.json["healthy"], false);
    project.server(&["--shutdown"], &[]).is("stopped");
    assert!(!process::alive(started.number("pid")));
}

#[test]
fn each_folder_has_its_own_server_and_a_link_to_it_is_the_same_folder() {
    let project = Project::new();
    let other = project.root().join("worktree");
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(project.app().join("server.py"), other.join("server.py")).unwrap();
    std::os::unix::fs::symlink(project.app(), project.root().join("link")).unwrap();
    let first = project.server(&[], &[]).is("ready");
    let elsewhere = answer(project.adapter(&[], &server(&[])).current_dir(&other)).is("ready");
    assert_ne!(first.number("port"), elsewhere.number("port"));
    let linked = project.root().join("link");
    let linked = answer(project.adapter(&[], &server(&[])).current_dir(linked)).is("already_running");
    assert_eq!(linked.number("pid"), first.number("pid"));
    answer(project.adapter(&["--shutdown"], &server(&[])).current_dir(&other)).is("stopped");
    assert!(process::alive(first.number("pid")));
    // What a folder that is gone left is tidied up by the next start.
    std::fs::remove_dir_all(&other).unwrap();
    assert!(elsewhere.log("stdout").exists());
    project.server(&["--restart"], &[]).is("restarted");
    assert!(!elsewhere.log("stdout").exists());
    project.server(&["--shutdown"], &[]).is("stopped");
}

#[test]
fn a_start_whose_caller_is_killed_leaves_nothing() {
    let project = Project::new();
    let mut call = project.adapter(&[], &server(&["never"])).stdout(Stdio::null()).spawn().unwrap();
    let keeper = wait_until(LIMIT, || project.keepers().first().copied()).unwrap();
    let family = process::descendants(keeper);
    process::kill(call.id());
    call.wait().unwrap();
    process::wait_gone(&[&family[..], &[keeper]].concat(), LIMIT).unwrap();
}

#[test]
fn a_shutdown_ends_a_start_that_is_going_on() {
    let project = Project::new();
    let call = project.adapter(&[], &server(&["never"])).stdout(Stdio::piped()).spawn().unwrap();
    wait_until(LIMIT, || project.keepers().first().copied()).unwrap();
    project.server(&["--status"], &["never"]).is("unhealthy");
    project.server(&["--shutdown"], &["never"]).is("stopped");
    let start = call.wait_with_output().unwrap();
    let start: serde_json::Value = serde_json::from_slice(&start.stdout).unwrap();
    assert_eq!((&start["status"], &start["error"]), (&"error".into(), &"stopped".into()));
    assert!(project.keepers().iter().all(|keeper| !process::alive(*keeper)));
}

#[test]
fn a_wrong_call_is_answered_as_the_contract_says() {
    let project = Project::new();
    for flags in [&["--bla"][..], &["--start", "--status"], &["--ready-timeout", "60000"], &["--port", "0"]] {
        let wrong = project.server(flags, &[]);
        assert_eq!((wrong.code, wrong.text("status"), wrong.text("error")), (2, "error", "invalid_input"));
    }
    let pattern = project.server(&["--ready-log", "("], &[]);
    assert_eq!((pattern.code, pattern.text("error")), (1, "invalid_input"));
    assert!(project.written().is_empty());
}
