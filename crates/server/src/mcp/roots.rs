//! The client's folders (roots): asked once, at the first tool call, and only if the server needs to know.
//!
//! Revision 2026-07-28 has no requests from server to client, and stateless HTTP no way to send one; there the
//! workspace is named by a setting or it is the folder that the server was started in.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use rmcp::RoleServer;
use rmcp::service::Peer;
use tokio::sync::OnceCell;
use url::Url;

use super::Tools;

/// A client that answers at all answers at once; the first call must not wait for one that doesn't.
const LIMIT: Duration = Duration::from_secs(2);

/// Whether the client was asked.
#[derive(Clone)]
pub(super) enum Roots {
    NotAsked,
    /// Calls that come while it is being asked wait for the answer too.
    AskedOnce(Arc<OnceCell<()>>),
}

impl Roots {
    /// Asks the client, unless it was asked, can't be, or nobody needs to know.
    pub(super) async fn settle(&self, client: &Peer<RoleServer>, tools: &dyn Tools) {
        if let Self::AskedOnce(asked) = self {
            asked
                .get_or_init(|| async {
                    if tools.wants_roots() && has_roots(client) {
                        tools.offer_roots(ask(client).await);
                    }
                })
                .await;
        }
    }
}

fn has_roots(client: &Peer<RoleServer>) -> bool {
    client.peer_info().is_some_and(|info| info.capabilities.roots.is_some())
}

#[expect(
    deprecated,
    reason = "deprecated by 2026-07-28, and the only way to ask in every revision before it"
)]
async fn ask(client: &Peer<RoleServer>) -> Vec<PathBuf> {
    match Deadline::after(LIMIT).race(client.list_roots()).await {
        Ok(Ok(answer)) => answer.roots.iter().filter_map(|root| path(&root.uri)).collect(),
        Ok(Err(error)) => {
            tracing::debug!(component = "mcp", event = "no_roots", %error);
            Vec::new()
        }
        Err(_) => Vec::new(),
    }
}

fn path(uri: &str) -> Option<PathBuf> {
    Url::parse(uri).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn file_uris_are_paths_and_others_are_none() {
        assert_eq!(path("file:///home/a%20b/repo"), Some("/home/a b/repo".into()));
        assert_eq!(path("file://localhost/x"), Some("/x".into()));
        assert_eq!(path("https://example.com/x"), None);
        assert_eq!(path("/plain"), None);
    }
}
