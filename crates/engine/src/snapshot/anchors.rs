//! Which lines of two snapshots are the same: patience diff.
//!
//! A line that occurs once in both is an anchor (and most lines do, because they carry a ref); the longest chain of
//! anchors in the same order holds, and the gaps between them are searched in the same way. What is left at the edges
//! of a gap is matched one by one. Depth doesn't count: a wrapper that appears around the page leaves its lines the same.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// Pairs of indices, ascending in both, at which `old` and `new` have the same.
pub(super) fn anchors<T: Copy + Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open = vec![(0..old.len(), 0..new.len())];
    while let Some((olds, news)) = open.pop() {
        let (olds, news) = match_edges(old, new, olds, news, &mut pairs);
        if olds.is_empty() || news.is_empty() {
            continue;
        }
        let chain = longest_chain(&unique_in_both(old, new, &olds, &news));
        let (mut next_old, mut next_new) = (olds.start, news.start);
        for &(at_old, at_new) in &chain {
            open.push((next_old..at_old, next_new..at_new));
            pairs.push((at_old, at_new));
            (next_old, next_new) = (at_old + 1, at_new + 1);
        }
        if !chain.is_empty() {
            open.push((next_old..olds.end, next_new..news.end));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Matches what the two ranges begin and end with, and gives what lies between.
fn match_edges<T: Eq>(
    old: &[T],
    new: &[T],
    mut olds: Range<usize>,
    mut news: Range<usize>,
    pairs: &mut Vec<(usize, usize)>,
) -> (Range<usize>, Range<usize>) {
    while !olds.is_empty() && !news.is_empty() && old[olds.start] == new[news.start] {
        pairs.push((olds.start, news.start));
        olds.start += 1;
        news.start += 1;
    }
    while !olds.is_empty() && !news.is_empty() && old[olds.end - 1] == new[news.end - 1] {
        olds.end -= 1;
        news.end -= 1;
        pairs.push((olds.end, news.end));
    }
    (olds, news)
}

/// Where those are that each range has exactly once, in the order of the new one.
fn unique_in_both<T: Copy + Eq + Hash>(
    old: &[T],
    new: &[T],
    olds: &Range<usize>,
    news: &Range<usize>,
) -> Vec<(usize, usize)> {
    let once = |lines: &[T], range: &Range<usize>| {
        let mut places: HashMap<T, Option<usize>> = HashMap::new();
        for at in range.clone() {
            places.entry(lines[at]).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let in_old = once(old, olds);
    let in_new = once(new, news);
    let mut both: Vec<(usize, usize)> = in_new
        .into_iter()
        .filter_map(|(text, at_new)| Some((in_old.get(&text).copied()??, at_new?)))
        .collect();
    both.sort_unstable_by_key(|&(_, at_new)| at_new);
    both
}

/// The longest subsequence that ascends in the old indices too (patience sorting).
fn longest_chain(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut tops: Vec<usize> = Vec::new(); // by length: the pair that ends the chain with the smallest old index
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(old, _)) in pairs.iter().enumerate() {
        let length = tops.partition_point(|&top| pairs[top].0 < old);
        before.push(length.checked_sub(1).map(|shorter| tops[shorter]));
        if length == tops.len() {
            tops.push(at);
        } else {
            tops[length] = at;
        }
    }
    let mut chain = Vec::with_capacity(tops.len());
    let mut at = tops.last().copied();
    while let Some(index) = at {
        chain.push(pairs[index]);
        at = before[index];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_moved_is_matched_in_one_place_only() {
        let old = ["a", "b", "c", "d"];
        let new = ["a", "c", "d", "b"];
        assert_eq!(anchors(&old, &new), [(0, 0), (2, 1), (3, 2)]);
    }

    #[test]
    fn repeated_lines_are_matched_between_anchors() {
        let old = ["x", "1", "x", "2", "x"];
        let new = ["x", "1", "x", "x", "2", "x"];
        assert_eq!(anchors(&old, &new), [(0, 0), (1, 1), (2, 2), (3, 4), (4, 5)]);
    }
}
