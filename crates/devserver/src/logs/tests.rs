use std::fs::File;
use std::io::Write;

use super::*;
use crate::contract::LogPaths;

const MUCH: usize = 100_000;

fn log(text: &str) -> (tempfile::TempDir, Log) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("server.log");
    std::fs::write(&path, text).unwrap();
    (dir, Log::new(path))
}

fn append(log: &Log, text: &str) {
    File::options().append(true).open(log.path()).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn the_last_lines_come_plain_and_in_order() {
    let (_dir, log) = log("one\n\u{1b}[31mtwo\u{1b}[0m\nthree\r\nfour");
    let tail = log.tail(3, MUCH, None).unwrap();
    assert_eq!((tail.text.as_str(), tail.lines, tail.left_out), ("two\nthree\nfour\n", 3, true));
    let all = log.tail(4, MUCH, None).unwrap();
    assert!(!all.left_out && all.text.starts_with("one\n"));
}

#[test]
fn the_tail_of_a_huge_log_reads_only_its_end() {
    let (_dir, log) = log("");
    // A hole: a gigabyte that takes no room, and that would take long to read.
    let file = File::options().write(true).open(log.path()).unwrap();
    file.set_len(1 << 30).unwrap();
    drop(file);
    append(&log, "\nlast but one\nlast\n");
    let tail = log.tail(2, MUCH, None).unwrap();
    assert_eq!((tail.text.as_str(), tail.left_out), ("last but one\nlast\n", true));
    assert!(tail.size > 1 << 30);
}

#[test]
fn a_cursor_goes_on_where_it_stopped() {
    let (_dir, log) = log("one\ntwo\n");
    let first = log.whole(MUCH, None).unwrap();
    assert_eq!((first.text.as_str(), first.left_out), ("one\ntwo\n", false));
    append(&log, "three\n");
    let cursor: Cursor = first.cursor.to_string().parse().unwrap();
    let more = log.since(&cursor, MUCH, None).unwrap();
    assert_eq!((more.text.as_str(), more.restarted), ("three\n", false));
    assert_eq!(log.since(&more.cursor, MUCH, None).unwrap().text, "");
    assert!("12".parse::<Cursor>().is_err() && "x-1".parse::<Cursor>().is_err());
}

#[test]
fn what_does_not_fit_comes_with_the_next_call() {
    let text: String = (0..100).map(|number| format!("line {number}\n")).collect();
    let (_dir, log) = log(&text);
    let mut chunk = log.whole(50, None).unwrap();
    assert!(chunk.left_out && chunk.text.chars().count() <= 50);
    let mut read = chunk.text.clone();
    while chunk.left_out {
        chunk = log.since(&chunk.cursor, 50, None).unwrap();
        read.push_str(&chunk.text);
    }
    assert_eq!(read, text);
}

#[test]
fn a_log_that_was_cut_or_replaced_begins_anew_and_says_so() {
    let (_dir, log) = log("a long first line\n");
    let cursor = log.end().unwrap();
    std::fs::write(log.path(), "cut\n").unwrap();
    let cut = log.since(&cursor, MUCH, None).unwrap();
    assert_eq!((cut.text.as_str(), cut.restarted), ("cut\n", true));
    let other = log.path().with_extension("new");
    std::fs::write(&other, "replaced by a longer line\n").unwrap();
    std::fs::rename(&other, log.path()).unwrap();
    let replaced = log.since(&cut.cursor, MUCH, None).unwrap();
    assert!(replaced.restarted && replaced.text.starts_with("replaced"), "{replaced:?}");
}

#[test]
fn grep_finds_lines_in_every_way_of_reading() {
    let (_dir, log) = log("GET / 200\nGET /a 500\nGET /b 200\nGET /c 500\n");
    let grep = Regex::new("500$").unwrap();
    assert_eq!(log.tail(1, MUCH, Some(&grep)).unwrap().text, "GET /c 500\n");
    assert_eq!(log.whole(MUCH, Some(&grep)).unwrap().text, "GET /a 500\nGET /c 500\n");
    let nothing = log.tail(9, MUCH, Some(&Regex::new("404").unwrap())).unwrap();
    assert_eq!((nothing.text.as_str(), nothing.lines, nothing.left_out), ("", 0, false));
}

#[test]
fn broken_encoding_and_endless_lines_are_no_trouble() {
    let (_dir, log) = log("");
    std::fs::write(log.path(), [&b"bad \xff byte\n"[..], &vec![b'x'; 500_000], b"\nend\n"].concat()).unwrap();
    let tail = log.tail(100, 30_000, None).unwrap();
    assert!(tail.text.contains("bad \u{fffd} byte") && tail.text.ends_with("end\n"));
    assert!(tail.left_out && tail.text.len() < 31_000, "{}", tail.text.len());
    assert!(log.whole(5000, None).unwrap().left_out);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_read() {
    let (dir, log) = log("x\n");
    let of = |name: &str| Log::new(dir.path().join(name));
    assert_eq!(of("none").tail(1, MUCH, None).unwrap_err().kind(), "log_file_not_found");
    assert_eq!(Log::new(dir.path()).tail(1, MUCH, None).unwrap_err().kind(), "log_read_failed");
    let made = std::process::Command::new("mkfifo").arg(of("pipe").path()).status().unwrap();
    assert!(made.success());
    assert!(matches!(of("pipe").tail(1, MUCH, None), Err(LogError::Refused { .. })));
    std::os::unix::fs::symlink(log.path(), of("link").path()).unwrap();
    assert_eq!(of("link").tail(1, MUCH, None).unwrap().text, "x\n");
    std::os::unix::fs::symlink("/dev/zero", of("zero").path()).unwrap();
    assert!(matches!(of("zero").tail(1, MUCH, None), Err(LogError::Refused { .. })));
}

#[test]
fn a_watch_tells_what_was_written_meanwhile() {
    let (dir, combined) = log("before\n");
    let logs = LogPaths {
        stdout: None,
        stderr: Some(dir.path().join("stderr.log")),
        combined: Some(combined.path().to_owned()),
    };
    let mut watch = LogWatch::begin(&logs);
    assert!(watch.take(MUCH).is_empty());
    std::fs::write(dir.path().join("stderr.log"), "in a log of its own\n").unwrap();
    assert_eq!(watch.take(MUCH), ["in a log of its own"]);
    append(&combined, "in a log of its own\none\ntwo\n");
    assert_eq!(watch.take(MUCH), ["one", "two"], "what was told is not told again");
    assert!(watch.take(MUCH).is_empty(), "told once");
    append(&combined, "three\nfour\n");
    let few = watch.take(5);
    assert!(few.len() == 2 && few[0].contains("earlier lines") && few[1] == "four", "{few:?}");
}

#[test]
fn a_watch_of_a_command_that_leaves_the_combined_log_empty_tells_the_others() {
    let (dir, combined) = log("");
    let logs = LogPaths {
        stdout: Some(dir.path().join("stdout.log")),
        stderr: Some(dir.path().join("stderr.log")),
        combined: Some(combined.path().to_owned()),
    };
    let mut watch = LogWatch::begin(&logs);
    std::fs::write(dir.path().join("stderr.log"), "in a log of its own\n").unwrap();
    assert_eq!(watch.take(MUCH), ["in a log of its own"]);
    std::fs::write(dir.path().join("stdout.log"), "in another\n").unwrap();
    assert_eq!(watch.take(MUCH), ["in another"]);
}
