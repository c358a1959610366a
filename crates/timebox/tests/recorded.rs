//! What is found in real output. Each file of `tests/recorded` is named RUNNER-CASE.txt; its README says what was
//! recorded, with which version, and what had to be written after the documentation.
#![allow(clippy::unwrap_used, reason = "clippy knows only functions marked as tests, not their helpers")]

use std::path::{Path, PathBuf};

use timebox::failures::{self, Failures};
use timebox::runners;

/// What failed, as a reader sees it: one paragraph a failure.
fn told(failures: &Failures) -> String {
    let paragraph = |failure: &failures::Failure| {
        let test = failure.test.as_deref().unwrap_or("(no test)");
        let place = match (&failure.file, failure.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            _ => "(no place)".to_owned(),
        };
        let message: String = failure.message.lines().map(|line| format!("    {line}\n")).collect();
        format!("{test}\n  at {place}\n{message}")
    };
    let paragraphs: Vec<String> = failures.list.iter().map(paragraph).collect();
    paragraphs.join("\n")
}

fn find_in(runner: &str, output: &str) -> Failures {
    let runner = runners::find(runner).unwrap();
    failures::find(runner.extractor(), clean(output).iter().map(String::as_str))
}

/// How many tests ran, as far as the output tells.
fn count_in(runner: &str, output: &str) -> Option<u64> {
    let mut census = runners::find(runner).unwrap().census();
    clean(output).iter().for_each(|line| census.line(line));
    census.ran()
}

fn clean(output: &str) -> Vec<String> {
    output.split('\n').flat_map(|line| base::plain::lines(line.as_bytes())).collect()
}

fn recorded() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|file| file.extension().is_some_and(|end| end == "txt")).collect();
    files.sort();
    files
}

#[test]
fn failures_are_found_in_recorded_output() {
    let mut seen = Vec::new();
    for file in recorded() {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let runner = name.split('-').next().unwrap();
        let found = find_in(runner, &std::fs::read_to_string(&file).unwrap());
        insta::assert_snapshot!(name, told(&found.relative_to(Path::new("/repo"))));
        seen.push(runner.to_owned());
    }
    for runner in runners::RUNNERS {
        assert!(seen.iter().any(|seen| seen == runner.name), "{} has no recorded output", runner.name);
    }
}

/// A run of nothing is told from every other, however it ended.
#[test]
fn runs_of_nothing_are_told_from_runs_of_something() {
    for file in recorded() {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let (runner, case) = name.split_once('-').unwrap();
        let ran = count_in(runner, &std::fs::read_to_string(&file).unwrap());
        match case {
            "nothing" => assert_eq!(ran, Some(0), "{name}"),
            "failing" | "retries" | "short-parallel" | "abort" => assert!(ran > Some(0), "{name}: {ran:?}"),
            _ => {}
        }
    }
}

/// Some packages or projects of a run have no tests that match; what can't be recorded here is as documented.
#[test]
fn counts_are_read_off_each_runners_lines() {
    for (runner, output, expected) in [
        ("cargo", "running 0 tests\nrunning 1 test\nrunning 0 tests", Some(1)),
        ("go", "ok  \ta\t0.1s [no tests to run]\n?   \tb\t[no test files]\nok  \tc\t0.1s", Some(1)),
        ("go", "FAIL\ta [build failed]\n?   \tb\t[no test files]", Some(0)),
        ("pytest", "no tests ran in 0.01s", Some(0)),
        ("pytest", "FAILED a.py::b - arrived in 3 s", None),
        ("phpunit", "OK (2 tests, 2 assertions)", Some(2)),
        ("phpunit", "Tests: 2, Assertions: 0, Skipped: 2.", Some(0)),
        ("rspec", "2 examples, 0 failures, 2 pending", Some(0)),
        ("maven", "[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2", Some(0)),
        ("gradle", "> Task :a:test UP-TO-DATE\n> Task :b:test NO-SOURCE", Some(0)),
        ("gradle", "> Task :a:test UP-TO-DATE\n> Task :a:testDebugUnitTest", Some(1)),
        ("gradle", "> Task :testClasses UP-TO-DATE", None),
        ("dart", "00:00 +0: No tests ran.", Some(0)),
        ("flutter", "00:01 +1: All tests passed!    ", Some(1)),
        ("dotnet", "No test matches the given testcase filter `x` in /repo/a.dll", Some(0)),
        ("dotnet", "Passed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2", Some(2)),
    ] {
        assert_eq!(count_in(runner, output), expected, "{runner}: {output}");
    }
}

#[test]
fn output_cut_anywhere_is_read_without_harm() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for runner in runners::RUNNERS {
            for cut in (0..lines.len()).step_by(7) {
                failures::find(runner.extractor(), lines[cut..].iter().copied());
                failures::find(runner.extractor(), lines[..cut].iter().copied());
            }
        }
    }
}

#[test]
fn a_thousand_failures_are_a_hundred_and_a_number() {
    let output: String = (0..1000)
        .map(|n| {
            format!(
                "---- tests::t{n} stdout ----\nthread 't' (1) panicked at a.rs:{n}:1:\n{}\n\n",
                "x".repeat(5000)
            )
        })
        .collect();
    let found = find_in("cargo", &output);
    assert_eq!((found.list.len(), found.left_out), (100, 900));
    assert!(found.list.iter().all(|failure| failure.message.chars().count() < 900));
}

#[test]
fn a_failure_that_is_told_twice_is_counted_once() {
    let sections: String = (0..150).map(|n| format!("____ test_{n} ____\nE   x\na.py:{n}: E\n")).collect();
    let summary: String = (0..150).map(|n| format!("FAILED a.py::test_{n} - x\n")).collect();
    let found = find_in("pytest", &format!("{sections}==== short test summary info ====\n{summary}"));
    assert_eq!((found.list.len(), found.left_out), (100, 50));
    assert_eq!(found.list[99].test.as_deref(), Some("a.py::test_99"));
}

#[test]
fn output_that_no_runner_writes_still_gives_its_errors() {
    let found =
        find_in("pytest", "starting\n/usr/bin/python: No module named x\nImportError: libx.so is missing\n");
    assert_eq!(found.list.len(), 1);
    assert_eq!(found.list[0].message, "ImportError: libx.so is missing");
}
