//! A running Firefox: its session, its contexts, its end.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base::Deadline;
use engine::backend::{self, BrowserKind, Capabilities, ContextOptions, Gone, Identity, OpenedContext, Work};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
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

impl Browser {
    /// Takes over a fresh connection: begins the session and hears of everything, before any page is asked for.
    ///
    /// # Errors
    /// What the browser refused, or that it is gone.
    pub(crate) async fn open(
        (inbound, outbound): (impl Inbound, impl Outbound),
        process: Arc<dyn Process>,
        headed: bool,
        system_access: bool,
    ) -> Result<Self, CallError> {
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
        let begun = connection.call(&session::Begin::new(capabilities)).await?.capabilities;
        connection.call(&session::Subscribe::new(EVENTS)).await?;
        connection.call(&network::AddIntercept::new(vec!["authRequired"])).await?;
        let product = format!("Firefox {}", begun.browser_version);
        let identity = Identity { kind: BrowserKind::Firefox, product, headed };
        let system = if system_access { Some(System::enter(&connection).await?) } else { None };
        let script: Arc<str> = Arc::from(make(None));
        settings::tell_everywhere(&connection).await?;
        let common = Common { connection: (*connection).clone(), script, system };
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
