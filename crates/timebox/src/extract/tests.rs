use std::io::Cursor;

use proptest::prelude::*;

use super::*;

fn extracted(log: &str, limits: &Limits) -> Extraction {
    extract(&mut Cursor::new(log), limits).unwrap()
}

fn everything() -> Limits {
    Limits { characters: 1_000_000, ..Limits::last(u64::MAX) }
}

fn numbered(lines: std::ops::RangeInclusive<u32>, trouble: &[u32]) -> String {
    let line = |n| if trouble.contains(&n) { format!("line {n} FAILED\n") } else { format!("line {n}\n") };
    lines.map(line).collect()
}

#[test]
fn a_line_that_matters_comes_with_three_lines_on_each_side() {
    let found = extracted(&numbered(1..=20, &[10]), &everything());
    assert_eq!(found.excerpts.len(), 1);
    assert_eq!(
        found.text(),
        "[raw.log 7-13]\n  line 7\n  line 8\n  line 9\n> line 10 FAILED\n  line 11\n  line 12\n  line 13"
    );
}

#[test]
fn overlapping_and_adjacent_contexts_are_one_block_and_distant_ones_two() {
    let blocks = |second| extracted(&numbered(1..=40, &[10, second]), &everything()).excerpts.len();
    assert_eq!((blocks(11), blocks(16), blocks(17), blocks(18)), (1, 1, 1, 2));
}

#[test]
fn the_window_begins_with_a_whole_line() {
    let log = "error one\nerror two\nerror three\n";
    let texts = |bytes| {
        let found = extracted(log, &Limits { context_lines: 0, ..Limits::last(bytes) });
        found.tail_lines
    };
    assert_eq!(texts(12), ["error three"]);
    assert_eq!(texts(13), ["error three"]);
    assert_eq!(texts(21), ["error three"]);
    assert_eq!(texts(22), ["error two", "error three"]);
    assert_eq!(texts(5), ["hree"]);
    assert_eq!(texts(0), Vec::<String>::new());
}

#[test]
fn a_window_without_a_line_break_is_a_part_of_a_line() {
    assert_eq!(extracted("aaaa fatal", &Limits::last(7)).tail_lines, ["a fatal"]);
}

#[test]
fn numbers_are_the_logs_when_its_lines_were_counted_and_relative_otherwise() {
    let log = numbered(1..=100, &[95]);
    let limits = Limits { context_lines: 0, ..Limits::last(200) };
    let counted = extracted(&log, &Limits { log_lines: Some(100), ..limits.clone() });
    assert_eq!(counted.text(), "[raw.log 95]\n> line 95 FAILED");
    let relative = extracted(&log, &limits);
    assert!(!relative.window.numbers_are_the_logs);
    assert!(relative.text().starts_with("[raw.log's end, line "), "{}", relative.text());
}

#[test]
fn too_many_blocks_keep_the_first_and_the_last_and_say_so() {
    let trouble: Vec<u32> = (1..=2000).filter(|n| n % 20 == 0).collect();
    let found = extracted(&numbered(1..=2000, &trouble), &Limits { characters: 1000, ..everything() });
    let text = found.text();
    assert!(text.contains("line 20 FAILED") && text.contains("line 2000 FAILED"), "{text}");
    assert_eq!(found.left_out, trouble.len() - found.excerpts.len());
    assert!(text.contains(&format!("… [{} more excerpts; see raw.log]", found.left_out)));
    assert!(text.chars().count() < 2000);
}

#[test]
fn a_block_that_never_ends_and_a_line_that_never_ends_are_cut() {
    let log = numbered(1..=5_000, &(1..=5_000).collect::<Vec<_>>());
    let found = extracted(&log, &Limits::last(u64::MAX));
    assert_eq!(found.excerpts.len(), 1);
    assert!(found.text().chars().count() < 4000);
    let long = format!("{} panic {}", "é".repeat(20_000), "x".repeat(100_000));
    let found = extracted(&long, &everything());
    assert!(found.text().contains("panic") && found.text().chars().count() < 700, "{}", found.text());
}

#[test]
fn records_lose_their_heads_and_escapes() {
    let log = "[2026-01-12T12:34:56.789Z] [stderr] \u{1b}[31mFAIL\u{1b}[0m x\r\n";
    assert_eq!(extracted(log, &everything()).text(), "[raw.log 1]\n> FAIL x");
}

#[test]
fn an_empty_log_has_nothing() {
    let found = extracted("", &everything());
    assert_eq!((found.text().as_str(), found.tail_lines.len(), found.window.lines), ("", 0, 0));
}

fn log_line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z ]{0,20}".prop_filter("no trouble", |line| pattern::find(line).is_none()),
        1 => "[a-z ]{0,5}(FAILED|Error|fatal|KeyException|Traceback|panic)[a-z ]{0,5}",
    ]
}

/// Seed B's properties, at least a hundred cases each.
mod properties {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// BP8: only the last `max_output_bytes` bytes count; what lies before them changes nothing.
        #[test]
        fn what_lies_before_the_window_changes_nothing(
            before in prop::collection::vec(log_line(), 0..10),
            lines in prop::collection::vec(log_line(), 0..20),
        ) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let log = before.iter().map(|line| format!("{line}\n")).collect::<String>() + &text;
            let limits = Limits { characters: 1_000_000, ..Limits::last(text.len() as u64) };
            let (whole, window) = (extracted(&text, &everything()), extracted(&log, &limits));
            prop_assert_eq!(&whole.tail_lines, &window.tail_lines);
            prop_assert_eq!(whole.excerpts, window.excerpts);
            prop_assert!(window.window.bytes <= limits.max_output_bytes);
        }

        /// BP8: whatever the bytes and the limit, nothing that is shown comes from before the window.
        #[test]
        fn nothing_is_shown_from_before_the_window(old in "[a-f\n]{0,200}", new in "[u-z\n]{0,200}") {
            let found = extracted(&(old + &new), &Limits::last(new.len() as u64));
            let shown = found.text() + &found.tail_lines.join("");
            prop_assert!(!found.tail_lines.join("").contains(['a', 'b', 'c', 'd', 'f']), "{shown}");
            prop_assert_eq!(found.excerpts.len(), 0);
        }

        /// BP9: every line that matters is there and marked, with `context` lines around it, and nothing else is.
        #[test]
        fn every_line_that_matters_comes_with_its_context(
            lines in prop::collection::vec(log_line(), 0..60),
            context in 0usize..5,
        ) {
            let log: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let found = extracted(&log, &Limits { context_lines: context, ..everything() });
            let matters: Vec<bool> = lines.iter().map(|line| pattern::find(line).is_some()).collect();
            let mut expected = vec![None; lines.len()];
            for at in (0..lines.len()).filter(|at| matters[*at]) {
                for near in at.saturating_sub(context)..(at + context + 1).min(lines.len()) {
                    expected[near] = Some(format!("{} {}", if matters[near] { ">" } else { " " }, lines[near]));
                }
            }
            let mut shown = vec![None; lines.len()];
            for excerpt in &found.excerpts {
                for (line, at) in excerpt.text.split('\n').zip(excerpt.first_line..=excerpt.last_line) {
                    shown[at as usize - 1] = Some(line.to_owned());
                }
            }
            prop_assert_eq!(shown, expected);
            // Merged: no two excerpts touch.
            prop_assert!(found.excerpts.windows(2).all(|pair| pair[0].last_line + 1 < pair[1].first_line));
        }

        #[test]
        fn any_bytes_at_all_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300), limit in 0u64..400) {
            let found = extract(&mut Cursor::new(bytes), &Limits::last(limit)).unwrap();
            prop_assert!(found.window.bytes <= limit && found.tail_lines.len() <= 20);
        }
    }
}
