//! What a command and an event are, in every protocol of JSON messages.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A command of a protocol: its value is its parameters.
pub trait Command: Serialize {
    /// `Domain.name`.
    const METHOD: &'static str;
    /// What a browser answers. Fields that we don't know are passed over.
    type Response: DeserializeOwned + Send + 'static;
}

/// An event of a protocol that somebody wants to read.
pub trait EventKind: DeserializeOwned {
    /// `Domain.name`.
    const METHOD: &'static str;
}

/// The answer of commands that have nothing to tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Empty {}
