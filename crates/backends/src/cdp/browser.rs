//! A running Chromium: its contexts, its events, its end.

use std::sync::{Arc, Weak};
use std::time::Duration;

use base::Deadline;
use engine::backend::{self, BrowserKind, Capabilities, ContextOptions, Gone, Identity, OpenedContext, Work};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use wire::cdp::types::{browser, runtime, target};
use wire::cdp::{CallError, Connection, Events};

use super::context::{self, Common, Contexts};
use super::downloads;
use super::pump::read;
use super::screens::Screens;
use crate::browsers::Process;
use crate::browsers::chromium::Agent;
use crate::usual::preload;

/// How long a browser may take to end after it was asked to, before its tree is stopped.
const LEAVE: Duration = Duration::from_secs(3);

/// A browser over the DevTools protocol.
#[derive(Debug)]
pub(crate) struct Browser {
    identity: Identity,
    inner: Arc<Inner>,
    process: Option<Arc<dyn Process>>,
}

/// What the task that hears of new pages shares with the browser. It holds it weakly, so that the connection ends with
/// the last who uses it.
#[derive(Debug)]
struct Inner {
    common: Common,
    contexts: Contexts,
}

impl Browser {
    /// Takes over a fresh connection: begins to hear of new pages, before any is asked for.
    ///
    /// # Errors
    /// What the browser refused, or that it is gone.
    pub(crate) async fn open(
        connection: Connection,
        events: Events,
        process: Option<Arc<dyn Process>>,
        headed: bool,
        agent: impl FnOnce(&browser::Version) -> Agent,
    ) -> Result<Self, CallError> {
        let root = connection.browser();
        let mut batch = root.batch();
        let version = batch.add(&browser::GetVersion::new());
        let pages = target::FilterEntry { r#type: Some("page".to_owned()), ..target::FilterEntry::new() };
        let attach = batch.add(&target::SetAutoAttach {
            filter: Some(vec![pages]),
            ..target::SetAutoAttach::new(true, true, true)
        });
        batch.send();
        let version = version.await?;
        attach.await?;
        let product = version.product.replace('/', " ");
        let identity = Identity { kind: BrowserKind::Chromium, product, headed };
        let shell = version.product.starts_with("Headless");
        let common = Common {
            agent: Arc::new(agent(&version)),
            script: Arc::from(preload(None)),
            screens: Arc::new(Screens::new(connection.browser(), shell && process.is_some())),
            connection,
        };
        let inner = Arc::new(Inner { common, contexts: Contexts::default() });
        tokio::spawn(hear(events, Arc::downgrade(&inner), process.clone()));
        Ok(Self { identity, inner, process })
    }

    async fn leave(&self, deadline: Deadline) {
        let connection = &self.inner.common.connection;
        match &self.process {
            Some(process) => {
                let asked = deadline.at_most(LEAVE);
                // A browser that does not answer is stopped all the same.
                let _ = asked.race(connection.call(&browser::Close::new())).await;
                process.stop(deadline).await;
            }
            // Somebody else's browser goes on without what we opened in it.
            None => {
                for context in self.inner.contexts.all() {
                    let _ = deadline.race(context.dispose()).await;
                }
            }
        }
        connection.close();
    }
}

impl backend::Browser for Browser {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn new_context(&self, options: ContextOptions) -> Work<'_, OpenedContext> {
        let register = |context: &Arc<context::ContextInner>| self.inner.contexts.add(context);
        Box::pin(context::open(self.inner.common.clone(), options, register))
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        match &self.process {
            Some(process) => process.gone(),
            None => {
                let closed = self.inner.common.connection.closed();
                async move { Gone { why: closed.await.to_string(), stderr: Vec::new() } }.boxed()
            }
        }
    }

    fn close(&self, deadline: Deadline) -> BoxFuture<'_, ()> {
        self.leave(deadline).boxed()
    }
}

/// Hears of new pages and of downloads until the connection ends.
async fn hear(mut events: Events, inner: Weak<Inner>, process: Option<Arc<dyn Process>>) {
    while let Ok(event) = events.next().await {
        let Some(inner) = inner.upgrade() else { break };
        if let Some(attached) = read::<target::AttachedToTarget>(&event) {
            inner.attached(attached);
        } else if let Some(began) = read(&event) {
            downloads::began(&inner.contexts, began).await;
        } else if let Some(progress) = read(&event) {
            downloads::went_on(&inner.contexts, &progress);
        }
    }
    if let Some(process) = process {
        process.abandoned();
    }
}

impl Inner {
    fn attached(&self, attached: target::AttachedToTarget) {
        let context = attached.target_info.browser_context_id.as_ref().and_then(|id| self.contexts.get(id));
        match context {
            Some(context) => context.attached(attached),
            // The browser's first page, or somebody else's: it is none of ours, and must not stand still for us.
            None => {
                let connection = &self.common.connection;
                let session = connection.session(attached.session_id.clone());
                drop(session.send(&runtime::RunIfWaitingForDebugger::new()));
                let detach = target::DetachFromTarget { session_id: Some(attached.session_id) };
                drop(connection.browser().send(&detach));
            }
        }
    }
}
