//! The tables: ours beside each peer, the ratio, the goal, and whether it was met.

use anyhow::ensure;

use super::book::{Book, Entry, Spread};
use super::contender::Contender;
use super::rows::{LINES, Line, Unit};

/// How much of a reason is shown.
const REASON: usize = 200;

/// The place of ours among the contenders.
const OURS: usize = 0;

/// Which goal of a line is which peer's, in the order of the contenders.
const GOALS: [fn(&Line) -> Option<f64>; 2] = [|line| line.playwright, |line| line.agent_browser];

/// Whether a goal was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Met,
    Missed,
    NotMeasured,
    /// There is no goal, or nothing to compare with.
    None,
}

/// Prints a table for each peer, and fails when a goal was missed or could not be measured.
pub(super) fn print(contenders: &[Box<dyn Contender>], book: &Book) -> anyhow::Result<()> {
    let mut verdicts = Vec::new();
    for (peer, goal) in (OURS + 1..contenders.len()).zip(GOALS) {
        let name = contenders[peer].name();
        println!("\nours beside {name} (least · median · p90; the ratio is that of the medians)\n");
        println!("| what | ours | {name} | ratio | goal | verdict |\n|---|---|---|---|---|---|");
        for line in LINES {
            verdicts.extend(print_line(line, goal(line), book, peer));
        }
    }
    for (who, contender) in contenders.iter().enumerate() {
        print_reasons(contender.name(), who, book);
    }
    let judged = verdicts.iter().filter(|verdict| **verdict != Verdict::None).count();
    let bad =
        verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Missed | Verdict::NotMeasured)).count();
    ensure!(bad == 0, "{bad} of {judged} goals were missed or could not be measured");
    Ok(())
}

/// Prints a line; none when nobody ever meant to measure it.
fn print_line(line: &Line, goal: Option<f64>, book: &Book, peer: usize) -> Option<Verdict> {
    let (ours, theirs) = (book.entry(OURS, line.row), book.entry(peer, line.row));
    if goal.is_none() && theirs.is_none() {
        return None;
    }
    let ratio = spread(ours).zip(spread(theirs)).map(|(ours, theirs)| ours.median / theirs.median);
    let verdict = judge(ratio, goal, theirs);
    println!(
        "| {} | {} | {} | {} | {} | {} |",
        line.name,
        cell(ours, line.unit),
        cell(theirs, line.unit),
        ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.3}")),
        goal.map_or_else(|| "–".to_owned(), |goal| format!("≤ {goal}")),
        match verdict {
            Verdict::Met => "met",
            Verdict::Missed => "MISSED",
            Verdict::NotMeasured => "NOT MEASURED",
            Verdict::None => "–",
        }
    );
    Some(verdict)
}

fn judge(ratio: Option<f64>, goal: Option<f64>, theirs: Option<&Entry>) -> Verdict {
    match (goal, ratio) {
        (None, _) => Verdict::None,
        _ if matches!(theirs, Some(Entry::Absent(_))) => Verdict::None,
        (Some(_), None) => Verdict::NotMeasured,
        (Some(goal), Some(ratio)) if ratio <= goal => Verdict::Met,
        _ => Verdict::Missed,
    }
}

fn spread(entry: Option<&Entry>) -> Option<Spread> {
    match entry {
        Some(Entry::Samples(samples)) => Spread::of(samples),
        _ => None,
    }
}

/// What stands in the table for an entry.
fn cell(entry: Option<&Entry>, unit: Unit) -> String {
    match entry {
        Some(Entry::Absent(why)) => format!("none: {why}"),
        Some(Entry::Failed(_)) => "failed, see below".to_owned(),
        _ => spread(entry).map_or_else(|| "–".to_owned(), |spread| numbers(spread, unit)),
    }
}

/// The three numbers, or one where all are the same.
fn numbers(Spread { least, median, p90 }: Spread, unit: Unit) -> String {
    let (digits, unit) = match unit {
        Unit::Milliseconds => (1, "ms"),
        Unit::Mebibytes => (1, "MiB"),
        Unit::Bytes => (0, "B"),
    };
    if (least, median) == (median, p90) {
        return format!("{median:.digits$} {unit}");
    }
    format!("{least:.digits$} · {median:.digits$} · {p90:.digits$} {unit}")
}

/// Tells why rows of a contender failed, each reason once.
fn print_reasons(name: &str, who: usize, book: &Book) {
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for line in LINES {
        let Some(Entry::Failed(why)) = book.entry(who, line.row) else { continue };
        let why: String = why.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(REASON).collect();
        match told.iter_mut().find(|(known, _)| *known == why) {
            Some((_, rows)) => rows.push(line.name),
            None => told.push((why, vec![line.name])),
        }
    }
    for (why, rows) in told {
        println!("\n{name} failed at {}:\n  {why}", rows.join("; "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_met_missed_not_measured_or_none() {
        let samples = Entry::Samples(vec![1.0]);
        assert_eq!(judge(Some(0.5), Some(0.5), Some(&samples)), Verdict::Met);
        assert_eq!(judge(Some(0.6), Some(0.5), Some(&samples)), Verdict::Missed);
        assert_eq!(judge(None, Some(0.5), Some(&samples)), Verdict::NotMeasured);
        assert_eq!(judge(None, Some(0.5), None), Verdict::NotMeasured);
        assert_eq!(judge(None, Some(0.5), Some(&Entry::Absent("no server"))), Verdict::None);
        assert_eq!(judge(Some(9.0), None, Some(&samples)), Verdict::None);
    }

    #[test]
    fn a_cell_tells_the_spread_or_why_there_is_none() {
        let three = Entry::Samples(vec![3.0, 1.0, 2.0]);
        assert_eq!(cell(Some(&three), Unit::Milliseconds), "1.0 · 2.0 · 3.0 ms");
        assert_eq!(cell(Some(&Entry::Samples(vec![7.0])), Unit::Bytes), "7 B");
        assert_eq!(cell(Some(&Entry::Absent("no server")), Unit::Bytes), "none: no server");
        assert_eq!(cell(None, Unit::Bytes), "–");
    }
}
