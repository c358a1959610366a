//! What was measured so far, of whom and what; and why something was not.

use std::collections::HashMap;

use super::rows::Row;

/// A row of one contender.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    Samples(Vec<f64>),
    /// It was tried and did not work.
    Failed(String),
    /// There is nothing of this kind to be measured.
    Absent(&'static str),
}

/// The entries of every contender.
#[derive(Debug)]
pub(super) struct Book(Vec<HashMap<Row, Entry>>);

impl Book {
    pub(super) fn new(contenders: usize) -> Self {
        Self(vec![HashMap::new(); contenders])
    }

    /// Whether a row is still worth measuring: what failed once would fail again, after its time-out.
    pub(super) fn is_open(&self, who: usize, row: Row) -> bool {
        matches!(self.entry(who, row), None | Some(Entry::Samples(_)))
    }

    /// Writes down a measurement; nothing that failed or is absent becomes a number again.
    pub(super) fn note(&mut self, who: usize, row: Row, value: f64) {
        if let Entry::Samples(samples) = self.0[who].entry(row).or_insert(Entry::Samples(Vec::new())) {
            samples.push(value);
        }
    }

    /// Writes down why there will be no number.
    pub(super) fn fail(&mut self, who: usize, row: Row, why: &anyhow::Error) {
        self.0[who].insert(row, Entry::Failed(format!("{why:#}")));
    }

    /// Writes down that there is nothing to measure.
    pub(super) fn leave_out(&mut self, who: usize, row: Row, why: &'static str) {
        self.0[who].insert(row, Entry::Absent(why));
    }

    pub(super) fn entry(&self, who: usize, row: Row) -> Option<&Entry> {
        self.0[who].get(&row)
    }
}

/// The least, the middle and the ninetieth of a hundred.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) least: f64,
    pub(super) median: f64,
    pub(super) p90: f64,
}

impl Spread {
    /// Of an even number, the median is the lower of the two in the middle.
    pub(super) fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        Some(Self { least: sorted[0], median: sorted[last / 2], p90: sorted[(last * 9).div_ceil(10)] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_its_numbers_from_the_samples() {
        let samples: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(Spread::of(&samples), Some(Spread { least: 1.0, median: 10.0, p90: 19.0 }));
        assert_eq!(Spread::of(&[2.0]), Some(Spread { least: 2.0, median: 2.0, p90: 2.0 }));
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn what_failed_stays_failed() {
        let mut book = Book::new(1);
        book.note(0, Row::Click, 1.0);
        book.fail(0, Row::Click, &anyhow::anyhow!("covered"));
        book.note(0, Row::Click, 2.0);
        assert_eq!(book.entry(0, Row::Click), Some(&Entry::Failed("covered".to_owned())));
        assert!(!book.is_open(0, Row::Click) && book.is_open(0, Row::Type));
    }
}
