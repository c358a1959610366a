//! The names of navigations. Firefox gives one a second name when the document that it leaves was busy at its start: it is
//! told as begun once more, for the same address, and what follows has now the one name, now the other.

use std::collections::VecDeque;

use wire::bidi::types::ids::NavigationId;

/// As many as are remembered.
const REMEMBERED: usize = 32;

/// Navigations that have several names.
#[derive(Debug, Default)]
pub(super) struct Names(VecDeque<Alias>);

#[derive(Debug)]
struct Alias {
    name: NavigationId,
    first: NavigationId,
}

impl Names {
    /// `name` is what is called `first` already.
    pub(super) fn note(&mut self, name: &NavigationId, first: &NavigationId) {
        if name == first {
            return;
        }
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(Alias { name: name.clone(), first: first.clone() });
    }

    /// The name by which the engine knows it.
    pub(super) fn first(&self, name: &NavigationId) -> NavigationId {
        self.0.iter().find(|alias| alias.name == *name).map_or_else(|| name.clone(), |it| it.first.clone())
    }

    /// Whether it goes on by another name: that it was given up is not the end then.
    pub(super) fn goes_on(&self, name: &NavigationId) -> bool {
        let newest = |alias: &&Alias| alias.first == self.first(name);
        self.0.iter().rev().find(newest).is_some_and(|newest| newest.name != *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_navigation_goes_on_by_its_newest_name() {
        let [one, two, three, other] = ["one", "two", "three", "other"].map(NavigationId::from);
        let mut names = Names::default();
        names.note(&two, &one);
        names.note(&three, &one);
        assert_eq!(
            [&one, &two, &three].map(|name| names.first(name)),
            [one.clone(), one.clone(), one.clone()]
        );
        assert_eq!([&one, &two, &three, &other].map(|name| names.goes_on(name)), [true, true, false, false]);
    }
}
