//! Keeping a snapshot within a number of characters, and saying what was left out.
//!
//! The shape of a page is worth more than the thousandth row: the same limit on the number of children is set for
//! every container, as high as the budget allows, and where it cuts, a line tells how many of what are missing. A page
//! that is too big even so is cut at its end.

use std::borrow::Cow;

use super::Line;

/// No container shows fewer children than this.
const FEWEST_CHILDREN: usize = 3;
/// The key of a line that stands for others, and is none of the page's.
const NOTE: &str = "…";
/// Room for the note at the end.
const NOTE_SIZE: usize = 24;

/// The lines that fit into `budget` characters of YAML, and how many of the page's own do not.
pub fn within_budget(lines: &[Line], budget: usize) -> (Vec<Line>, usize) {
    if lines.iter().map(size_of).sum::<usize>() <= budget {
        return (lines.to_vec(), 0);
    }
    let (mut low, mut high) = (FEWEST_CHILDREN, lines.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if size(&limit_children(lines, middle)) <= budget {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let kept = cut_at_end(limit_children(lines, low), budget);
    let own = kept.iter().filter(|line| line.key != NOTE).count();
    let left_out = lines.len() - own;
    (kept.into_iter().map(Cow::into_owned).collect(), left_out)
}

/// How many characters the lines have as YAML, at most.
fn size(lines: &[Cow<'_, Line>]) -> usize {
    lines.iter().map(|line| size_of(line)).sum()
}

fn size_of(line: &Line) -> usize {
    // The indentation, the dash and its space, a colon, and the line's end.
    2 * line.depth + line.text.chars().count() + 4
}

/// The first `limit` children of every container, and a line for the rest.
fn limit_children(lines: &[Line], limit: usize) -> Vec<Cow<'_, Line>> {
    let mut kept = Vec::new();
    let mut counts: Vec<usize> = Vec::new(); // children so far, by depth
    let mut skipped: Option<Skipped<'_>> = None;
    for line in lines {
        match &mut skipped {
            Some(skipping) if line.depth > skipping.depth => continue,
            Some(skipping) if line.depth == skipping.depth => {
                skipping.count += 1;
                continue;
            }
            _ => kept.extend(skipped.take().map(|skipped| Cow::Owned(skipped.note()))),
        }
        counts.resize(line.depth + 1, 0);
        counts[line.depth] += 1;
        if counts[line.depth] <= limit {
            kept.push(Cow::Borrowed(line));
        } else {
            skipped = Some(Skipped { depth: line.depth, count: 1, role: line.role() });
        }
    }
    kept.extend(skipped.map(|skipped| Cow::Owned(skipped.note())));
    kept
}

/// Siblings that are being left out.
struct Skipped<'a> {
    depth: usize,
    count: usize,
    role: &'a str,
}

impl Skipped<'_> {
    fn note(&self) -> Line {
        note(self.depth, &format!("{} more ({})", self.count, self.role))
    }
}

fn note(depth: usize, text: &str) -> Line {
    Line { depth, key: NOTE.to_owned(), text: format!("… {text}"), reference: None }
}

fn cut_at_end(mut lines: Vec<Cow<'_, Line>>, budget: usize) -> Vec<Cow<'_, Line>> {
    if size(&lines) <= budget {
        return lines;
    }
    let mut used = NOTE_SIZE;
    let fit = lines.iter().take_while(|line| {
        used += size_of(line);
        used <= budget
    });
    let fit = fit.count();
    let rest = lines.len() - fit;
    lines.truncate(fit);
    lines.push(Cow::Owned(note(0, &format!("{rest} more lines"))));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{parse, yaml};

    fn list(items: usize) -> Vec<Line> {
        let mut text = String::from("- heading \"List\" [level=1] [ref=e1]\n- list [ref=e2]:");
        for item in 0..items {
            text.push_str(&format!("\n  - link \"Item {item}\" [ref=e{}]:\n    - /url: /{item}", item + 3));
        }
        parse(&(text + "\n- paragraph: End"))
    }

    #[test]
    fn what_fits_stays_whole() {
        let lines = list(3);
        assert_eq!(within_budget(&lines, 10_000), (lines, 0));
    }

    #[test]
    fn a_long_list_is_shortened_and_what_follows_it_stays() {
        let lines = list(50);
        let (kept, left_out) = within_budget(&lines, 400);
        let text = yaml(&kept);
        assert!(text.chars().count() <= 400, "{text}");
        assert!(text.contains("  - … 44 more (link)\n- paragraph: End"), "{text}");
        assert_eq!(left_out, 88);
    }

    #[test]
    fn a_page_that_is_too_big_in_every_way_is_cut_at_its_end() {
        let deep: Vec<Line> = (0..200).map(|depth| Line { depth, ..list(0)[1].clone() }).collect();
        let (kept, left_out) = within_budget(&deep, 300);
        assert!(yaml(&kept).chars().count() <= 300);
        assert!(kept.last().unwrap().text.ends_with("more lines"));
        assert_eq!(left_out, 200 - (kept.len() - 1));
    }
}
