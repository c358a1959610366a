//! What a setting is: one value that knows its flag, its variables, its key, its kind and its words of help.

use std::ops::RangeInclusive;

use crate::tools::Word;
use crate::words::camel;

/// One thing that can be set.
#[derive(Debug)]
pub(super) struct Setting {
    /// In kebab case; the flag is `--name`, the key in a file `name`.
    pub(super) name: &'static str,
    /// Variables besides `E2E_MCP_NAME`: the seeds' own names.
    pub(super) variables: &'static [&'static str],
    pub(super) kind: Kind,
    /// What holds when it is not set, in words; empty when nothing does.
    pub(super) default: &'static str,
    pub(super) section: Section,
    pub(super) help: &'static str,
}

/// What a setting's value is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Switch,
    Integer(RangeInclusive<u64>),
    Millis(RangeInclusive<u64>),
    /// Free text, by what it stands for.
    Text(&'static str),
    /// A path, by what it leads to.
    Path(&'static str),
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// Some of these words, separated by commas.
    SomeOf(fn() -> Vec<&'static str>),
    /// Names separated by commas, which whoever owns them checks.
    Names(&'static str),
    /// A program's arguments, separated by spaces: commas are part of them.
    Arguments(&'static str),
}

/// A heading in `--help` and in docs/configuration.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Connection,
    Authorization,
    Service,
    Tools,
    App,
    Browser,
    Sessions,
    Tests,
    General,
}

/// The words of `W`, for a kind.
pub(super) fn words_of<W: Word>() -> Vec<&'static str> {
    W::WORDS.iter().map(|(word, _)| *word).collect()
}

/// What every variable of ours begins with.
pub(super) const PREFIX: &str = "E2E_MCP_";

impl Setting {
    /// `E2E_MCP_KILL_GRACE`.
    pub(super) fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.replace('-', "_").to_ascii_uppercase())
    }

    /// Every variable that sets it, the strongest first.
    pub(super) fn all_variables(&self) -> Vec<String> {
        std::iter::once(self.variable()).chain(self.variables.iter().map(|name| (*name).to_owned())).collect()
    }

    /// `killGrace`, as seed C spells it.
    pub(super) fn camel(&self) -> String {
        camel(self.name)
    }
}

impl Kind {
    /// What `--help` shows for the value.
    pub(super) fn placeholder(&self) -> String {
        match self {
            Self::Switch => "true|false".to_owned(),
            Self::Integer(_) => "N".to_owned(),
            Self::Millis(_) => "MS".to_owned(),
            Self::Text(what) | Self::Path(what) | Self::Names(what) | Self::Arguments(what) => {
                (*what).to_owned()
            }
            Self::OneOf(words) => words().join("|"),
            Self::SomeOf(words) => words().join(","),
        }
    }

    /// What a value must be, for a refusal.
    pub(super) fn expected(&self) -> String {
        match self {
            Self::Switch => "`true` or `false`".to_owned(),
            Self::Integer(range) => format!("an integer from {} to {}", range.start(), range.end()),
            Self::Millis(range) => {
                format!("a whole number of milliseconds from {} to {}", range.start(), range.end())
            }
            Self::Text(_) => "a text".to_owned(),
            Self::Path(_) => "a path".to_owned(),
            Self::OneOf(words) => crate::words::quoted(words(), "or"),
            Self::SomeOf(words) => format!("a list of {}", crate::words::quoted(words(), "and")),
            Self::Names(_) => "a list of names".to_owned(),
            Self::Arguments(_) => "a list of arguments".to_owned(),
        }
    }
}

impl Section {
    /// All of them, in the order in which people read them.
    pub(super) const ALL: &'static [Self] = &[
        Self::Connection,
        Self::Authorization,
        Self::Service,
        Self::Tools,
        Self::App,
        Self::Browser,
        Self::Sessions,
        Self::Tests,
        Self::General,
    ];

    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Connection => "Connection",
            Self::Authorization => "Authorization (over HTTP)",
            Self::Service => "Limits and observation (over HTTP)",
            Self::Tools => "Tools",
            Self::App => "Dev server",
            Self::Browser => "Browser",
            Self::Sessions => "Sessions",
            Self::Tests => "Running tests",
            Self::General => "General",
        }
    }
}
