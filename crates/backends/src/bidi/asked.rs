//! Requests that a page says it asks for (asked.js), until the browser tells of them as well.
//!
//! Firefox tells of a request when it is about to be sent, and nothing in the protocol says that this comes before the answer to
//! a question that was asked later. On a busy machine it does not: an action's request would be news of the time after it.

use std::collections::VecDeque;
use std::time::Duration;

use engine::backend::FrameId;
use serde_json::{Value, json};
use tokio::time::Instant;

/// The function that goes with [`CHANNEL`].
pub(super) const SCRIPT: &str = include_str!("asked.js");
/// What the page's words come by.
pub(super) const CHANNEL: &str = "asked";
/// From a page's word to the browser's. A request that is refused before it is sent is never told of.
const LATEST: Duration = Duration::from_secs(1);
/// As many of each are remembered.
const MOST: usize = 100;

/// The argument by which [`SCRIPT`] tells.
pub(super) fn channel() -> Value {
    json!({ "type": "channel", "value": { "channel": CHANNEL } })
}

/// What is known only by one of the two.
#[derive(Debug, Default)]
pub(super) struct Asked {
    by_page: VecDeque<Word>,
    by_browser: VecDeque<Word>,
}

/// Somebody's word of a request.
#[derive(Debug)]
struct Word {
    frame: FrameId,
    address: String,
    at: Instant,
}

impl Word {
    fn new(frame: &FrameId, url: &str) -> Self {
        let address = url.split('#').next().unwrap_or_default().to_owned();
        Self { frame: frame.clone(), address, at: Instant::now() }
    }

    fn is_of(&self, other: &Self) -> bool {
        self.frame == other.frame && self.address == other.address
    }

    fn is_recent(&self) -> bool {
        self.at.elapsed() < LATEST
    }
}

impl Asked {
    /// What a page said. True if one is awaited no more.
    pub(super) fn page_says(&mut self, frame: &FrameId, said: &str) -> bool {
        if let Some(url) = said.strip_prefix('+') {
            let word = Word::new(frame, url);
            if !take(&mut self.by_browser, &word) {
                add(&mut self.by_page, word);
            }
        }
        said.strip_prefix('-').is_some_and(|url| take(&mut self.by_page, &Word::new(frame, url)))
    }

    /// The browser told of a request. True if it was awaited.
    pub(super) fn browser_says(&mut self, frame: &FrameId, url: &str) -> bool {
        let word = Word::new(frame, url);
        let known = take(&mut self.by_page, &word);
        // What needs no network may be megabytes long, and no page speaks of it.
        if !known && url.starts_with("http") {
            add(&mut self.by_browser, word);
        }
        known
    }

    /// Nothing that a document asked for is told of after its end.
    pub(super) fn frame_gone(&mut self, frame: &FrameId) {
        self.by_page.retain(|word| word.frame != *frame);
        self.by_browser.retain(|word| word.frame != *frame);
    }

    /// Until when the browser is to be waited for; `None` when it has told everything that pages had said by then.
    pub(super) fn awaited(&mut self, said_by: Instant) -> Option<Instant> {
        self.by_page.retain(Word::is_recent);
        self.by_page.iter().rfind(|word| word.at <= said_by).map(|newest| newest.at + LATEST)
    }
}

fn add(words: &mut VecDeque<Word>, word: Word) {
    if words.len() == MOST {
        words.pop_front();
    }
    words.push_back(word);
}

fn take(words: &mut VecDeque<Word>, word: &Word) -> bool {
    words.retain(Word::is_recent);
    words.iter().position(|known| known.is_of(word)).and_then(|at| words.remove(at)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: &str = "frame";
    const URL: &str = "http://host/save";

    fn said(words: &[&str]) -> Asked {
        let mut asked = Asked::default();
        for word in words {
            asked.page_says(&FRAME.into(), word);
        }
        asked
    }

    fn now(asked: &mut Asked) -> Option<Instant> {
        asked.awaited(Instant::now())
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_is_awaited_until_the_browser_tells_of_it() {
        let mut asked = said(&["+http://host/save"]);
        assert_eq!(now(&mut asked), Some(Instant::now() + LATEST));
        assert!(!asked.browser_says(&FRAME.into(), "http://host/other"));
        assert!(!asked.browser_says(&"another".into(), URL));
        assert!(now(&mut asked).is_some());
        assert!(asked.browser_says(&FRAME.into(), "http://host/save#part"));
        assert_eq!(now(&mut asked), None);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_first_each_request_is_told_of_once() {
        let mut asked = Asked::default();
        assert!(!asked.browser_says(&FRAME.into(), URL));
        asked.page_says(&FRAME.into(), "+http://host/save");
        assert_eq!(now(&mut asked), None);
        asked.page_says(&FRAME.into(), "+http://host/save");
        assert!(now(&mut asked).is_some(), "the second has not been told of");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_given_up_refused_or_gone_is_not_awaited() {
        assert_eq!(now(&mut said(&["+http://host/save", "-http://host/save"])), None);
        let mut asked = said(&["+http://host/save"]);
        asked.frame_gone(&FRAME.into());
        assert_eq!(now(&mut asked), None);
        let mut asked = said(&["+http://host/save"]);
        tokio::time::advance(LATEST).await;
        assert_eq!(now(&mut asked), None);
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_browser_told_long_ago_is_another_request() {
        let mut asked = Asked::default();
        asked.browser_says(&FRAME.into(), URL);
        tokio::time::advance(LATEST).await;
        asked.page_says(&FRAME.into(), "+http://host/save");
        assert!(now(&mut asked).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_asks_for_ever_is_not_waited_for_that_long() {
        let mut asked = said(&["+http://host/1"]);
        let (began, step) = (Instant::now(), LATEST / 2);
        for _ in 0..2 {
            assert_eq!(asked.awaited(began), Some(began + LATEST));
            tokio::time::advance(step).await;
            asked.page_says(&FRAME.into(), "+http://host/2");
        }
        assert_eq!(asked.awaited(began), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_asks_for_ever_fills_no_memory() {
        let mut asked = Asked::default();
        for number in 0..MOST + 10 {
            asked.page_says(&FRAME.into(), &format!("+http://host/{number}"));
            asked.browser_says(&FRAME.into(), &format!("http://another/{number}"));
        }
        assert_eq!((asked.by_page.len(), asked.by_browser.len()), (MOST, MOST));
        let mut asked = Asked::default();
        asked.browser_says(&FRAME.into(), "data:image/png;base64,AAAA");
        assert!(asked.by_browser.is_empty());
    }
}
