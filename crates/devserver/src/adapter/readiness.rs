//! When a dev server counts as ready.

/// What is waited for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Readiness {
    /// Its port answers: the one that it was given, the one of the URL that it prints, or whichever it listens on.
    #[default]
    Port,
    /// This URL answers (`{port}` is the port), or this path of the server's own URL.
    Url(String),
    /// A line of its output matches this regular expression.
    Log(String),
}
