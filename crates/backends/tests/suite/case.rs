//! A case, and what it is given.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::scope::Activity;
use base::{CallScope, Deadline};
use engine::action::{Acted, Click};
use engine::backend::{Browser, ContextOptions, Viewport};
use engine::context::{Context, StorageState};
use engine::page::{Arrival, NavigationRefused, Page, State, WaitUntil};
use engine::snapshot::SnapshotOptions;
use engine::{Condition, Count, Failed, Settled, Target};
use futures_util::future::BoxFuture;
use serde_json::Value;
use testkit::site::Site;
use tokio_util::sync::CancellationToken;

use crate::stage::Mode;

/// What a call in a case may take; far more than it needs on a loaded machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(15);
/// How often something that tells nobody of its changes is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// One promise and how it is checked.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) run: for<'a> fn(&'a Given) -> BoxFuture<'a, ()>,
}

/// Writes cases: `cases! { "a promise" => |t| { t.show("<p>x").await; … } }`.
macro_rules! cases {
    ($($name:literal => |$given:ident| $body:block)*) => {
        pub(crate) const CASES: &[$crate::case::Case] = &[
            $($crate::case::Case { name: $name, run: |$given| Box::pin(async move { $body }) }),*
        ];
    };
}
pub(crate) use cases;

/// A page of its own, and a site to load things from.
pub(crate) struct Given {
    /// How the browser is run, for those that start one of their own.
    pub(crate) mode: Mode,
    pub(crate) site: Site,
    pub(crate) browser: Arc<dyn Browser>,
    pub(crate) context: Context,
    pub(crate) page: Page,
    /// Where downloads go.
    pub(crate) folder: tempfile::TempDir,
    /// Contexts that the case opened beside its own; they are closed with it.
    others: Mutex<Vec<Context>>,
}

impl Given {
    /// A context with one blank page in `browser`.
    pub(crate) async fn prepare(mode: Mode, browser: &Arc<dyn Browser>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::start().unwrap();
        let options = ContextOptions { downloads: Some(folder.path().to_owned()), ..usual() };
        let context = Context::open(&**browser, options, None).await.unwrap();
        let page = context.page(&scope_of(LIMIT)).await.unwrap();
        Self { mode, site, browser: browser.clone(), context, page, folder, others: Mutex::default() }
    }

    /// Closes every context of the case, and removes its downloads.
    pub(crate) async fn close(&self) {
        let others = std::mem::take(&mut *self.others.lock().unwrap());
        for context in others.into_iter().chain([self.context.clone()]) {
            context.close(Deadline::after(Duration::from_secs(5))).await;
        }
        // A browser may be taking away what did not become complete.
        let removed = || match std::fs::remove_dir_all(self.folder.path()) {
            Err(error) if error.kind() != ErrorKind::NotFound => None,
            _ => Some(()),
        };
        eventually("the folder's end", removed).await;
    }

    /// The limits of an ordinary call.
    pub(crate) fn scope(&self) -> CallScope {
        scope_of(LIMIT)
    }

    /// Shows a page with this body.
    pub(crate) async fn show(&self, body: &str) {
        self.site.page("/", &document(body));
        self.open("/").await;
    }

    /// Opens a path of the site.
    pub(crate) async fn open(&self, path: &str) {
        if let Err(why) = self.go(path, WaitUntil::Load).await {
            panic!("{path}: {why}; {:?}", self.page.state().frames);
        }
    }

    /// What comes of opening a path of the site.
    pub(crate) async fn go(&self, path: &str, until: WaitUntil) -> Result<Arrival, NavigationRefused> {
        self.page.navigate(&self.site.url(path), until, &self.scope()).await
    }

    /// The value of a script; one that throws fails the case.
    pub(crate) async fn value(&self, script: &str) -> Value {
        value(&self.page, script).await
    }

    /// What a script came to, exceptions included.
    pub(crate) async fn evaluate(&self, script: &str) -> Result<Value, Failed> {
        self.page.evaluate(script, None, &self.scope()).await
    }

    /// The value of an expression in the frame that these selectors lead into.
    pub(crate) async fn value_within(&self, frames: &str, expression: &str) -> Value {
        let value = self.of(&format!("{frames}html"), &format!("() => ({expression})")).await;
        value.unwrap_or_else(|why| panic!("{expression} in {frames}: {why}"))
    }

    /// A click and everything that comes of it.
    pub(crate) async fn click(&self, selector: &str) -> (Result<Acted, Failed>, Settled) {
        self.click_how(selector, &Click::default(), &self.scope()).await
    }

    /// The same in another way, or with other limits.
    pub(crate) async fn click_how(
        &self,
        selector: &str,
        how: &Click,
        scope: &CallScope,
    ) -> (Result<Acted, Failed>, Settled) {
        let mark = self.page.mark();
        let clicked = self.page.click(&at(selector), how, scope).await;
        (clicked, self.page.settle(&mark, &self.scope()).await)
    }

    /// What a function of an element comes to.
    pub(crate) async fn of(&self, target: &str, function: &str) -> Result<Value, Failed> {
        self.page.evaluate(function, Some(&at(target)), &self.scope()).await
    }

    /// Waits until a script is true.
    pub(crate) async fn until(&self, script: &str) {
        until(&self.page, script).await;
    }

    /// Waits until a text can be seen.
    pub(crate) async fn text(&self, text: &str) {
        let condition = Condition::Text(text.to_owned());
        self.page.wait(&condition, &self.scope()).await.unwrap_or_else(|why| panic!("{text}: {why}"));
    }

    /// Waits until the page's state shows something.
    pub(crate) async fn seen<T>(&self, look: impl FnMut(&State) -> Option<T>) -> T {
        self.page.wait_for(&self.scope(), look).await.unwrap()
    }

    /// How many elements match.
    pub(crate) async fn count(&self, target: &str) -> Count {
        self.page.count(&at(target), &self.scope()).await.unwrap_or_else(|why| panic!("{target}: {why}"))
    }

    /// The page as its user meets it.
    pub(crate) async fn snapshot(&self) -> String {
        self.page.snapshot(&SnapshotOptions::default(), &self.scope()).await.unwrap().whole()
    }

    /// Waits until there are so many tabs.
    pub(crate) async fn tabs(&self, count: usize) -> Vec<Page> {
        eventually(&format!("{count} tabs"), || {
            Some(self.context.pages()).filter(|pages| pages.len() == count)
        })
        .await
    }

    /// Runs a script that opens a tab, and gives that tab.
    pub(crate) async fn popup(&self, script: &str) -> Page {
        let before = self.context.pages().len();
        self.value(script).await;
        self.tabs(before + 1).await.remove(before)
    }

    /// Waits until a path has been asked for so often.
    pub(crate) async fn asked(&self, path: &str, count: usize) {
        eventually(&format!("{path} asked for"), || (self.site.hits(path) >= count).then_some(())).await;
    }

    /// Another context beside the case's own, with a blank page.
    pub(crate) async fn another(
        &self,
        options: ContextOptions,
        storage: Option<StorageState>,
    ) -> (Context, Page) {
        let context = Context::open(&*self.browser, options, storage).await.unwrap();
        self.others.lock().unwrap().push(context.clone());
        let page = context.page(&self.scope()).await.unwrap();
        (context, page)
    }

    /// A page of another context, at a path of the site.
    pub(crate) async fn another_at(&self, options: ContextOptions, path: &str) -> Page {
        let (_, page) = self.another(options, None).await;
        page.navigate(&self.site.url(path), WaitUntil::Load, &self.scope()).await.unwrap();
        page
    }
}

/// A context like those that cases get.
pub(crate) fn usual() -> ContextOptions {
    let viewport = Viewport { width: 1280, height: 720, scale: 1.0, mobile: false };
    ContextOptions { viewport: Some(viewport), ..ContextOptions::default() }
}

/// The limits of a call that is to run out of time.
pub(crate) fn scope_of(limit: Duration) -> CallScope {
    CallScope::new(Deadline::after(limit), CancellationToken::new(), Activity::default())
}

/// The limits of a call that is to fail.
pub(crate) fn brief() -> CallScope {
    scope_of(ms(2500))
}

/// So many milliseconds.
pub(crate) const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A whole document around a body.
pub(crate) fn document(body: &str) -> String {
    format!("<!doctype html><meta charset=utf-8><title>case</title>{body}")
}

/// What is addressed by `text`.
pub(crate) fn at(text: &str) -> Target {
    Target::parse(text).unwrap_or_else(|refused| panic!("{text}: {refused}"))
}

/// The value of a script in a page; one that throws fails the case.
pub(crate) async fn value(page: &Page, script: &str) -> Value {
    let value = page.evaluate(script, None, &scope_of(LIMIT)).await;
    value.unwrap_or_else(|why| panic!("{script}: {why}"))
}

/// Waits until a script is true in a page.
pub(crate) async fn until(page: &Page, script: &str) {
    let condition = Condition::Function(script.to_owned());
    page.wait(&condition, &scope_of(LIMIT)).await.unwrap_or_else(|why| panic!("{script}: {why}"));
}

/// Looks again and again at something that tells nobody of its changes.
pub(crate) async fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(seen) = look() {
                return seen;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(LIMIT, looking).await.unwrap_or_else(|_| panic!("never came: {what}"))
}
