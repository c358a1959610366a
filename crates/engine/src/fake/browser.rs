//! A browser that the test plays.

use std::sync::{Arc, Mutex, PoisonError};

use base::Deadline;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::FakeContext;
use super::page::done;
use crate::backend::{
    BackendError, Browser, BrowserKind, Capabilities, ContextOptions, Gone, Identity, OpenedContext, Work,
};

/// A browser that opens [`FakeContext`]s, and dies when the test says so.
#[derive(Debug)]
pub struct FakeBrowser {
    identity: Identity,
    contexts: Mutex<Vec<Arc<FakeContext>>>,
    gone: watch::Sender<Option<Gone>>,
}

impl FakeBrowser {
    /// One that runs.
    pub fn start() -> Arc<Self> {
        let identity =
            Identity { kind: BrowserKind::Chromium, product: "Fake 1.0".to_owned(), headed: false };
        Arc::new(Self { identity, contexts: Mutex::default(), gone: watch::Sender::new(None) })
    }

    /// Every context that was opened, closed ones included.
    pub fn contexts(&self) -> Vec<Arc<FakeContext>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// It crashes, with all its contexts.
    pub fn crash(&self) {
        self.end("it crashed");
    }

    /// Whether it is gone.
    pub fn is_gone(&self) -> bool {
        self.gone.borrow().is_some()
    }

    fn end(&self, why: &str) {
        for context in self.contexts() {
            context.end();
        }
        self.gone.send_replace(Some(Gone { why: why.to_owned(), stderr: Vec::new() }));
    }
}

impl Browser for FakeBrowser {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn new_context(&self, options: ContextOptions) -> Work<'_, OpenedContext> {
        if let Some(gone) = &*self.gone.borrow() {
            return Box::pin(std::future::ready(Err(BackendError::BrowserGone(gone.why.clone()))));
        }
        let (context, opened) = FakeContext::open(options);
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).push(context);
        done(opened)
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        let mut gone = self.gone.subscribe();
        Box::pin(async move {
            let ended = gone.wait_for(Option::is_some).await.ok().and_then(|gone| gone.clone());
            ended.unwrap_or(Gone { why: "it was dropped".to_owned(), stderr: Vec::new() })
        })
    }

    fn close(&self, _: Deadline) -> BoxFuture<'_, ()> {
        self.end("it was closed");
        Box::pin(std::future::ready(()))
    }
}
