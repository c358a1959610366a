//! What holds for runs beside their children's manners: what is recorded, what is reported, who may end them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::time::Duration;

use base::Deadline;
use common::{Bench, Limits};
use timebox::runners::{CommandRefused, Scope};
use timebox::{NotStarted, Runs, Status};

#[tokio::test]
async fn the_three_artifacts_are_in_a_folder_of_the_default_place_named_after_the_time() {
    let bench = Bench::with_shell("echo hello; echo 'Error: boom' >&2; exit 1");
    let report = bench.run(Limits::generous()).await;
    assert_eq!(report.report_dir.parent(), Some(bench.reports().canonicalize().unwrap().as_path()));
    let name = report.report_dir.file_name().unwrap().to_str().unwrap();
    assert!(name.len() == 24 && name.ends_with('Z') && name.contains('T'), "{name}");
    let log = bench.raw_log(&report);
    assert!(log.contains("Z] [stdout] hello\n") && log.contains("Z] [stderr] Error: boom\n"), "{log}");
    assert!(report.excerpt.contains("> Error: boom"), "{}", report.excerpt);
    let summary = bench.summary(&report);
    assert_eq!(summary["command"], "flutter test");
    assert_eq!(summary["args"], serde_json::json!(["test"]));
    assert_eq!(summary["exit_code"], 1);
    assert!(summary["tail_lines"].as_array().unwrap().iter().any(|line| line == "hello"));
    let page = fs::read_to_string(&report.artifacts.summary_md).unwrap();
    for part in ["flutter test", "Failed", "| exit code | 1 |", "> Error: boom", "hello"] {
        assert!(page.contains(part), "summary.md lacks {part}:\n{page}");
    }
}

#[tokio::test]
async fn a_report_goes_where_it_was_asked_for_and_replaces_an_earlier_one() {
    let bench = Bench::with_shell("echo $$");
    let mut request = bench.request(Limits::generous());
    request.report_dir = Some(bench.workspace().locate("out/reports").unwrap());
    let first = bench.try_run(&request).await.unwrap();
    let first_log = bench.raw_log(&first);
    let second = bench.try_run(&request).await.unwrap();
    bench.check(&second);
    assert_eq!(first.report_dir, second.report_dir);
    assert!(second.report_dir.ends_with("out/reports"));
    assert_ne!(first_log, bench.raw_log(&second));
}

#[tokio::test]
async fn odd_bytes_are_recorded_as_they_came() {
    let bench = Bench::running(&[
        "prints",
        "--out",
        "a\\r\\n",
        "--until",
        "read",
        "--out",
        "nul\\0 bad\\xff\\xfe",
        "--until",
        "read",
        "--err",
        "warn\\n",
        "--until",
        "read",
        "--out",
        "rest",
    ]);
    let report = bench.run(Limits::generous()).await;
    let log = fs::read(&report.artifacts.raw_log).unwrap();
    let records: Vec<&[u8]> =
        log.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(|line| &line[27..]).collect();
    assert_eq!(
        records,
        [&b"[stdout] a\r"[..], b"[stdout] nul\0 bad\xff\xfe", b"[stderr] warn", b"[stdout+] rest"]
    );
}

#[tokio::test]
async fn what_the_child_is_told_leaves_no_room_for_colours_prompts_and_watch_modes() {
    let bench = Bench::running(&["env"]);
    let report = bench.run(Limits::generous()).await;
    let log = bench.raw_log(&report);
    for pair in ["\"CI\":\"true\"", "\"NO_COLOR\":\"1\"", "\"TERM\":\"dumb\""] {
        assert!(log.replace("\": \"", "\":\"").contains(pair), "{pair} is not in {log}");
    }
}

#[tokio::test]
async fn a_cancelled_run_ends_its_tree_and_leaves_its_artifacts() {
    let bench = Bench::running(&["ignores-term"]);
    let report = bench.cancelled_when(1).await;
    assert_eq!(report.status, Status::Error);
    assert!(report.message.starts_with("cancelled after "), "{}", report.message);
}

#[tokio::test]
async fn two_runs_at_once_do_not_disturb_each_other() {
    let one = Bench::with_shell("for i in 1 2 3 4 5; do echo one $i; sleep 0.05; done");
    let two = Bench::with_shell("for i in 1 2 3 4 5; do echo two $i; sleep 0.05; done; exit 3");
    // Two runs of one timebox, and one of another.
    let (a, b, c) =
        tokio::join!(one.run(Limits::generous()), one.run(Limits::generous()), two.run(Limits::generous()));
    assert_ne!(a.report_dir, b.report_dir);
    for (bench, report, own, other) in
        [(&one, &a, "one", "two"), (&one, &b, "one", "two"), (&two, &c, "two", "one")]
    {
        let log = bench.raw_log(report);
        assert_eq!(log.matches(own).count(), 5, "{log}");
        assert!(!log.contains(other), "{log}");
    }
    assert_eq!((a.status, c.exit_code), (Status::Pass, Some(3)));
}

#[tokio::test]
async fn a_run_goes_on_while_nobody_waits_and_its_outcome_is_kept() {
    let bench = Bench::with_shell("while [ ! -e go ]; do sleep 0.02; done; echo done");
    let root = bench.workspace();
    let request = bench.request(Limits::generous());
    let runs = Runs::new(std::sync::Arc::into_inner(bench.timebox).unwrap());
    let run = runs.start(request);
    let leash = run.leash();
    assert!(run.wait(Deadline::after(Duration::from_millis(100))).await.is_none());
    leash.let_go();
    fs::write(root.root().join("go"), "").unwrap();
    let found = runs.find(run.id().to_string().parse().unwrap()).unwrap();
    let outcome = found.wait(Deadline::after(Duration::from_secs(60))).await.unwrap();
    assert_eq!(outcome.as_ref().as_ref().unwrap().status, Status::Pass);
    assert!(found.is_over());
}

#[tokio::test]
async fn a_run_on_a_leash_ends_with_its_holder_and_closing_ends_every_run() {
    let bench = Bench::running(&["ignores-term"]);
    let request = bench.request(Limits::generous());
    let runs = Runs::new(std::sync::Arc::into_inner(bench.timebox).unwrap());
    let leashed = runs.start(request.clone());
    drop(leashed.leash());
    let outcome = leashed.wait(Deadline::after(Duration::from_secs(60))).await.unwrap();
    assert_eq!(outcome.as_ref().as_ref().unwrap().status, Status::Error);
    let open = runs.start(request);
    assert!(runs.close(Deadline::after(Duration::from_secs(60))).await);
    assert!(open.is_over());
}

#[tokio::test]
async fn a_runner_that_is_not_installed_is_refused_with_what_to_install_and_leaves_nothing() {
    let bench = Bench::with_shell("true");
    let mut request = bench.request(Limits::generous());
    request.runner = timebox::runners::find("dart").unwrap();
    let refused = bench.try_run(&request).await.unwrap_err();
    let NotStarted::Command(CommandRefused::NotInstalled(missing)) = &refused else { panic!("{refused:?}") };
    assert!(missing.to_string().contains("install"), "{missing}");
    assert!(!bench.reports().exists(), "artifacts of a run that never was");
}

#[tokio::test]
async fn a_program_that_may_not_run_is_refused_and_leaves_nothing() {
    let bench = Bench::with_shell("true");
    // Executable, but for an interpreter that is not there.
    let flutter = bench.root.path().join("bin/flutter");
    fs::write(&flutter, "#!/no/such/interpreter\n").unwrap();
    let refused = bench.try_run(&bench.request(Limits::generous())).await.unwrap_err();
    assert!(matches!(refused, NotStarted::Spawn(_)), "{refused:?}");
    assert_eq!(fs::read_dir(bench.reports()).unwrap().count(), 0, "artifacts of a run that never was");
}

#[tokio::test]
async fn file_and_pattern_reach_the_runner_as_one_argument() {
    let bench = Bench::running(&["env"]);
    fs::create_dir(bench.workspace().root().join("test")).unwrap();
    fs::write(bench.workspace().root().join("test/a b_test.dart"), "").unwrap();
    let mut request = bench.request(Limits::generous());
    request.scope = Scope::File(bench.workspace().locate("test/a b_test.dart").unwrap());
    let report = bench.try_run(&request).await.unwrap();
    assert_eq!(bench.summary(&report)["args"], serde_json::json!(["test", "test/a b_test.dart"]));
    request.scope = Scope::Pattern("--help; rm -rf /".to_owned());
    let report = bench.try_run(&request).await.unwrap();
    assert_eq!(bench.summary(&report)["args"], serde_json::json!(["test", "--name", "--help; rm -rf /"]));
    assert_eq!(bench.summary(&report)["target"], "--help; rm -rf /");
}
