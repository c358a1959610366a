//! Why the server did not start: which setting, where it was set, what was expected.

use std::fmt;
use std::path::PathBuf;

/// Where a value was set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// On the command line.
    Flag(&'static str),
    /// In the environment.
    Variable(String),
    /// In the config file.
    File {
        /// Which file.
        path: PathBuf,
        /// The key, as it is written there.
        key: String,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag --{name}"),
            Self::Variable(name) => write!(f, "variable {name}"),
            Self::File { path, key } => write!(f, "file {}, key `{key}`", path.display()),
        }
    }
}

/// A setting that can't be followed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// A flag that does not exist.
    #[error("unknown {} {flag}{} (--help lists all)", if flag.starts_with('-') { "flag" } else { "argument" }, did_you_mean(.near))]
    UnknownFlag {
        /// As it was typed.
        flag: String,
        /// The one that it resembles.
        near: Option<String>,
    },
    /// A command line that is no list of flags and values.
    #[error("{0}")]
    Usage(String),
    /// A key that does not exist.
    #[error("file {}: unknown key `{key}`{} (known: {known})", path.display(), did_you_mean(.near))]
    UnknownKey {
        /// Which file.
        path: PathBuf,
        /// As it is written there.
        key: String,
        /// The one that it resembles.
        near: Option<String>,
        /// All of them.
        known: String,
    },
    /// A key that is there in two spellings.
    #[error("file {}: `{first}` and `{second}` are the same setting; keep one", path.display())]
    Twice {
        /// Which file.
        path: PathBuf,
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// A value that the setting does not take.
    #[error("{at}: {value} is not {expected}{}", did_you_mean(.near))]
    BadValue {
        /// Where it was set.
        at: Source,
        /// As it was typed.
        value: String,
        /// What would be taken.
        expected: String,
        /// The one that it resembles.
        near: Option<String>,
    },
    /// An entry of a list of hosts that is none.
    #[error("{at}: {why}")]
    NotAnEntry {
        /// Where it was set.
        at: Source,
        /// What is wrong with it.
        why: egress::NotAnEntry,
    },
    /// Two settings that can't hold together.
    #[error("{at} is {of}'s, but {other} asks for {asked}: leave one of them out")]
    Clash {
        /// Where the one was set.
        at: Source,
        /// The browser that it belongs to.
        of: &'static str,
        /// Where the other was set, in words.
        other: String,
        /// The browser that the other asks for.
        asked: &'static str,
    },
    /// A program that is another browser than the one that was asked for.
    #[error("{at}: {} is a {is}, but the browser is to be {asked}: set --browser {is}, or name another program", program.display())]
    AnotherBrowser {
        /// Where the program was named.
        at: Source,
        /// Which.
        program: PathBuf,
        /// What it is, in the words of `--browser`.
        is: &'static str,
        /// What it should be.
        asked: &'static str,
    },
    /// A value that is no text.
    #[error("{0}: the value is not valid UTF-8")]
    NotUnicode(Source),
    /// A config file that can't be read.
    #[error("{asked_by}: the file {} can't be read: {reason}", path.display())]
    Unreadable {
        /// Who asked for it.
        asked_by: Source,
        /// Which file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A config file that is neither TOML nor JSON.
    #[error("file {}: not valid {format}: {reason}", path.display())]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// Which format it was taken for.
        format: &'static str,
        /// What the parser said.
        reason: String,
    },
}

impl ConfigError {
    /// What the process ends with, as usual for a command line that can't be followed.
    pub(crate) const EXIT_CODE: u8 = 2;
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default()
}
