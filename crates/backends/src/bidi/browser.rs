//! A running Firefox: its session, its contexts, its end.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base::Deadline;
use engine::backend::{self, BrowserKind, Capabilities, ContextOptions, Gone, Identity, OpenedContext, Work};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use wire::bidi::types::browsing_context::GetTree;
use wire::bidi::types::ids::BrowsingContextId;
use wire::bidi::types::{browser, network, session};
use wire::bidi::{CallError, Connection};
use wire::transport::{Inbound, Outbound};

use super::context::{self, Common, Contexts};
use super::listener::{EVENTS, Ears};
use super::settings;
use super::system::System;
use crate::browsers::Process;
use crate::usual::make;

/// How long a browser may take to end after it was asked to, before its tree is stopped.
const LEAVE: Duration = Duration::from_secs(3);

/// A browser over WebDriver BiDi.
#[derive(Debug)]
pub(crate) struct Browser {
    identity: Identity,
    connection: Arc<Connection>,
    common: Common,
    contexts: Arc<Contexts>,
    process: Arc<dyn Process>,
}

/// How a browser was started.
#[derive(Debug)]
pub(crate) struct Manner {
    pub(crate) headed: bool,
    /// Whether it lets us into itself.
    pub(crate) system_access: bool,
    /// A folder that goes with it, for what it downloads.
    pub(crate) folder: PathBuf,
}

/// Why a browser that answers can't be used.
#[derive(Debug)]
pub(crate) struct OpenFailed {
    /// Which it is, if it said so.
    pub(crate) version: Option<String>,
    pub(crate) error: CallError,
}

impl Browser {
    /// Takes over a fresh connection: begins the session and hears of everything, before any page is asked for.
    ///
    /// # Errors
    /// What the browser refused and which version it is, or that it is gone.
    pub(crate) async fn open(
        (inbound, outbound): (impl Inbound, impl Outbound),
        process: Arc<dyn Process>,
        manner: Manner,
    ) -> Result<Self, OpenFailed> {
        let (contexts, known) = (Arc::<Contexts>::default(), Arc::new(OnceLock::new()));
        let ears = Ears::new(contexts.clone(), process.clone(), known.clone());
        let connection = Arc::new(Connection::open(inbound, outbound, ears));
        // It is set once, here.
        let _ = known.set(Arc::downgrade(&connection));
        // Dialogs stay open until somebody answers them; a file chooser is told, and not shown.
        let capabilities = json!({ "alwaysMatch": {
            "acceptInsecureCerts": false,
            "unhandledPromptBehavior": { "default": "ignore", "file": "dismiss" },
        } });
        let begun = match connection.call(&session::Begin::new(capabilities)).await {
            Ok(begun) => begun.capabilities,
            Err(error) => {
                // Any version begins a session that asks for nothing, and says which it is.
                let plain = connection.call(&session::Begin::new(json!({}))).await;
                let version = plain.ok().map(|begun| begun.capabilities.browser_version);
                return Err(OpenFailed { version, error });
            }
        };
        let version = begun.browser_version;
        let (first, system) = match set_up(&connection, manner.system_access).await {
            Ok(found) => found,
            Err(error) => return Err(OpenFailed { version: Some(version), error }),
        };
        let product = format!("Firefox {version}");
        let identity = Identity { kind: BrowserKind::Firefox, product, headed: manner.headed };
        let script: Arc<str> = Arc::from(make(None));
        let common =
            Common { connection: (*connection).clone(), script, system, folder: manner.folder, first };
        Ok(Self { identity, connection, common, contexts, process })
    }

    async fn leave(&self, deadline: Deadline) {
        let asked = deadline.at_most(LEAVE);
        // A browser that does not answer is stopped all the same.
        let _ = asked.race(self.connection.call(&browser::Close::new())).await;
        self.process.stop(deadline).await;
        self.connection.close();
    }
}

/// Tells a browser whose session has begun what holds for everything in it, and finds its first tab and the way into it.
async fn set_up(
    connection: &Connection,
    system_access: bool,
) -> Result<(Option<BrowsingContextId>, Option<System>), CallError> {
    connection.call(&session::Subscribe::new(EVENTS)).await?;
    connection.call(&network::AddIntercept::new(vec!["authRequired"])).await?;
    let system = if system_access { Some(System::enter(connection).await?) } else { None };
    settings::tell_everywhere(connection).await?;
    let tabs = connection.call(&GetTree { max_depth: Some(0), ..GetTree::new() }).await?.contexts;
    Ok((tabs.into_iter().next().map(|tab| tab.context), system))
}

impl backend::Browser for Browser {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn capabilities(&self) -> Capabilities {
        context::able(self.common.system.is_some())
    }

    fn new_context(&self, options: ContextOptions) -> Work<'_, OpenedContext> {
        Box::pin(context::open(self.common.clone(), options, &self.contexts))
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        self.process.gone()
    }

    fn close(&self, deadline: Deadline) -> BoxFuture<'_, ()> {
        self.leave(deadline).boxed()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tokio::sync::mpsc;
    use tokio_util::bytes::Bytes;
    use wire::Closed;

    use super::*;

    #[derive(Debug)]
    struct Nobody;

    impl Process for Nobody {
        fn stop(&self, _: Deadline) -> BoxFuture<'_, ()> {
            futures_util::future::ready(()).boxed()
        }

        fn abandoned(&self) {}

        fn gone(&self) -> BoxFuture<'_, Gone> {
            futures_util::future::pending().boxed()
        }
    }

    /// A browser that refuses whatever has one of these words in it.
    struct Old(mpsc::UnboundedSender<Value>, &'static [&'static str]);
    struct Said(mpsc::UnboundedReceiver<Value>);

    impl Inbound for Said {
        async fn receive(&mut self) -> Result<Bytes, Closed> {
            self.0.recv().await.map(|message| message.to_string().into()).ok_or(Closed::ByPeer)
        }
    }

    impl Outbound for Old {
        async fn send(&mut self, messages: Vec<Bytes>) -> Result<(), Closed> {
            for message in messages {
                let asked: Value = serde_json::from_slice(&message).unwrap();
                let text = asked.to_string();
                let answer = if self.1.iter().any(|word| text.contains(word)) {
                    json!({ "type": "error", "id": asked["id"], "error": "invalid argument", "message": "what?" })
                } else {
                    let capabilities = json!({ "browserName": "firefox", "browserVersion": "128.0" });
                    let begun = json!({ "sessionId": "s", "capabilities": capabilities });
                    json!({ "type": "success", "id": asked["id"], "result": begun })
                };
                self.0.send(answer).map_err(|_| Closed::ByPeer)?;
            }
            Ok(())
        }
    }

    async fn refusing(words: &'static [&'static str]) -> OpenFailed {
        let (say, said) = mpsc::unbounded_channel();
        let manner = Manner { headed: false, system_access: false, folder: PathBuf::new() };
        Browser::open((Said(said), Old(say, words)), Arc::new(Nobody), manner).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_browser_that_refuses_what_is_needed_is_told_with_its_version() {
        let failed = refusing(&["unhandledPromptBehavior"]).await;
        assert_eq!(failed.version.as_deref(), Some("128.0"));
        assert_eq!(failed.error.to_string(), "session.new: invalid argument: what?");
        let failed = refusing(&["session.subscribe"]).await;
        assert_eq!(failed.version.as_deref(), Some("128.0"));
        assert!(failed.error.to_string().starts_with("session.subscribe"), "{}", failed.error);
        assert_eq!(refusing(&["session.new"]).await.version, None);
    }
}
