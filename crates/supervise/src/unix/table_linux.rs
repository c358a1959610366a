//! The process table of Linux: /proc.

use std::fs;

use super::kin::Row;

/// Every process there is.
pub(crate) fn rows() -> Vec<Row> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter_map(row).collect()
}

/// One process, if it exists.
pub(crate) fn row(pid: u32) -> Option<Row> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// proc(5): `pid (comm) state ppid pgrp … starttime(22)`. The name may itself hold spaces and brackets, so the
/// fields are counted from its last bracket.
fn parse(pid: u32, stat: &str) -> Option<Row> {
    let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().collect();
    Some(Row {
        pid,
        zombie: matches!(*fields.first()?, "Z" | "X"),
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        start: (*fields.get(19)?).to_owned(),
    })
}

/// When a process started.
pub(crate) fn start(pid: u32) -> Option<String> {
    row(pid).map(|row| row.start)
}

/// A process's command line, or its name where it hides that.
pub(crate) fn command(pid: u32) -> String {
    let read = |file: &str| fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let mut text = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ").trim().to_owned();
    if text.is_empty() {
        text = String::from_utf8_lossy(&read("comm")).trim().to_owned();
    }
    base::clip::head(&text, 120).into_owned()
}

/// A variable that a process was started with, if we may look and it lives in our world of numbers.
pub(crate) fn variable(pid: u32, name: &str) -> Option<String> {
    let world = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let value = environment
        .split(|byte| *byte == 0)
        .find_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    (world("self") == world(&pid.to_string())).then(|| String::from_utf8_lossy(value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_spaces_does_not_shift_the_fields() {
        let stat = "7 (a) b (c) S 3 5 5 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 6 7";
        let row = parse(7, stat).unwrap();
        assert_eq!((row.parent, row.group, row.start.as_str(), row.zombie), (3, 5, "12345", false));
    }

    #[test]
    fn this_process_is_in_the_table() {
        let me = std::process::id();
        assert!(rows().iter().any(|row| row.pid == me && Some(&row.start) == start(me).as_ref()));
        assert!(!command(me).is_empty());
    }
}
