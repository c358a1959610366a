//! `e2e-mcp-server doctor`: says what is there and what is not, and leaves nothing behind.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use testkit::process::{PidFile, kill, wait_gone, with_variable};

fn doctor(folder: &Path, args: &[&str], env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_e2e-mcp-server"));
    command.arg("doctor").args(args).current_dir(folder).stdin(Stdio::null());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").envs(env.iter().copied()).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

/// The findings of one check.
fn of<'a>(report: &'a Value, check: &str) -> Vec<&'a Value> {
    report["findings"].as_array().unwrap().iter().filter(|finding| finding["check"] == check).collect()
}

#[test]
fn a_machine_that_has_everything_is_told_so_and_nothing_is_left() {
    let (folder, mark) = (tempfile::tempdir().unwrap(), format!("{}", std::process::id()));
    let looked = doctor(folder.path(), &["--json"], &[("DOCTOR_TEST", &mark)]);
    let report = json(&looked);
    assert_eq!((looked.status.code(), &report["ok"]), (Some(0), &Value::Bool(true)), "{report:#}");
    let browsers = of(&report, "browser");
    assert!(browsers.len() >= 3, "every kind is told of: {report:#}");
    let chromium =
        browsers.iter().find(|one| one["seen"].as_str().unwrap().starts_with("chromium: ")).unwrap();
    assert!(chromium["verdict"] == "ok" && chromium["seen"].as_str().unwrap().contains('.'), "{chromium}");
    for check in ["version", "settings", "sandbox", "display", "temp", "ports", "leftovers"] {
        assert!(!of(&report, check).is_empty(), "{check} is missing: {report:#}");
    }
    assert!(of(&report, "node").is_empty(), "the project has no packages");
    // Who watches over the browsers ends a moment after who started them.
    wait_gone(&with_variable(&format!("DOCTOR_TEST={mark}")), Duration::from_secs(5)).unwrap();
}

#[test]
fn what_will_not_work_is_told_with_how_to_mend_it() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let flags = ["--json", "--", "--port", &port, "--executable-path", "/no/such/browser"];
    let looked = doctor(folder.path(), &flags, &[("DISPLAY", ":4711")]);
    let report = json(&looked);
    assert_eq!((looked.status.code(), &report["ok"]), (Some(1), &Value::Bool(false)), "{report:#}");
    for check in ["browser", "display", "ports"] {
        let failed = of(&report, check).into_iter().find(|one| one["verdict"] == "failed");
        assert!(failed.is_some_and(|one| one["mend"].is_string()), "{check}: {report:#}");
    }
    let words = doctor(folder.path(), &["--", "--headles"], &[]);
    assert_eq!(words.status.code(), Some(1));
    let words = String::from_utf8_lossy(&words.stdout).into_owned();
    assert!(words.contains("FAILED settings") && words.contains("--headless"), "{words}");
}

#[test]
fn processes_and_profiles_of_a_dead_server_are_found() {
    let (folder, temporary, pids) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), PidFile::new().unwrap());
    // Marked as a server's that is dead: no process with number 1 started at moment 1.
    let mut orphan = Command::new(testkit::bins().child())
        .args(["trickles", "--pid-file"])
        .arg(pids.path())
        .env("E2E_MCP_TREE", "1:1:0")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut dead = Command::new("true").spawn().unwrap();
    dead.wait().unwrap();
    let profile = temporary.path().join(format!("e2e-mcp-{}-x", dead.id()));
    std::fs::create_dir(&profile).unwrap();
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(600);
    std::fs::File::open(&profile).unwrap().set_modified(long_ago).unwrap();
    pids.wait_for(1, Duration::from_secs(20)).unwrap();

    let temp = temporary.path().to_str().unwrap();
    let looked = doctor(
        folder.path(),
        &["--json", "--", "--executable-path", "/no/such/browser"],
        &[("TMPDIR", temp)],
    );
    let report = json(&looked);
    let left: Vec<&str> = of(&report, "leftovers").iter().map(|one| one["seen"].as_str().unwrap()).collect();
    assert!(left.iter().any(|seen| seen.contains(profile.to_str().unwrap())), "{report:#}");
    // Any server that starts on this machine sweeps, and may have come first.
    if orphan.try_wait().unwrap().is_none() {
        assert!(left.iter().any(|seen| seen.contains(&orphan.id().to_string())), "{report:#}");
    }
    kill(orphan.id());
    orphan.wait().unwrap();
}
