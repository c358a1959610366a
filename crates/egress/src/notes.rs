//! What a gate refused, until somebody asks. A page that asks for the same a thousand times is one note.

use std::collections::VecDeque;
use std::time::SystemTime;

use crate::refusal::Refusal;

/// As many different refusals as are kept; the rest is counted.
const MOST: usize = 64;
/// As much of a URL as is kept.
const LONGEST_URL: usize = 500;

/// A refusal as it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// What was refused.
    pub refusal: Refusal,
    /// The URL that was asked for; of what is encrypted only the host is known.
    pub url: Option<String>,
    /// When it was asked for first.
    pub at: SystemTime,
    /// How often.
    pub times: u64,
}

/// What was refused since the last time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refusals {
    /// Each once, in their order.
    pub noted: Vec<Noted>,
    /// How many others there were.
    pub others: u64,
}

/// A host that was permitted and could not be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreached {
    /// The host, normalised.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What went wrong, by its name.
    pub trouble: Trouble,
    /// In the system's words.
    pub why: String,
}

/// What can go wrong on the way to a host that is permitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The name has no address.
    NoName,
    /// Nobody listens there.
    Refused,
    /// Nobody answered in time.
    Silent,
    /// Whoever answered broke off.
    BrokenOff,
    /// What answered is no HTTP.
    NoHttp,
    /// Something else kept the connection from being made.
    Other,
}

impl Trouble {
    /// As browsers call it, so that it reads the same with a proxy as without.
    pub fn word(self) -> &'static str {
        match self {
            Self::NoName => "net::ERR_NAME_NOT_RESOLVED",
            Self::Refused => "net::ERR_CONNECTION_REFUSED",
            Self::Silent => "net::ERR_CONNECTION_TIMED_OUT",
            Self::BrokenOff => "net::ERR_EMPTY_RESPONSE",
            Self::NoHttp => "net::ERR_INVALID_HTTP_RESPONSE",
            Self::Other => "net::ERR_CONNECTION_FAILED",
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    kept: VecDeque<Noted>,
    unreached: VecDeque<Unreached>,
    others: u64,
    ever: u64,
}

impl Notes {
    pub(crate) fn add(&mut self, refusal: &Refusal, url: Option<&str>) {
        self.ever += 1;
        let url = url.map(|url| base::clip::head(url, LONGEST_URL).into_owned());
        if let Some(same) = self.kept.iter_mut().find(|note| note.refusal == *refusal && note.url == url) {
            same.times += 1;
        } else if self.kept.len() < MOST {
            self.kept.push_back(Noted { refusal: refusal.clone(), url, at: SystemTime::now(), times: 1 });
        } else {
            self.others += 1;
        }
    }

    pub(crate) fn take(&mut self) -> Refusals {
        Refusals { noted: std::mem::take(&mut self.kept).into(), others: std::mem::take(&mut self.others) }
    }

    /// Remembers that a host was not reached; the last ones count.
    pub(crate) fn add_unreached(&mut self, unreached: Unreached) {
        if self.unreached.contains(&unreached) {
            return;
        }
        if self.unreached.len() == MOST {
            self.unreached.pop_front();
        }
        self.unreached.push_back(unreached);
    }

    pub(crate) fn take_unreached(&mut self) -> Vec<Unreached> {
        std::mem::take(&mut self.unreached).into()
    }

    /// How many there were since the gate was opened.
    pub(crate) fn ever(&self) -> u64 {
        self.ever
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Rule;

    fn refusal(host: &str) -> Refusal {
        Refusal { host: host.to_owned(), port: 80, address: None, rule: Rule::NotListed }
    }

    #[test]
    fn the_same_refusal_is_one_note_and_their_number_is_bounded() {
        let mut notes = Notes::default();
        for _ in 0..1000 {
            notes.add(&refusal("a"), Some("http://a/"));
        }
        for n in 0..100 {
            notes.add(&refusal(&format!("b{n}")), None);
        }
        let taken = notes.take();
        assert_eq!((taken.noted[0].times, taken.noted.len(), taken.others), (1000, MOST, 37));
        assert_eq!((notes.take(), notes.ever()), (Refusals::default(), 1100));
    }
}
