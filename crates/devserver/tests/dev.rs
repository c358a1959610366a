//! `--dev "…"`: the adapter run as a server command, in trees as a session holds them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::project::{Project, fetch};
use common::{LIMIT, quick, scope, supervisor};
use devserver::adapter::{Readiness, command_for};
use devserver::{ServerCommand, State};
use testkit::{bins, process};

fn command(project: &Project, words: &str) -> ServerCommand {
    let dev = format!("python3 server.py {words}");
    let command = command_for(&dev, &Readiness::Port, &project.app(), bins().server()).unwrap();
    command.env("XDG_RUNTIME_DIR", project.root().join("run"))
}

#[tokio::test]
async fn a_plain_dev_server_goes_through_its_whole_life_by_the_contract() {
    let project = Project::new();
    let (command, supervisor, scope) = (command(&project, "prints"), supervisor(), scope());
    let first = command.start(&supervisor, &scope).await.unwrap();
    assert_eq!(first.running.notes, Vec::<String>::new());
    assert!(first.server.as_ref().unwrap().alive() && fetch(&first.running.url).is_ok());
    assert_eq!(command.status(&supervisor, &scope).await.unwrap().state, State::Running);
    let again = command.start(&supervisor, &scope).await.unwrap();
    assert!(again.running.already && again.tree.is_none());

    let second = command.restart(&supervisor, &scope).await.unwrap();
    assert_eq!(second.running.previous_port, Some(first.running.port));
    assert_ne!(second.running.port, first.running.port);
    let left = first.tree.unwrap().stop(quick()).await;
    assert_eq!(left.ended, [], "a restart leaves nothing of the old server");
    assert!(fetch(&second.running.url).is_ok());

    let stopped = command.shutdown(&supervisor, &scope).await.unwrap();
    assert_eq!((stopped.was_running, stopped.previous_pid), (true, second.running.pid));
    let left = second.tree.unwrap().stop(quick()).await;
    assert_eq!((left.ended, left.survivors), (vec![], vec![]), "a shutdown leaves nothing");
    assert_eq!(command.status(&supervisor, &scope).await.unwrap().state, State::Stopped);
}

#[tokio::test]
async fn stopping_the_tree_ends_server_and_keeper_without_a_shutdown() {
    let project = Project::new();
    let started = command(&project, "has-child").start(&supervisor(), &scope()).await.unwrap();
    let keepers = project.keepers();
    let family = process::descendants(keepers[0]);
    let report = started.tree.unwrap().stop(quick()).await;
    assert_eq!(report.survivors, []);
    assert!(keepers.iter().chain(&family).all(|pid| !process::alive(*pid)), "{report:?}");
}

#[tokio::test]
async fn a_dropped_tree_ends_server_and_keeper() {
    let project = Project::new();
    let started = command(&project, "").start(&supervisor(), &scope()).await.unwrap();
    let family = process::descendants(project.keepers()[0]);
    drop(started);
    process::wait_gone(&[&project.keepers()[..], &family[..]].concat(), LIMIT).unwrap();
}

#[tokio::test]
async fn a_dev_server_that_fails_is_a_failed_start_with_its_own_account() {
    let project = Project::new();
    let error = command(&project, "dies").start(&supervisor(), &scope()).await.unwrap_err();
    assert_eq!(error.outcome(), "server_start_failed");
    let reported = error.reported().unwrap();
    assert!(reported.message.as_ref().unwrap().contains("exit code 4"));
    assert!(reported.logs.stderr.as_ref().unwrap().exists());
}
