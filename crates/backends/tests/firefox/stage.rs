//! A page of a real Firefox with everything an agent's call has: a scope, a site.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use backends::browsers::Places;
use backends::browsers::firefox::{self, Choice, LaunchOptions};
use base::{Activity, CallScope, Deadline};
use engine::Target;
use engine::backend::{self, Browser, ContextOptions, OpenedContext};
use engine::page::{Page, WaitUntil};
use serde_json::Value;
use supervise::Supervisor;
use testkit::bins;
use testkit::site::Site;
use tokio_util::sync::CancellationToken;

const LIMIT: Duration = Duration::from_secs(120);

/// A site, and a page of a browser to look at it with.
pub(crate) struct Stage {
    pub(crate) site: Site,
    pub(crate) page: Page,
    pub(crate) raw: Arc<dyn backend::Page>,
}

/// Runs a test on a stage, and closes the browser afterwards.
pub(crate) async fn on_stage<F: Future<Output = ()>>(test: impl FnOnce(Stage) -> F) {
    with_browser(|_| (), async |browser| test(stage(&browser, ContextOptions::default()).await).await).await;
}

/// Runs a test with a browser that is started in this way. Nothing of it is left afterwards.
pub(crate) async fn with_browser<F: Future<Output = ()>>(
    change: impl FnOnce(&mut LaunchOptions),
    test: impl FnOnce(Arc<dyn Browser>) -> F,
) {
    let profiles = tempfile::tempdir().unwrap();
    let supervisor = Supervisor::with_watchdog(bins().watchdog());
    let places = Places::of_environment(|name| std::env::var_os(name), None);
    let mut options = LaunchOptions {
        executable: firefox::find(&Choice::default(), &places).unwrap(),
        headless: true,
        args: Vec::new(),
        profiles: profiles.path().to_owned(),
        templates: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("firefox")),
        home: None,
        confined: false,
        system_access: false,
    };
    change(&mut options);
    let work = async {
        firefox::prepare(&supervisor, &options, Deadline::after(LIMIT)).await.unwrap();
        let browser = firefox::launch(&supervisor, options, Deadline::after(LIMIT)).await.unwrap();
        test(browser.clone()).await;
        browser.close(Deadline::after(LIMIT)).await;
    };
    tokio::time::timeout(LIMIT, work).await.expect("took too long");
    let left: Vec<_> = std::fs::read_dir(profiles.path()).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?} is left");
}

/// A page of a new context.
pub(crate) async fn stage(browser: &Arc<dyn Browser>, options: ContextOptions) -> Stage {
    let OpenedContext { context, mut events } = browser.new_context(options).await.unwrap();
    // A context that nobody holds is closed.
    tokio::spawn({
        let context = context.clone();
        async move {
            while events.recv().await.is_some() {}
            drop(context);
        }
    });
    let opened = context.new_page().await.unwrap();
    let raw = opened.page.clone();
    Stage { site: Site::start().unwrap(), page: Page::new(opened), raw }
}

/// A call with time enough for what goes well.
pub(crate) fn scope() -> CallScope {
    limited(Duration::from_secs(20))
}

/// A call that is to fail.
pub(crate) fn limited(limit: Duration) -> CallScope {
    CallScope::new(Deadline::after(limit), CancellationToken::new(), Activity::default())
}

pub(crate) fn target(text: &str) -> Target {
    Target::parse(text).unwrap()
}

impl Stage {
    /// Shows a page at `/`.
    pub(crate) async fn show(&self, html: &str) {
        self.site.page("/", &format!("<!doctype html><meta charset=utf-8>{html}"));
        self.page.navigate(&self.site.url("/"), WaitUntil::Load, &scope()).await.unwrap();
    }

    /// The value of an expression in the page.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        self.page.evaluate(expression, None, &scope()).await.unwrap()
    }
}
