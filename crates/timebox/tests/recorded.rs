//! What is found in real output. Each file of `tests/recorded` is named RUNNER-CASE.txt; its README says what was
//! recorded, with which version, and what had to be written after the documentation.
#![allow(clippy::unwrap_used, reason = "clippy knows only functions marked as tests, not their helpers")]

use std::path::Path;

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
    let lines: Vec<String> =
        output.split('\n').flat_map(|line| timebox::extract::clean::lines(line.as_bytes())).collect();
    failures::find(runner.extractor(), lines.iter().map(String::as_str))
}

#[test]
fn failures_are_found_in_recorded_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut seen = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "txt")) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let runner = name.split('-').next().unwrap();
        let found = find_in(runner, &std::fs::read_to_string(file).unwrap());
        insta::assert_snapshot!(name, told(&found.relative_to(Path::new("/repo"))));
        seen.push(runner.to_owned());
    }
    for runner in runners::RUNNERS {
        assert!(seen.iter().any(|seen| seen == runner.name), "{} has no recorded output", runner.name);
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
