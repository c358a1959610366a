//! Sample projects: fake runners are found on PATH, record their calls and misbehave as told.
#![cfg(unix)]

use std::process::{Command, Stdio};

use testkit::SampleProject;

#[test]
fn a_fake_runner_records_its_call_and_behaves_as_told() {
    let project = SampleProject::new().unwrap().fake_runner("flutter", &["exits", "7"]).unwrap();
    let status = Command::new("sh")
        .args(["-c", "flutter test --name \"it's a b\""])
        .env("PATH", project.path_env())
        .current_dir(project.root())
        .stdin(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(7));
    let calls = project.calls("flutter");
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0]["argv"], serde_json::json!(["test", "--name", "it's a b"]));
    assert_eq!(project.pids().pids().len(), 1);
}

#[test]
fn a_project_goes_with_its_folder_and_its_children() {
    let project = SampleProject::new().unwrap().file("src/lib.rs", "").unwrap();
    let project = project.fake_runner("dart", &["setsid-holds-pipe"]).unwrap();
    assert!(project.root().join("src/lib.rs").is_file());
    let status =
        Command::new(project.bin().join("dart")).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.unwrap().success());
    let (root, pids) = (project.root(), project.pids().pids());
    drop(project);
    assert!(!root.exists());
    testkit::process::wait_gone(&pids, std::time::Duration::from_secs(10)).unwrap();
}
