//! Server commands that behave, and many that don't: each call comes back, says what was wrong, and leaves nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use common::{Commands, LIMIT, quick, scope, scope_within, supervisor};
use devserver::{CommandError, ServerCommand, State, Verb};
use supervise::Exit;
use testkit::process;

/// A "server" that inherits the command's output and holds it, and an answer that names it.
const HOLDS_STDOUT: &str = r#"
sleep 1000 &
echo $! >> pids
echo "{\"status\":\"ready\",\"url\":\"http://localhost:3000\",\"port\":3000,\"pid\":$!}"
"#;

#[tokio::test]
async fn a_server_that_holds_the_commands_output_does_not_hold_the_call() {
    let commands = Commands::new();
    let started = commands.shell(HOLDS_STDOUT).start(&supervisor(), &scope()).await.unwrap();
    assert_eq!((started.running.port, started.running.already), (3000, false));
    let server = started.server.unwrap();
    assert!(server.alive(), "the server did not outlive its command");
    let report = started.tree.unwrap().stop(quick()).await;
    assert_eq!(report.survivors, []);
    assert!(!server.alive() && server.pid() == commands.pids()[0]);
}

#[tokio::test]
async fn a_server_that_goes_on_writing_into_the_commands_output_is_heard_and_lives() {
    let commands = Commands::new();
    let command = commands.shell(
        r#"
        ( while :; do echo still here || exit 9; sleep 0.01; done ) &
        echo $! >> pids
        echo "{\"status\":\"ready\",\"port\":3000,\"pid\":$!}"
        "#,
    );
    let started = command.start(&supervisor(), &scope()).await.unwrap();
    let tree = started.tree.unwrap();
    while tree.said().stdout.matches("still here").count() < 20 {
        assert!(started.server.as_ref().unwrap().alive(), "it died of a closed pipe");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tree.stop(quick()).await;
}

#[tokio::test]
async fn a_dropped_tree_takes_the_server_with_it() {
    let commands = Commands::new();
    let started = commands.shell(HOLDS_STDOUT).restart(&supervisor(), &scope()).await.unwrap();
    drop(started);
    process::wait_gone(&commands.pids(), LIMIT).unwrap();
}

#[tokio::test]
async fn a_server_in_a_session_of_its_own_is_still_found_by_its_tree() {
    let commands = Commands::new();
    let command = commands.shell(
        r#"
        ( setsid sh -c 'echo $$ >> pids; exec sleep 1000' >/dev/null 2>&1 </dev/null & )
        while [ ! -s pids ]; do sleep 0.01; done
        echo '{"status":"started","port":3000}'
        "#,
    );
    let started = command.start(&supervisor(), &scope()).await.unwrap();
    assert!(started.server.is_none() && process::alive(commands.pids()[0]));
    let report = started.tree.unwrap().stop(quick()).await;
    assert!(!report.ended.is_empty() && !process::alive(commands.pids()[0]), "{report:?}");
}

#[tokio::test]
async fn words_around_the_answer_are_ignored() {
    let commands = Commands::new();
    let command = commands.shell(
        r#"
        echo "> app@1.0.0 dev {"
        printf '{\n "status": "ready",\n "port": 3000,\n "pid": %s\n}\n' $$
        echo "done }"
        "#,
    );
    let started = command.start(&supervisor(), &scope()).await.unwrap();
    assert_eq!(started.running.url, "http://localhost:3000");
    started.tree.unwrap().stop(quick()).await;
}

#[tokio::test]
async fn a_flood_before_the_answer_is_no_trouble() {
    let commands = Commands::new();
    let command = commands.shell(
        r#"
        head -c 5000000 /dev/zero | tr '\0' 'x'
        head -c 5000000 /dev/zero | tr '\0' 'y' >&2
        echo '{"status":"ready","port":3000}'
        "#,
    );
    let started = command.start(&supervisor(), &scope()).await.unwrap();
    assert_eq!(started.running.port, 3000);
    started.tree.unwrap().stop(quick()).await;
}

#[tokio::test]
async fn an_error_with_its_own_account_is_told_with_it() {
    let commands = Commands::new();
    let command = commands.shell(
        r#"
        echo "EADDRINUSE" >&2
        echo '{"status":"error","error":"port_in_use","message":"3000 is taken","logs":{"stderr":"/tmp/e.log"}}'
        exit 3
        "#,
    );
    let error = command.start(&supervisor(), &scope()).await.unwrap_err();
    assert_eq!((error.kind(), error.outcome()), ("non_zero_exit", "server_start_failed"));
    assert!(matches!(error, CommandError::NonZeroExit { exit: Exit::Code(3), .. }));
    let reported = error.reported().unwrap();
    assert_eq!(reported.error.as_deref(), Some("port_in_use"));
    assert_eq!(reported.logs.stderr.as_deref(), Some("/tmp/e.log".as_ref()));
    assert_eq!(error.said().unwrap().stderr, "EADDRINUSE\n");
    assert!(error.to_string().contains("exit code 3: port_in_use: 3000 is taken"), "{error}");
}

#[tokio::test]
async fn an_error_behind_a_successful_exit_is_an_error() {
    let commands = Commands::new();
    let command = commands.shell(r#"echo '{"status":"error","message":"no database"}'"#);
    let (supervisor, scope) = (supervisor(), scope());
    let error = command.start(&supervisor, &scope).await.unwrap_err();
    assert_eq!(error.kind(), "server_start_failed");
    assert_eq!(command.shutdown(&supervisor, &scope).await.unwrap_err().kind(), "shutdown_failed");
    assert!(error.to_string().contains("no database"), "{error}");
    let bare = commands.shell(r#"echo '{"error":{"code":7}}'"#).start(&supervisor, &scope).await;
    assert!(bare.unwrap_err().to_string().contains(r#"{"code":7}"#));
    let none = commands.shell(r#"echo '{"status":"ready","port":3000,"error":null,"message":"fine"}'"#);
    none.start(&supervisor, &scope).await.unwrap().tree.unwrap().stop(quick()).await;
}

#[tokio::test]
async fn what_is_no_answer_is_shown() {
    let commands = Commands::new();
    let (supervisor, scope) = (supervisor(), scope());
    let garbage = commands.shell("echo 'Server up {\"status\":\"rea'").start(&supervisor, &scope).await;
    let garbage = garbage.unwrap_err();
    assert_eq!(garbage.kind(), "invalid_json");
    assert!(garbage.to_string().contains("Server up"), "{garbage}");
    let nothing = commands.shell("true").status(&supervisor, &scope).await.unwrap_err();
    assert!(nothing.to_string().contains("nothing was printed"), "{nothing}");
    let nowhere = commands.shell("echo '{\"status\":\"ready\"}'").start(&supervisor, &scope).await;
    assert_eq!(nowhere.unwrap_err().kind(), "invalid_json");
}

#[tokio::test]
async fn a_failed_start_leaves_nothing() {
    let commands = Commands::new();
    let command = commands.shell(
        r#"
        ( setsid sh -c 'echo $$ >> pids; exec sleep 1000' >/dev/null 2>&1 </dev/null & )
        while [ ! -s pids ]; do sleep 0.01; done
        exit 1
        "#,
    );
    command.start(&supervisor(), &scope()).await.unwrap_err();
    assert!(commands.pids().iter().all(|pid| !process::alive(*pid)));
}

#[tokio::test]
async fn a_command_that_never_returns_is_ended_at_its_limit() {
    let commands = Commands::new();
    let command =
        commands.shell("echo $$ >> pids; echo waiting >&2; trap '' TERM; while :; do sleep 1; done");
    let error = command.status(&supervisor(), &scope()).await.unwrap_err();
    assert!(
        matches!(&error, CommandError::Timeout { verb: Verb::Status, limit, .. } if limit.as_secs() == 5)
    );
    assert_eq!((error.kind(), error.said().unwrap().stderr.as_str()), ("timeout", "waiting\n"));
    assert!(!process::alive(commands.pids()[0]));
}

#[tokio::test]
async fn a_call_that_is_over_or_cancelled_ends_the_command() {
    let commands = Commands::new();
    let command = commands.shell("echo $$ >> pids; exec sleep 1000");
    let error = command.start(&supervisor(), &scope_within(Duration::from_millis(500))).await.unwrap_err();
    assert_eq!(error.outcome(), "server_start_failed");
    let scope = scope();
    let cancel = scope.cancel_token().clone();
    let pids = || commands.pids().len();
    let before = pids();
    let cancelling = async {
        while pids() == before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cancel.cancel();
    };
    let supervisor = supervisor();
    let (error, ()) = tokio::join!(command.start(&supervisor, &scope), cancelling);
    assert_eq!(error.unwrap_err().outcome(), "cancelled");
    assert!(commands.pids().iter().all(|pid| !process::alive(*pid)));
}

#[tokio::test]
async fn a_server_that_ran_before_is_not_ours() {
    let commands = Commands::new();
    let me = std::process::id();
    let command =
        commands.shell(&format!("echo '{{\"status\":\"already_running\",\"port\":3000,\"pid\":{me}}}'"));
    let started = command.start(&supervisor(), &scope()).await.unwrap();
    assert!(started.running.already && started.tree.is_none());
    assert_eq!(started.server.unwrap().pid(), me);
}

#[tokio::test]
async fn arguments_folder_and_variables_reach_the_command() {
    let commands = Commands::new();
    let path = commands.program(
        "command",
        "/bin/sh",
        r#"echo "{\"status\":\"ready\",\"port\":3000,\"message\":\"$1|$2|$3|$EXTRA|$PWD\"}""#,
    );
    let folder = commands.folder().canonicalize().unwrap();
    let command = ServerCommand::check(path, ["a b", "$HOME;"], &folder).unwrap().env("EXTRA", "x");
    let started = command.start(&supervisor(), &scope()).await.unwrap();
    let message = started.running.message.unwrap();
    assert_eq!(message, format!("--start|a b|$HOME;|x|{}", folder.display()));
    started.tree.unwrap().stop(quick()).await;
}

#[tokio::test]
async fn a_status_is_an_answer_even_when_the_exit_says_down() {
    let commands = Commands::new();
    let down = commands.shell(r#"echo '{"status":"stopped","message":"not running"}'; exit 3"#);
    let status = down.status(&supervisor(), &scope()).await.unwrap();
    assert_eq!(status.state, State::Stopped);
    let up = commands.shell(r#"echo '{"status":"running","healthy":true,"port":80,"uptime":1.5,"x":1}'"#);
    let status = up.status(&supervisor(), &scope()).await.unwrap();
    assert_eq!((status.state, status.uptime, status.raw["x"].as_i64()), (State::Running, Some(1.5), Some(1)));
    let stopped = commands.shell(r#"echo '{"status":"stopped","previousPid":7}'"#);
    assert!(stopped.shutdown(&supervisor(), &scope()).await.unwrap().was_running);
}

#[tokio::test]
async fn what_can_not_be_run_is_refused_before() {
    let commands = Commands::new();
    let refused = |path: std::path::PathBuf| {
        ServerCommand::check(path, Vec::<String>::new(), commands.folder()).unwrap_err()
    };
    assert!(matches!(refused("command".into()), CommandError::NotAbsolute { .. }));
    assert_eq!(refused(commands.folder().join("none")).kind(), "command_not_found");
    assert_eq!(refused(commands.folder().to_owned()).kind(), "permission_denied");
    let plain = commands.folder().join("plain");
    std::fs::write(&plain, "text").unwrap();
    assert_eq!(refused(plain).kind(), "permission_denied");
    // An interpreter that does not exist shows only when it is run.
    let path = commands.program("broken", "/no/such/interpreter", "");
    let broken = ServerCommand::check(path, Vec::<String>::new(), commands.folder()).unwrap();
    assert_eq!(broken.start(&supervisor(), &scope()).await.unwrap_err().kind(), "command_not_found");
}
