//! A process of WebKit's with the display that it draws on, as the back end knows it.

use std::sync::atomic::{AtomicBool, Ordering};

use engine::backend::Gone;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::display::Display;
use crate::browsers::process::{Kept, gone};
use crate::webkit::Carrier;

/// Both end when nobody holds this any more.
#[derive(Debug)]
pub(super) struct Process {
    browser: Kept,
    /// Told when the display has ended, too.
    gone: watch::Receiver<Option<Gone>>,
    unwanted: AtomicBool,
}

impl Process {
    /// The display ends after the browser, however that ends.
    pub(super) fn keep(browser: Kept, display: Option<Display>) -> Self {
        let (tell, told) = watch::channel(None);
        let ended = gone(browser.ending());
        tokio::spawn(async move {
            let gone = ended.await;
            if let Some(display) = display {
                display.process.end_now().await;
            }
            tell.send_replace(Some(gone));
        });
        Self { browser, gone: told, unwanted: AtomicBool::new(false) }
    }

    /// How it will have ended.
    pub(super) fn ending(&self) -> watch::Receiver<Option<Gone>> {
        self.gone.clone()
    }

    /// Whether somebody wanted it to end.
    pub(super) fn is_unwanted(&self) -> bool {
        self.unwanted.load(Ordering::Acquire)
    }

    /// What it last said.
    pub(super) fn last_lines(&self) -> Vec<String> {
        self.browser.last_lines()
    }

    /// Ends it without asking, and answers when nothing of it lives.
    pub(super) async fn end_now(&self) {
        self.unwanted.store(true, Ordering::Release);
        self.browser.end_now().await;
        gone(self.ending()).await;
    }
}

impl Carrier for Process {
    fn pid(&self) -> u32 {
        self.browser.pid()
    }

    fn end(&self) -> BoxFuture<'_, ()> {
        self.end_now().boxed()
    }

    fn abandoned(&self) {
        crate::browsers::Process::abandoned(&self.browser);
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        gone(self.ending()).boxed()
    }
}
