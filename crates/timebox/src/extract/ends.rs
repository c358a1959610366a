//! The beginning and the end of something of unknown length, within a budget.

use std::collections::VecDeque;

/// Keeps the first items up to half of the budget, and the last ones up to the other half.
#[derive(Debug)]
pub(super) struct Ends<T> {
    half: usize,
    head: Vec<T>,
    room: usize,
    tail: VecDeque<(T, usize)>,
    tail_weight: usize,
    dropped: usize,
}

impl<T> Ends<T> {
    pub(super) fn new(budget: usize) -> Self {
        let half = budget / 2;
        Self { half, head: Vec::new(), room: half, tail: VecDeque::new(), tail_weight: 0, dropped: 0 }
    }

    /// Adds an item. The newest one always stays, whatever it weighs.
    pub(super) fn push(&mut self, item: T, weight: usize) {
        if self.tail.is_empty() && weight <= self.room {
            self.room -= weight;
            self.head.push(item);
            return;
        }
        self.tail.push_back((item, weight));
        self.tail_weight += weight;
        while self.tail_weight > self.half && self.tail.len() > 1 {
            if let Some((_, weight)) = self.tail.pop_front() {
                self.tail_weight -= weight;
                self.dropped += 1;
            }
        }
    }

    /// The first items, how many are missing then, and the last items.
    pub(super) fn finish(self) -> (Vec<T>, usize, Vec<T>) {
        (self.head, self.dropped, self.tail.into_iter().map(|(item, _)| item).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_is_a_beginning_and_an_end_and_the_rest_is_counted(
            weights in prop::collection::vec(1usize..20, 0..60),
            budget in 40usize..200,
        ) {
            let mut ends = Ends::new(budget);
            for (at, weight) in weights.iter().enumerate() {
                ends.push(at, *weight);
            }
            let (head, dropped, tail) = ends.finish();
            prop_assert_eq!(head.len() + dropped + tail.len(), weights.len());
            prop_assert!(head.iter().copied().eq(0..head.len()));
            prop_assert!(tail.iter().copied().eq(weights.len() - tail.len()..weights.len()));
            let kept: usize = head.iter().chain(&tail).map(|at| weights[*at]).sum();
            prop_assert!(kept <= budget);
            // The head may leave a gap that is smaller than its next item.
            prop_assert!(dropped == 0 || weights.iter().sum::<usize>() + 20 > budget);
        }
    }
}
