//! The names of failures, as agents read them: `errorCode` in upper case (seed C), `type` in lower case (seed A).
//!
//! A code is defined beside the code that raises it and gathered in `all`; only the lower-case form is written
//! down, so the two can't differ.

#[cfg(test)]
use super::{app, arguments, browser, project, run, test, toolbox};

/// Writes the codes of one family: `codes! { NAME = "name", "what it means"; … }`.
macro_rules! codes {
    ($($name:ident = $lower:literal, $meaning:literal;)*) => {
        $(pub(crate) const $name: ErrorCode = ErrorCode::new($lower, $meaning);)*

        /// All of them.
        #[cfg(test)]
        pub(crate) const ALL: &[ErrorCode] = &[$($name),*];
    };
}
pub(crate) use codes;

/// One kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ErrorCode {
    name: &'static str,
    meaning: &'static str,
}

/// Every code that a reply can carry, in the order of docs/tools.md.
#[cfg(test)]
pub(crate) fn all() -> Vec<ErrorCode> {
    [COMMON, app::codes::ALL, browser::codes::ALL].concat()
}

#[cfg(test)]
const COMMON: &[ErrorCode] = &[
    arguments::INVALID_INPUT,
    toolbox::UNKNOWN_TOOL,
    run::TIMEOUT,
    run::CANCELLED,
    run::INTERNAL_ERROR,
    project::WORKSPACE_REFUSED,
    test::PATH_ESCAPE,
    test::RUNNER_NOT_INSTALLED,
    test::PROCESS_ERROR,
    test::RUN_NOT_FOUND,
];

impl ErrorCode {
    /// A code by its lower-case name and what it means to an agent. A name that is not lower_snake does not compile.
    pub(crate) const fn new(name: &'static str, meaning: &'static str) -> Self {
        let bytes = name.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            assert!(bytes[at].is_ascii_lowercase() || bytes[at] == b'_', "a code's name is lower_snake");
            at += 1;
        }
        Self { name, meaning }
    }

    /// The value of `type`: `invalid_input`.
    pub(crate) fn lower(self) -> &'static str {
        self.name
    }

    /// The value of `errorCode`: `INVALID_INPUT`.
    pub(crate) fn upper(self) -> String {
        self.name.to_ascii_uppercase()
    }

    /// What it means, for docs/tools.md.
    #[cfg(test)]
    pub(crate) fn meaning(self) -> &'static str {
        self.meaning
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_name_and_a_meaning() {
        let codes = all();
        for (at, code) in codes.iter().enumerate() {
            assert!(!code.meaning().is_empty(), "{}", code.lower());
            assert!(codes[..at].iter().all(|other| other.lower() != code.lower()), "{}", code.lower());
            assert_eq!(code.upper().to_lowercase(), code.lower());
        }
    }
}
