//! Runs of programs that misbehave. After each: the call came back in time, nothing of it lives, and the artifacts
//! are complete.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Bench, Limits};
use timebox::Status;

#[tokio::test]
async fn a_child_that_exits_at_once_passes_or_fails_by_its_code() {
    let bench = Bench::running(&["exits", "0"]);
    let report = bench.run(Limits::generous()).await;
    assert_eq!((report.status, report.exit_code), (Status::Pass, Some(0)));
    let bench = Bench::running(&["exits", "7"]);
    let report = bench.run(Limits::generous()).await;
    assert_eq!((report.status, report.exit_code), (Status::Fail, Some(7)));
}

#[tokio::test]
async fn a_child_that_dies_by_signal_fails_and_the_signal_is_told() {
    let report = Bench::running(&["dies-by", "SEGV"]).run(Limits::generous()).await;
    assert_eq!((report.status, report.exit_code, report.signal), (Status::Fail, None, Some(11)));
    assert!(report.message.contains("signal 11"), "{}", report.message);
}

#[tokio::test]
async fn a_child_that_ignores_term_is_killed_after_the_grace_and_named() {
    let bench = Bench::running(&["ignores-term"]);
    let report = bench.cancelled_when(1).await;
    assert!(report.processes.killed.iter().any(|one| one.contains("ignores-term")), "{report:?}");
}

#[tokio::test]
async fn a_daemon_that_prints_for_ever_dies_with_its_run_and_is_named() {
    let report = Bench::running(&["double-forks"]).run(Limits::generous()).await;
    assert_eq!(report.status, Status::Pass, "the runner itself ended well");
    assert!(report.message.contains("left running and ended"), "{}", report.message);
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_cannot_keep_the_call() {
    let report = Bench::running(&["setsid-holds-pipe", "4"]).run(Limits::generous()).await;
    assert_eq!((report.status, report.exit_code), (Status::Fail, Some(4)));
    assert!(report.message.contains("setsid-holds-pipe"), "{}", report.message);
}

#[tokio::test]
async fn a_prompt_gets_no_answer_and_no_wait() {
    let bench = Bench::running(&["prompts"]);
    let report = bench.run(Limits::generous()).await;
    assert_eq!((report.status, report.exit_code), (Status::Fail, Some(3)));
    assert!(bench.raw_log(&report).contains("no answer"));
}

#[tokio::test]
async fn a_child_that_trickles_for_ever_ends_at_the_total_limit() {
    let report = Bench::running(&["trickles", "50"]).run(Limits::total(700)).await;
    assert_eq!(report.status, Status::Timeout);
    assert!(report.message.starts_with("not done after 700 ms"), "{}", report.message);
}

#[tokio::test]
async fn a_child_that_says_nothing_ends_by_silence_and_its_last_line_is_told() {
    let bench = Bench::running(&["prints", "--out", "connecting to db\\n", "--sleep", "60000"]);
    // Time enough for the child to say its line however busy the machine is.
    let report = bench.run(Limits { total: 60_000, silence: 3_000 }).await;
    assert_eq!((report.status, report.exit_code), (Status::NoOutput, None));
    assert!(report.message.starts_with("no output for 3000 ms; "), "{}", report.message);
    assert!(report.message.contains("last line: connecting to db"), "{}", report.message);
    assert!(report.message.contains("running then: "), "{}", report.message);
}

#[tokio::test]
async fn output_on_either_stream_resets_the_silence() {
    let mut talk = vec!["prints"];
    for text in ["--out", "--err", "--out", "--err", "--out", "--err"] {
        talk.extend([text, "x", "--sleep", "700"]);
    }
    let report = Bench::running(&talk).run(Limits { total: 100_000, silence: 4_000 }).await;
    assert_eq!(report.status, Status::Pass, "{report:?}");
}

#[tokio::test]
async fn a_child_that_stops_itself_is_ended() {
    let report = Bench::running(&["stops-itself"]).run(Limits { total: 30_000, silence: 300 }).await;
    assert_eq!(report.status, Status::NoOutput);
}

#[tokio::test]
async fn a_child_that_closes_its_outputs_and_goes_on_is_silent() {
    let report = Bench::running(&["closes-stdout"]).run(Limits { total: 30_000, silence: 300 }).await;
    assert_eq!(report.status, Status::NoOutput);
}

#[tokio::test]
async fn two_hundred_children_die_with_their_run() {
    let bench = Bench::running(&["fork-bombs", "200"]);
    bench.cancelled_when(200).await;
}

#[tokio::test]
async fn a_flood_is_recorded_whole_with_flat_memory() {
    const FLOOD: u64 = 1 << 30;
    let bench = Bench::running(&["floods", &FLOOD.to_string()]);
    let before = common::peak_memory();
    let report = bench.run(Limits::generous()).await;
    let grown = common::peak_memory() - before;
    assert_eq!(report.status, Status::Pass, "{report:?}");
    assert!(grown < 32 << 20, "memory grew by {} MiB", grown >> 20);
    let (payload, lines) = bench.payload_of_raw_log(&report);
    assert_eq!(payload, FLOOD, "over {lines} lines");
}

#[tokio::test]
async fn a_line_of_a_hundred_megabytes_is_recorded_whole_with_flat_memory() {
    const LINE: u64 = 100 << 20;
    let bench = Bench::running(&["long-line", &LINE.to_string()]);
    let before = common::peak_memory();
    let report = bench.run(Limits::generous()).await;
    let grown = common::peak_memory() - before;
    assert_eq!(report.status, Status::Pass, "{report:?}");
    assert!(grown < 32 << 20, "memory grew by {} MiB", grown >> 20);
    let (payload, lines) = bench.payload_of_raw_log(&report);
    // The log ends the line that the program did not end.
    assert_eq!((payload, lines), (LINE + 1, 1));
}
