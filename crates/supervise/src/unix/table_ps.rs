//! The process table where there is no /proc (macOS, the BSDs): `ps`, which POSIX promises.

use std::process::{Command, Stdio};

use super::kin::Row;

/// Every process there is, except the `ps` that looks.
pub(crate) fn rows() -> Vec<Row> {
    let Some((listing, ps)) = ps(&["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="]) else { return Vec::new() };
    listing.lines().filter_map(parse).filter(|row| row.pid != ps).collect()
}

/// One process, if it exists.
pub(crate) fn row(pid: u32) -> Option<Row> {
    let (listing, _) = ps(&["-o", "pid=,ppid=,pgid=,stat=,lstart=", "-p", &pid.to_string()])?;
    listing.lines().find_map(parse)
}

/// When a process started.
pub(crate) fn start(pid: u32) -> Option<String> {
    row(pid).map(|row| row.start)
}

/// A process's command line.
pub(crate) fn command(pid: u32) -> String {
    let text = ps(&["-o", "command=", "-p", &pid.to_string()]).map_or_else(String::new, |(text, _)| text);
    base::clip::head(text.trim(), 120).into_owned()
}

/// Nobody may read another process's environment here.
pub(crate) fn variable(_: u32, _: &str) -> Option<String> {
    None
}

fn ps(args: &[&str]) -> Option<(String, u32)> {
    let child = Command::new("ps").args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let pid = child.id();
    let output = child.wait_with_output().ok()?;
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), pid))
}

fn parse(line: &str) -> Option<Row> {
    let mut fields = line.split_ascii_whitespace();
    Some(Row {
        pid: fields.next()?.parse().ok()?,
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
        zombie: fields.next()?.starts_with('Z'),
        start: fields.collect::<Vec<_>>().join(" "),
    })
}
