//! A place in the text that is being parsed, and the few moves that every grammar here needs.

use super::ast::Regex;
use super::refusal::{Reason, SelectorRefused};

/// Reads `text` up to `end`. Offsets are those of the whole text, so that a refusal can point into what was written.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, end: text.len() }
    }

    /// The same text, read from `start` to `end` only. Both lie on character boundaries: they come from a cursor.
    pub(super) fn within(&self, start: usize, end: usize) -> Self {
        Self { text: self.text, at: start, end }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// What was read since `start`.
    pub(super) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.end
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn looking_at(&self, prefix: &str) -> bool {
        self.rest().starts_with(prefix)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.looking_at(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&fits) {
            self.next();
        }
        self.since(start)
    }

    pub(super) fn skip_space(&mut self) -> bool {
        !self.take_while(char::is_whitespace).is_empty()
    }

    /// A refusal at the current place.
    pub(super) fn refuse(&self, reason: Reason) -> SelectorRefused {
        self.refuse_at(self.at, reason)
    }

    pub(super) fn refuse_at(&self, at: usize, reason: Reason) -> SelectorRefused {
        SelectorRefused::new(self.text, at, reason)
    }

    /// The refusal that `what` was expected here.
    pub(super) fn expected(&self, what: &'static str) -> SelectorRefused {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"));
        self.refuse(Reason::Expected { what, found })
    }

    pub(super) fn expect(&mut self, sign: &str, what: &'static str) -> Result<(), SelectorRefused> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Steps over a string in quotes, the opening one being next, without interpreting it.
    pub(super) fn skip_string(&mut self) -> Result<(), SelectorRefused> {
        let start = self.at;
        let quote = self.next();
        while let Some(c) = self.next() {
            if c == '\\' {
                self.next();
            } else if Some(c) == quote {
                return Ok(());
            }
        }
        Err(self.refuse_at(start, Reason::Unclosed { sign: quote.unwrap_or('"') }))
    }

    /// A `/regular expression/flags`, the first slash being next. A slash inside `[…]` does not end it (ECMA-262 12.9.5).
    pub(super) fn regex(&mut self) -> Result<Regex, SelectorRefused> {
        let start = self.at;
        self.expect("/", "a regular expression")?;
        let mut in_class = false;
        loop {
            match self.next() {
                None => return Err(self.refuse_at(start, Reason::Unclosed { sign: '/' })),
                Some('\\') => {
                    self.next();
                }
                Some('[') => in_class = true,
                Some(']') => in_class = false,
                Some('/') if !in_class => break,
                Some(_) => {}
            }
        }
        let source = &self.text[start + 1..self.at - 1];
        let flags = self.take_while(|c| c.is_ascii_alphabetic());
        Regex::new(source, flags)
            .ok_or_else(|| self.refuse_at(start, Reason::BadRegex { text: self.since(start).to_owned() }))
    }
}
