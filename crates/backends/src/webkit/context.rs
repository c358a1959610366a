//! A context: a browser process of its own, with its pages and what holds for all of them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::Deadline;
use engine::backend::{
    self, BackendError, ContextEvent, ContextOptions, Cookie, DownloadId, Geolocation, Gone, OpenedContext,
    OpenedPage, OriginStorage, Work,
};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use wire::inspector::types::{self, OfHandle};
use wire::inspector::{Channel, Connection, Events, Notice, Notices};

use super::bootstrap::{Overrides, Recipe};
use super::cookies::Visited;
use super::downloads::{self, Expected};
use super::page::{Page, lock};
use super::pages::Pages;
use super::permissions::grants;
use super::started::{Carrier, Started};
use super::viewport::Around;

/// A context as the engine holds it.
#[derive(Debug)]
pub(super) struct Context(Arc<ContextInner>);

/// A context as everybody else knows it.
#[derive(Debug)]
pub(super) struct ContextInner {
    pub(super) connection: Connection,
    pub(super) carrier: Arc<dyn Carrier>,
    pub(super) options: ContextOptions,
    pub(super) automation: watch::Sender<Option<Channel>>,
    pub(super) recipe: Mutex<Recipe>,
    pub(super) headers: Mutex<Vec<(String, String)>>,
    pub(super) pages: Mutex<Pages>,
    /// Pages are opened one after the other.
    pub(super) opening: tokio::sync::Mutex<()>,
    pub(super) visited: Mutex<Visited>,
    pub(super) expected: Mutex<Expected>,
    /// How much larger the windows are that are asked for, as far as is known; those of popups are others.
    pub(super) around: Arc<Mutex<Option<Around>>>,
    told: Mutex<Option<UnboundedSender<ContextEvent>>>,
}

/// Makes a context of a process.
pub(super) async fn open(
    started: Started,
    options: ContextOptions,
    around: Arc<Mutex<Option<Around>>>,
) -> Result<OpenedContext, BackendError> {
    let (told, events) = unbounded_channel();
    let overrides = Overrides {
        offline: false,
        position: options.geolocation,
        granted: grants(&options.permissions, None)?,
    };
    let token = uuid::Uuid::new_v4().simple().to_string();
    let recipe = Recipe::new(token, options.test_id_attribute.as_deref(), overrides);
    let (session, session_events) = started.automation;
    let inner = Arc::new(ContextInner {
        connection: started.connection,
        carrier: started.carrier,
        headers: Mutex::new(options.extra_headers.clone()),
        options,
        automation: watch::Sender::new(Some(session)),
        recipe: Mutex::new(recipe),
        pages: Mutex::default(),
        opening: tokio::sync::Mutex::default(),
        visited: Mutex::default(),
        expected: Mutex::default(),
        around,
        told: Mutex::new(Some(told)),
    });
    downloads::watch(&inner, started.downloads);
    inner.hear_session(session_events);
    // The window that the browser opens with is the first that is asked for.
    for target in started.pages {
        inner.unclaimed(target);
    }
    tokio::spawn(hear(started.notices, Arc::downgrade(&inner)));
    Ok(OpenedContext { context: Arc::new(Context(inner)), events })
}

/// Hears of targets until the connection ends.
async fn hear(mut notices: Notices, context: std::sync::Weak<ContextInner>) {
    while let Some(notice) = notices.next().await {
        let Some(context) = context.upgrade() else { return };
        if let Notice::Targets(targets) = notice {
            context.targets(&targets).await;
        }
    }
    if let Some(context) = context.upgrade() {
        context.carrier.abandoned();
        context.all_closed().await;
        lock(&context.told).take();
    }
}

impl ContextInner {
    /// Tells the engine.
    pub(super) fn tell(&self, event: ContextEvent) {
        if let Some(told) = &*lock(&self.told) {
            let _ = told.send(event);
        }
    }

    /// Hears what the automation session tells by itself: that a file chooser was asked for, that a window has a document.
    pub(super) fn hear_session(self: &Arc<Self>, mut events: Events) {
        let context = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                let Some(context) = context.upgrade() else { return };
                let Some(OfHandle { browsing_context_handle: handle }) = event.read() else { continue };
                match event.method() {
                    "Automation.fileChooserDismissed" => context.chooser(&handle),
                    "Automation.browsingContextCleared" => context.shown(handle),
                    _ => {}
                }
            }
        });
    }

    /// Has every document take note of changed overrides, and every new one begin with them.
    async fn overridden(&self) -> Result<(), BackendError> {
        let (ask, text) = {
            let recipe = lock(&self.recipe);
            (recipe.ask("settings", &recipe.overrides), recipe.text())
        };
        for page in self.equipped_pages() {
            page.tell("Page.setBootstrapScript", json!({ "source": text })).await?;
            page.everywhere(&ask).await;
        }
        Ok(())
    }

    /// Has a page read the scripts that nobody has read yet: one with a fault in it would take all others with it.
    pub(super) async fn read_scripts(&self, page: &Page) -> Result<(), BackendError> {
        loop {
            let unread = lock(&self.recipe).unread();
            let Some((at, source)) = unread else { return Ok(()) };
            let parsed: types::Parsed = page.call("Runtime.parse", json!({ "source": source })).await?;
            let fault = (parsed.result != "none").then(|| parsed.message.unwrap_or_default());
            lock(&self.recipe).was_read(at, fault.as_deref());
        }
    }

    async fn block(&self, offline: bool) -> Result<(), BackendError> {
        for page in self.equipped_pages() {
            page.block(offline).await?;
        }
        Ok(())
    }

    async fn set_headers(&self, headers: Vec<(String, String)>) -> Result<(), BackendError> {
        *lock(&self.headers) = headers;
        for page in self.equipped_pages() {
            // The browser only adds to what it was told, unless it forgets everything of the network's.
            page.tell("Network.disable", json!({})).await?;
            page.tell("Network.enable", json!({})).await?;
            page.tell("Network.setExtraHTTPHeaders", json!({ "headers": self.sent_headers() })).await?;
        }
        Ok(())
    }

    /// The headers that every request carries.
    pub(super) fn sent_headers(&self) -> Value {
        let headers = lock(&self.headers);
        headers.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
    }

    async fn shut(&self) -> Result<(), BackendError> {
        self.carrier.end().await;
        self.connection.close();
        self.all_closed().await;
        lock(&self.told).take();
        Ok(())
    }
}

/// The seat belt: a context that nobody holds any more leaves no process.
impl Drop for ContextInner {
    fn drop(&mut self) {
        let carrier = self.carrier.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { carrier.end().await });
        }
    }
}

impl backend::Context for Context {
    fn new_page(&self) -> Work<'_, OpenedPage> {
        Box::pin(self.0.open_page())
    }

    fn cookies(&self, urls: &[String]) -> Work<'_, Vec<Cookie>> {
        let urls = urls.to_vec();
        Box::pin(async move { self.0.read_cookies(&urls).await })
    }

    fn set_cookies(&self, cookies: Vec<Cookie>) -> Work<'_, ()> {
        Box::pin(self.0.write_cookies(cookies))
    }

    fn clear_cookies(&self) -> Work<'_, ()> {
        Box::pin(self.0.forget_cookies())
    }

    fn seed_storage(&self, origins: Vec<OriginStorage>) -> Work<'_, ()> {
        Box::pin(self.0.seed(origins))
    }

    fn grant_permissions(&self, permissions: Vec<String>, origin: Option<String>) -> Work<'_, ()> {
        Box::pin(async move {
            lock(&self.0.recipe).overrides.granted = grants(&permissions, origin.as_deref())?;
            self.0.overridden().await
        })
    }

    fn set_geolocation(&self, position: Option<Geolocation>) -> Work<'_, ()> {
        Box::pin(async move {
            lock(&self.0.recipe).overrides.position = position;
            self.0.overridden().await
        })
    }

    fn set_offline(&self, offline: bool) -> Work<'_, ()> {
        Box::pin(async move {
            lock(&self.0.recipe).overrides.offline = offline;
            self.0.block(offline).await?;
            self.0.overridden().await
        })
    }

    fn set_extra_headers(&self, headers: Vec<(String, String)>) -> Work<'_, ()> {
        Box::pin(self.0.set_headers(headers))
    }

    fn add_init_script(&self, script: String) -> Work<'_, ()> {
        Box::pin(async move {
            lock(&self.0.recipe).add(script);
            let pages = self.0.equipped_pages();
            // Where there is none, the next one reads it.
            if let Some(page) = pages.first() {
                self.0.read_scripts(page).await?;
            }
            let text = lock(&self.0.recipe).text();
            for page in pages {
                page.tell("Page.setBootstrapScript", json!({ "source": text })).await?;
            }
            Ok(())
        })
    }

    fn cancel_download(&self, _: &DownloadId) -> Work<'_, ()> {
        Box::pin(std::future::ready(Err(BackendError::Unsupported {
            what: "stopping a download",
            instead: "close the session, which ends it",
        })))
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        self.0.carrier.gone()
    }

    fn close(&self) -> Work<'_, ()> {
        Box::pin(self.0.shut())
    }
}

/// How long a page may take to be ready.
pub(super) const READY: Duration = Duration::from_secs(10);

/// What came of something that may take [`READY`].
pub(super) async fn in_time<T>(
    request: &str,
    work: impl Future<Output = Result<T, BackendError>>,
) -> Result<T, BackendError> {
    Deadline::after(READY).race(work).await.unwrap_or_else(|_| {
        Err(BackendError::Refused {
            request: request.to_owned(),
            reason: "it did not answer in time".to_owned(),
        })
    })
}

impl Page {
    /// Evaluates an expression of ours in every document; one that is gone meanwhile has no part in it.
    pub(super) async fn everywhere(&self, expression: &str) {
        let realms: Vec<_> = self.frames().all().filter_map(|(_, frame)| frame.realm().cloned()).collect();
        for realm in realms {
            let _ = self.expression(&realm, expression).await;
        }
    }
}
