//! A page of a real browser with everything an agent's call has: the watch, a scope, a site.

use std::sync::Arc;
use std::time::Duration;

use backends::browsers::chromium::{self, Executable, LaunchOptions, Sandbox};
use base::{Activity, CallScope, Deadline};
use engine::action::{Acted, Click};
use engine::backend::{self, ContextOptions, OpenedContext};
use engine::page::{Page, WaitUntil};
use engine::{Failed, Settled, Target};
use serde_json::Value;
use supervise::Supervisor;
use testkit::bins;
use testkit::site::Site;
use tokio_util::sync::CancellationToken;

const LIMIT: Duration = Duration::from_secs(120);
const TOKEN: &str = "a secret of the context";

/// A site, and a page of a browser to look at it with.
pub(crate) struct Stage {
    pub(crate) site: Site,
    pub(crate) page: Page,
    raw: Arc<dyn backend::Page>,
}

/// Runs a test on a stage, and closes the browser afterwards.
pub(crate) async fn on_stage<F: Future<Output = ()>>(test: impl FnOnce(Stage) -> F) {
    let profiles = tempfile::tempdir().unwrap();
    let supervisor = Supervisor::with_watchdog(bins().watchdog());
    let options = LaunchOptions {
        executable: Executable { path: "/usr/lib/chromium/chromium-headless-shell".into(), shell: true },
        headless: true,
        sandbox: Sandbox::On,
        args: Vec::new(),
        profiles: profiles.path().to_owned(),
        confined: false,
    };
    let work = async {
        let browser = chromium::launch(&supervisor, options, Deadline::after(LIMIT)).await.unwrap();
        // Tabs that nobody hears of would stand still.
        let OpenedContext { context, events: _heard } =
            browser.new_context(ContextOptions::default()).await.unwrap();
        context.add_init_script(engine::injected::watch(TOKEN)).await.unwrap();
        let opened = context.new_page().await.unwrap();
        let raw = opened.page.clone();
        let page = Page::new(opened);
        page.set_watch_token(TOKEN);
        test(Stage { site: Site::start().unwrap(), page, raw }).await;
        browser.close(Deadline::after(LIMIT)).await;
    };
    tokio::time::timeout(LIMIT, work).await.expect("took too long");
}

/// A call with time enough for what goes well.
pub(crate) fn scope() -> CallScope {
    limited(Duration::from_secs(20))
}

/// A call that is to fail.
pub(crate) fn limited(limit: Duration) -> CallScope {
    CallScope::new(Deadline::after(limit), CancellationToken::new(), Activity::default())
}

/// A call that fails soon.
pub(crate) fn brief() -> CallScope {
    limited(Duration::from_millis(1500))
}

pub(crate) fn target(text: &str) -> Target {
    Target::parse(text).unwrap()
}

impl Stage {
    /// Shows a page at `/`.
    pub(crate) async fn show(&self, html: &str) {
        self.site.page("/", &format!("<!doctype html><meta charset=utf-8>{html}"));
        self.go("/").await;
    }

    pub(crate) async fn go(&self, path: &str) {
        let arrived = self.page.navigate(&self.site.url(path), WaitUntil::Load, &scope()).await;
        arrived.unwrap_or_else(|why| {
            let state = self.page.state();
            panic!(
                "{why:?}: {:#?} {:#?}; {:?}",
                state.frames,
                state.network.exchanges(),
                self.site.requests()
            )
        });
    }

    /// A click and everything that comes of it.
    pub(crate) async fn click(&self, selector: &str) -> (Result<Acted, Failed>, Settled) {
        self.click_how(selector, &Click::default(), &scope()).await
    }

    pub(crate) async fn click_how(
        &self,
        selector: &str,
        how: &Click,
        scope: &CallScope,
    ) -> (Result<Acted, Failed>, Settled) {
        let mark = self.page.mark();
        let clicked = self.page.click(&target(selector), how, scope).await;
        (clicked, self.page.settle(&mark, &crate::stage::scope()).await)
    }

    /// The value of an expression in the page.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        let frame = self.page.state().frames.main().clone();
        self.value_in(&frame, expression).await
    }

    pub(crate) async fn value_in(&self, frame: &backend::FrameId, expression: &str) -> Value {
        let raw = self.raw.evaluate(frame, &format!("() => ({expression})"), Vec::new()).await.unwrap();
        serde_json::from_str(raw.get()).unwrap()
    }
}
