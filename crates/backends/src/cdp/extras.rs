//! The headers that really went over the network. The browser tells of them by a way of their own, on which they keep their
//! order: those of a request, those of its response, those of what it was redirected to. But all of them may come before or
//! after what they belong to is told.

use wire::cdp::types::network::Headers;

/// Those of one request and of all that its redirects led to.
#[derive(Debug, Default)]
pub(super) struct Extras {
    hops: Vec<Hop>,
    pairs: Vec<Pair>,
}

/// A request that is told.
#[derive(Debug, Default)]
struct Hop {
    /// Whether it has a pair, by the browser's word: known with its response.
    promised: Option<bool>,
}

/// The headers that went out, and those that came back: the end of a pair.
#[derive(Debug, Default)]
struct Pair {
    sent: Option<Headers>,
    answered: Option<Headers>,
}

impl Extras {
    /// A request that nothing redirected to is told, or it is told again: another of the page's sessions knows it too.
    pub(super) fn begin(&mut self) -> Option<Headers> {
        self.hops.clear();
        self.request()
    }

    /// A request is told: what it was sent with, if that is known already.
    pub(super) fn request(&mut self) -> Option<Headers> {
        let pair = self.hops.iter().filter(|hop| hop.promised != Some(false)).count();
        self.hops.push(Hop::default());
        self.pairs.get(pair)?.sent.clone()
    }

    /// The newest request's response is told: what it came with, if that is `promised` and known already.
    pub(super) fn response(&mut self, promised: bool) -> Option<Headers> {
        let (newest, earlier) = self.hops.split_last_mut()?;
        newest.promised = Some(promised);
        let pair = earlier.iter().filter(|hop| hop.promised != Some(false)).count();
        self.pairs.get(pair).filter(|_| promised)?.answered.clone()
    }

    /// Headers went out: how many redirects ago the request was told that they belong to, if it was.
    pub(super) fn went_out(&mut self, headers: &Headers) -> Option<usize> {
        // Until something came back, it is the same that goes out, once more.
        if self.pairs.last().is_none_or(|pair| pair.answered.is_some()) {
            self.pairs.push(Pair::default());
        }
        self.pairs.last_mut()?.sent = Some(headers.clone());
        self.ago().map(|(ago, _)| ago)
    }

    /// Headers came back: how many redirects ago the response was told that they belong to, if it was.
    pub(super) fn came_back(&mut self, headers: &Headers) -> Option<usize> {
        if self.pairs.last().is_none_or(|pair| pair.answered.is_some()) {
            self.pairs.push(Pair::default());
        }
        self.pairs.last_mut()?.answered = Some(headers.clone());
        self.ago().and_then(|(ago, hop)| hop.promised.map(|_| ago))
    }

    /// Whether all headers that were promised to requests that are told have come.
    pub(super) fn over(&self) -> bool {
        let promised = self.hops.iter().filter(|hop| hop.promised == Some(true)).count();
        let complete = |pair: &&Pair| pair.sent.is_some() && pair.answered.is_some();
        !self.hops.is_empty() && self.pairs.iter().filter(complete).count() >= promised
    }

    /// The request of the newest pair, and how many redirects ago it was.
    fn ago(&self) -> Option<(usize, &Hop)> {
        let with_pair = self.hops.iter().enumerate().filter(|(_, hop)| hop.promised != Some(false));
        let (at, hop) = with_pair.into_iter().nth(self.pairs.len() - 1)?;
        Some((self.hops.len() - 1 - at, hop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Headers {
        [("name".to_owned(), name.to_owned())].into()
    }

    #[test]
    fn what_comes_first_waits() {
        let mut extras = Extras::default();
        assert_eq!(extras.went_out(&named("out")), None);
        assert_eq!(extras.request(), Some(named("out")));
        assert_eq!(extras.came_back(&named("back")), None);
        assert_eq!(extras.response(true), Some(named("back")));
        assert!(extras.over());
    }

    #[test]
    fn what_comes_last_is_owed() {
        let mut extras = Extras::default();
        assert_eq!(extras.request(), None);
        assert_eq!(extras.response(true), None);
        assert!(!extras.over());
        assert_eq!(extras.went_out(&named("out")), Some(0));
        assert!(!extras.over());
        assert_eq!(extras.came_back(&named("back")), Some(0));
        assert!(extras.over());
    }

    #[test]
    fn what_a_redirect_led_to_may_overtake_the_redirect() {
        let mut extras = Extras::default();
        assert_eq!(extras.request(), None);
        assert_eq!(extras.went_out(&named("first out")), Some(0));
        assert_eq!(extras.came_back(&named("first back")), None);
        assert_eq!(extras.went_out(&named("second out")), None);
        assert_eq!(extras.came_back(&named("second back")), None);
        assert_eq!(extras.response(true), Some(named("first back")));
        assert_eq!(extras.request(), Some(named("second out")));
        assert_eq!(extras.response(true), Some(named("second back")));
        assert!(extras.over());
    }

    #[test]
    fn a_redirect_may_overtake_its_headers() {
        let mut extras = Extras::default();
        assert_eq!(extras.request(), None);
        assert_eq!(extras.response(true), None);
        assert_eq!(extras.request(), None);
        assert_eq!(extras.went_out(&named("first out")), Some(1));
        assert_eq!(extras.came_back(&named("first back")), Some(1));
        assert_eq!(extras.went_out(&named("second out")), Some(0));
        assert_eq!(extras.came_back(&named("second back")), None);
        assert_eq!(extras.response(true), Some(named("second back")));
        assert!(extras.over());
    }

    #[test]
    fn what_has_none_takes_none() {
        let mut extras = Extras::default();
        assert_eq!(extras.request(), None);
        assert_eq!(extras.response(false), None);
        assert_eq!(extras.request(), None);
        assert_eq!(extras.went_out(&named("out")), Some(0));
        assert_eq!(extras.came_back(&named("back")), None);
        assert_eq!(extras.response(true), Some(named("back")));
        assert!(extras.over());
    }

    #[test]
    fn what_is_sent_twice_has_one_response() {
        let mut extras = Extras::default();
        assert_eq!(extras.request(), None);
        assert_eq!(extras.went_out(&named("out")), Some(0));
        assert_eq!(extras.went_out(&named("out again")), Some(0));
        assert_eq!(extras.came_back(&named("back")), None);
        assert_eq!(extras.response(true), Some(named("back")));
        assert_eq!(extras.request(), None);
        assert_eq!(extras.went_out(&named("redirected")), Some(0));
    }
}
