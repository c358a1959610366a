//! A Chromium that somebody else started and keeps.

use std::sync::Arc;

use base::Deadline;
use engine::backend;
use wire::cdp::types::browser::Version;
use wire::cdp::{CallError, Connection};
use wire::transport::endpoint::{ConnectError, Endpoint, HeaderMap};
use wire::transport::websocket;

use super::Agent;
use crate::cdp::browser::Browser;

/// Why a browser that runs elsewhere can't be driven.
#[derive(Debug, thiserror::Error)]
pub enum AttachFailed {
    /// It can't be reached.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// It was reached, and refused what every Chromium can do.
    #[error("the browser does not answer like a Chromium: {0}")]
    Refused(#[from] CallError),
    /// It did not answer in time.
    #[error("the browser did not answer in time")]
    TimedOut,
}

/// Connects to the browser at `endpoint`: `http://host:port` or `ws://…`. Closing it lets go of the contexts that were
/// opened here, and of nothing else.
///
/// # Errors
/// [`AttachFailed`].
pub async fn attach(
    endpoint: &str,
    headers: HeaderMap,
    deadline: Deadline,
) -> Result<Arc<dyn backend::Browser>, AttachFailed> {
    let endpoint = Endpoint::parse(endpoint, headers)?;
    let attached = async {
        let (inbound, outbound) = websocket::connect(&endpoint).await?;
        let (connection, events) = Connection::open(inbound, outbound);
        // Whether it has windows is its owner's business; to us it has none.
        let own = |version: &Version| Agent::own(version.user_agent.clone());
        let browser = Browser::open(connection, events, None, false, own).await?;
        Ok(Arc::new(browser) as Arc<dyn backend::Browser>)
    };
    deadline.race(attached).await.map_err(|_| AttachFailed::TimedOut)?
}
