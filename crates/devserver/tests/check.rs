//! `check-command`: the examples keep the contract, other commands are told what to mend, and nothing is left by any.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::Commands;
use common::project::Project;
use serde_json::Value;
use testkit::{bins, process};

fn check(folder: &Path, args: &[&str]) -> Output {
    let mut check = Command::new(bins().server());
    check.arg("check-command").args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The criteria that don't hold, each with what was seen.
fn failed(report: &Value) -> Vec<(String, String)> {
    let text = |criterion: &Value, name: &str| criterion[name].as_str().unwrap().to_owned();
    let criteria = report["criteria"].as_array().unwrap();
    assert_eq!(criteria.len(), 11);
    let failed = criteria.iter().filter(|criterion| criterion["ok"] == false);
    failed.map(|criterion| (text(criterion, "id"), text(criterion, "seen"))).collect()
}

/// Who still has something of `folder` on its command line.
fn left_of(folder: &Path) -> Vec<String> {
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let command = |pid| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        Some(String::from_utf8_lossy(&words).replace('\0', " ")).filter(|_| process::alive(pid))
    };
    pids.filter_map(command).filter(|words| words.contains(folder.to_str().unwrap())).collect()
}

/// Checks a copy of an example in a project with these files beside it.
fn example_keeps_the_contract(language: &str, beside: &[(&str, &str)]) {
    let from =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/server-commands").join(language);
    let dir = tempfile::tempdir().unwrap();
    let command = dir.path().join("server-command");
    std::fs::copy(from.join("server-command"), &command).unwrap();
    for (name, text) in beside {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let output = check(dir.path(), &["--json", "server-command"]);
    assert_eq!(failed(&report(&output)), []);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(left_of(dir.path()), Vec::<String>::new());
}

#[test]
fn the_example_in_bash_keeps_the_contract() {
    example_keeps_the_contract("bash", &[]);
}

#[test]
fn the_example_in_node_keeps_the_contract() {
    example_keeps_the_contract("node", &[]);
}

#[test]
fn the_example_in_node_keeps_the_contract_in_a_project_of_modules_as_well() {
    example_keeps_the_contract("node", &[("package.json", r#"{"type": "module"}"#)]);
}

#[test]
fn the_example_in_python_keeps_the_contract() {
    example_keeps_the_contract("python", &[]);
}

#[test]
fn the_adapter_keeps_the_contract() {
    let project = Project::new();
    let commands = Commands::new();
    let adapter = bins().server();
    let script = format!("exec '{}' dev-server \"$@\" -- python3 server.py prints\n", adapter.display());
    let path = commands.program("command", "/bin/sh", &script);
    let output = Command::new(&adapter)
        .args(["check-command", "--json"])
        .arg(path)
        .current_dir(project.app())
        .env("XDG_RUNTIME_DIR", project.root().join("run"))
        .output()
        .unwrap();
    assert_eq!(failed(&report(&output)), []);
    assert!(project.keepers().iter().all(|keeper| !process::alive(*keeper)));
}

#[test]
fn a_command_that_keeps_nothing_is_told_everything_and_leaves_nothing() {
    let commands = Commands::new();
    commands.program(
        "liar",
        "/bin/sh",
        r#"
        case "$1" in
        --shutdown) echo '{"status":"stopped"}' ;;
        --status) exec sleep 1000 ;;
        *)
            [ -f port ] || python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' >port
            port=$(cat port)
            up() { python3 -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null; }
            if ! up; then
                python3 -m http.server "$port" --bind 127.0.0.1 >/dev/null 2>&1 &
                echo $! >>pids
                until up; do :; done
            fi
            echo "starting"
            echo "{\"status\":\"ready\",\"port\":$port,\"pid\":$(tail -n 1 pids),\"logs\":{\"stdout\":\"out.log\"}}" ;;
        esac
        "#,
    );
    let output = check(commands.folder(), &["--json", "./liar"]);
    let failed = failed(&report(&output));
    let seen = |id: &str| {
        let found = failed.iter().find(|(failed, _)| failed == id);
        found.unwrap_or_else(|| panic!("{id} holds: {failed:?}")).1.clone()
    };
    assert!(!failed.iter().any(|(id, _)| id == "A2.1"), "{failed:?}");
    for (id, word) in [
        ("A2.2", "startedAt is missing"),
        ("A2.3", "not \"already_running\""),
        ("A2.4", "old server was still there"),
        ("A2.5", "did not answer --status within 5 s"),
        ("A2.6", "still there after the answer"),
        ("A2.7", "was taken"),
        ("A2.8", "logs.stdout is \"out.log\""),
        ("A2.9", "--status ended with no exit"),
        ("A2.10", "exited with 0"),
        ("A2.11", "--status took more than 5 s"),
    ] {
        assert!(seen(id).contains(word), "{id}: {}", seen(id));
    }
    assert_eq!(output.status.code(), Some(1));
    assert!(!commands.pids().is_empty());
    assert!(commands.pids().iter().all(|pid| !process::alive(*pid)));
}

#[test]
fn a_command_that_does_not_even_start_is_told_in_one_line_each() {
    let commands = Commands::new();
    commands.program("broken", "/bin/sh", "echo 'no such module' >&2; exit 1");
    let output = check(commands.folder(), &["broken"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 12), "{text}");
    assert!(text.starts_with("FAILED A2.1 ") && text.contains("no such module") && text.contains("; mend: "));
    assert!(text.ends_with("1 of 11 criteria hold\n"), "{text}");
}

#[test]
fn what_can_not_be_checked_is_refused() {
    let commands = Commands::new();
    let missing = check(commands.folder(), &["missing"]);
    assert!(
        missing.status.code() == Some(1)
            && String::from_utf8_lossy(&missing.stderr).contains("does not exist")
    );
    let wrong = check(commands.folder(), &["--bla"]);
    assert_eq!(wrong.status.code(), Some(2));
}
