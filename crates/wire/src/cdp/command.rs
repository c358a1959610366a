//! What a command is.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A command of the protocol: its value is its parameters.
pub trait Command: Serialize {
    /// `Domain.name`.
    const METHOD: &'static str;
    /// What a browser answers. Fields that we don't know are passed over.
    type Response: DeserializeOwned + Send + 'static;
}

/// The answer of commands that have nothing to tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Empty {}
