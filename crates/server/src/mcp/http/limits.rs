//! What clients may take of the server's time and memory.

use std::time::Duration;

use crate::mcp::fault::LARGEST_MESSAGE;

/// The limits of one listener.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// How long a client may take for a request's headers, and how long it may keep a connection without a request.
    pub(super) headers: Duration,
    /// How long a client may take for a request's body.
    pub(super) body: Duration,
    /// What the bodies of all requests that are not answered yet may weigh together, in bytes.
    pub(super) bodies: usize,
    /// How many connections there may be; beyond it clients wait to be accepted.
    pub(super) connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            headers: Duration::from_secs(60),
            body: Duration::from_secs(30),
            // More than a machine's clients have to say at one time, unless one of them is broken.
            bodies: 4 * LARGEST_MESSAGE,
            // More clients than any machine has.
            connections: 512,
        }
    }
}
