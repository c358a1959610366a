//! The errors of a session, so that each new one comes with those before it (A5.6).

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// As many as an agent reads.
const REMEMBERED: usize = 5;

/// An error that happened earlier in the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Past {
    pub(crate) timestamp: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) message: String,
}

/// The newest errors, oldest first.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<VecDeque<Past>>);

impl Recent {
    pub(super) fn all(&self) -> Vec<Past> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(super) fn push(&self, past: Past) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == REMEMBERED {
            all.pop_front();
        }
        all.push_back(past);
    }
}
