//! What a browser holds in memory.

use testkit::process;

/// The sum over everything that this process started, in MiB, of what each has for itself and its share of what it
/// shares; the watchdogs are ours on both sides and count on both.
pub(crate) fn of_browsers() -> f64 {
    let shares = process::descendants(std::process::id()).into_iter().filter_map(share_of);
    shares.sum::<f64>() / 1024.0
}

fn share_of(pid: u32) -> Option<f64> {
    // A process may end between being listed and being asked.
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find(|line| line.starts_with("Pss:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
