//! An isolated context: its pages, however they came to be, and what holds for all of them.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};

use engine::backend::{
    self, BackendError, ContextEvent, ContextOptions, Cookie, DownloadId, Geolocation, OpenedContext,
    OpenedPage, OriginStorage, Work,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use wire::cdp::types::ids::{BrowserContextId, TargetId};
use wire::cdp::types::{browser, target};
use wire::cdp::{CallError, Connection};

use super::downloads::Downloads;
use super::page::{Page, lock};
use super::pump::Pump;
use super::refusal::of_page;
use super::settings::{self, Kind, Settings};

/// As many pages that are closed as are remembered: a download may be told after the popup that it came from is gone.
const FORMER: usize = 64;

/// A context as the engine holds it.
#[derive(Debug)]
pub(super) struct Context(pub(super) Arc<ContextInner>);

/// A context as everybody else knows it.
#[derive(Debug)]
pub(super) struct ContextInner {
    pub(super) id: BrowserContextId,
    pub(super) connection: Connection,
    pub(super) settings: Arc<Settings>,
    pub(super) downloads: Mutex<Downloads>,
    script: Arc<str>,
    pages: Mutex<Pages>,
    /// `None` once it is closed.
    told: Mutex<Option<UnboundedSender<ContextEvent>>>,
}

#[derive(Debug, Default)]
struct Pages {
    open: HashMap<TargetId, Arc<Page>>,
    former: VecDeque<TargetId>,
    /// How many pages we have asked for and not been given.
    asked: usize,
    /// Pages that may be what we asked for: nobody opened them, and the browser has not named ours yet.
    unclaimed: HashMap<TargetId, OpenedPage>,
    /// Ours by name, before they came.
    claims: HashMap<TargetId, oneshot::Sender<OpenedPage>>,
}

/// What a context is opened with, besides its options.
#[derive(Debug, Clone)]
pub(super) struct Common {
    pub(super) connection: Connection,
    pub(super) user_agent: String,
    pub(super) script: Arc<str>,
}

/// Opens a context.
pub(super) async fn open(
    common: Common,
    options: ContextOptions,
    register: impl FnOnce(&Arc<ContextInner>),
) -> Result<OpenedContext, BackendError> {
    let Common { connection, user_agent, script } = common;
    let create = target::CreateBrowserContext {
        dispose_on_detach: Some(true),
        proxy_server: options.proxy.clone(),
        // Everything goes through the proxy, this machine included.
        proxy_bypass_list: options.proxy.as_ref().map(|_| "<-loopback>".to_owned()),
        ..target::CreateBrowserContext::new()
    };
    let created = connection.call(&create).await.map_err(of_page)?;
    let (told, events) = unbounded_channel();
    let (permissions, folder) = (options.permissions.clone(), options.downloads.clone());
    let inner = Arc::new(ContextInner {
        id: created.browser_context_id,
        connection,
        settings: Arc::new(Settings::new(options, user_agent)),
        downloads: Mutex::new(Downloads::new(folder.clone())),
        script,
        pages: Mutex::default(),
        told: Mutex::new(Some(told)),
    });
    register(&inner);
    inner.receive_downloads(folder).await?;
    if !permissions.is_empty() {
        inner.grant(permissions, None).await?;
    }
    Ok(OpenedContext { context: Arc::new(Context(inner)), events })
}

impl ContextInner {
    /// Tells the engine.
    pub(super) fn tell(&self, event: ContextEvent) {
        if let Some(told) = &*lock(&self.told) {
            let _ = told.send(event);
        }
    }

    /// Takes over a page that was just attached and stands still.
    pub(super) fn attached(self: &Arc<Self>, attached: target::AttachedToTarget) {
        let target = attached.target_info.target_id;
        // Asked for before anything is sent to it: everything that happens in it belongs to one stream.
        let Some(events) = self.connection.tree_events(&attached.session_id) else {
            // It was closed again before we came to it.
            return self.page_closed(&target);
        };
        let session = self.connection.session(attached.session_id);
        let page = Page::new(target.clone(), session, self.settings.clone(), self.script.clone());
        lock(&self.pages).open.insert(target, page.clone());
        let (told, received) = unbounded_channel();
        tokio::spawn(Pump::new(&page, Arc::downgrade(self), told).run(events));
        let equipped = self.settings.equip(&page.session, Kind::Page);
        tokio::spawn(async move {
            if let Err(error) = settings::all(equipped).await {
                tracing::warn!(component = "cdp", event = "page_not_equipped", %error);
            }
        });
        let opener = attached.target_info.opener_id.map(|opener| opener.as_str().into());
        let main_frame = page.main_frame.clone();
        self.arrived(OpenedPage { page, events: received, main_frame, opener });
    }

    /// Hands a page to whoever asked for it, or announces it.
    fn arrived(&self, opened: OpenedPage) {
        let target = TargetId::from(opened.main_frame.as_str());
        let mut pages = lock(&self.pages);
        if let Some(claim) = pages.claims.remove(&target) {
            // Whoever asked may have gone away; then the page is like any other.
            if let Err(opened) = claim.send(opened) {
                self.tell(ContextEvent::Opened(opened));
            }
        } else if opened.opener.is_none() && pages.asked > 0 {
            pages.unclaimed.insert(target, opened);
        } else {
            self.tell(ContextEvent::Opened(opened));
        }
    }

    /// A page is closed.
    pub(super) fn page_closed(&self, target: &TargetId) {
        let mut pages = lock(&self.pages);
        pages.open.remove(target);
        pages.claims.remove(target);
        if pages.former.len() == FORMER {
            pages.former.pop_front();
        }
        pages.former.push_back(target.clone());
    }

    /// The pages that are open.
    pub(super) fn pages(&self) -> Vec<Arc<Page>> {
        lock(&self.pages).open.values().cloned().collect()
    }

    /// Whether a frame is, or was the topmost one, of a page of this context; and of which, if that is open.
    pub(super) fn page_of(&self, frame: &str) -> Option<Option<Arc<Page>>> {
        let id = frame.into();
        if let Some(page) = self.pages().into_iter().find(|page| page.frames().get(&id).is_some()) {
            return Some(Some(page));
        }
        let former = lock(&self.pages).former.iter().any(|former| former.as_str() == frame);
        former.then_some(None)
    }

    /// Opens a page and waits until it is ready.
    pub(super) async fn open_page(&self) -> Result<OpenedPage, BackendError> {
        let asking = Asking::new(self);
        let create = target::CreateTarget {
            browser_context_id: Some(self.id.clone()),
            ..target::CreateTarget::new("about:blank")
        };
        let target = self.connection.call(&create).await.map_err(of_page)?.target_id;
        let claim = {
            let mut pages = lock(&self.pages);
            match pages.unclaimed.remove(&target) {
                Some(opened) => Ok(opened),
                None if pages.former.contains(&target) => return Err(BackendError::PageGone),
                None => {
                    let (sender, claim) = oneshot::channel();
                    pages.claims.insert(target, sender);
                    Err(claim)
                }
            }
        };
        let opened = match claim {
            Ok(opened) => opened,
            Err(claim) => tokio::select! {
                opened = claim => opened.map_err(|_| BackendError::PageGone)?,
                why = self.connection.closed() => return Err(BackendError::BrowserGone(why.to_string())),
            },
        };
        drop(asking);
        self.ready(&opened).await?;
        Ok(opened)
    }

    /// Waits until a page has what it was equipped with: its sessions are asked in order, so its last answer is enough.
    async fn ready(&self, opened: &OpenedPage) -> Result<(), BackendError> {
        let page = lock(&self.pages).open.get(&TargetId::from(opened.main_frame.as_str())).cloned();
        let page = page.ok_or(BackendError::PageGone)?;
        page.realm(&page.main_frame, backend::World::Utility).await.map(drop)
    }

    async fn grant(&self, permissions: Vec<String>, origin: Option<String>) -> Result<(), BackendError> {
        let reset = browser::ResetPermissions { browser_context_id: Some(self.id.clone()) };
        self.connection.call(&reset).await.map_err(of_page)?;
        for permission in permissions {
            let grant = browser::SetPermission {
                origin: origin.clone(),
                browser_context_id: Some(self.id.clone()),
                ..browser::SetPermission::new(
                    browser::PermissionDescriptor::new(permission),
                    browser::PermissionSetting::Granted,
                )
            };
            self.connection.call(&grant).await.map_err(of_page)?;
        }
        Ok(())
    }

    async fn receive_downloads(&self, folder: Option<PathBuf>) -> Result<(), BackendError> {
        let behavior = match folder {
            Some(_) => browser::DownloadBehavior::AllowAndName,
            // It is told, and comes to nothing.
            None => browser::DownloadBehavior::Deny,
        };
        let receive = browser::SetDownloadBehavior {
            browser_context_id: Some(self.id.clone()),
            download_path: folder.map(|folder| folder.display().to_string()),
            events_enabled: Some(true),
            ..browser::SetDownloadBehavior::new(behavior)
        };
        self.connection.call(&receive).await.map(drop).map_err(of_page)
    }

    /// Closes everything in it.
    pub(super) async fn dispose(&self) -> Result<(), BackendError> {
        let dispose = target::DisposeBrowserContext::new(&self.id);
        let disposed = self.connection.call(&dispose).await;
        let pages = self.pages();
        lock(&self.told).take();
        match disposed {
            // A context that is gone already is closed.
            Ok(_) | Err(CallError::Protocol { .. } | CallError::SessionGone) => {}
            Err(error) => return Err(of_page(error)),
        }
        for page in pages {
            let mut changes = page.changes();
            while !page.has_ended() && changes.changed().await.is_ok() {}
        }
        Ok(())
    }
}

/// The seat belt: a context that nobody holds any more is not left in the browser.
impl Drop for ContextInner {
    fn drop(&mut self) {
        if lock(&self.told).take().is_some() {
            drop(self.connection.browser().send(&target::DisposeBrowserContext::new(&self.id)));
        }
    }
}

/// A page was asked for. When the last who asked has what they wanted, what nobody claimed is announced.
struct Asking<'a>(&'a ContextInner);

impl<'a> Asking<'a> {
    fn new(context: &'a ContextInner) -> Self {
        lock(&context.pages).asked += 1;
        Self(context)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let mut pages = lock(&self.0.pages);
        pages.asked -= 1;
        if pages.asked == 0 {
            let left: Vec<OpenedPage> = pages.unclaimed.drain().map(|(_, opened)| opened).collect();
            drop(pages);
            left.into_iter().for_each(|opened| self.0.tell(ContextEvent::Opened(opened)));
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
        Box::pin(self.0.grant(permissions, origin))
    }

    fn set_geolocation(&self, position: Option<Geolocation>) -> Work<'_, ()> {
        Box::pin(
            async move { settings::all(self.0.settings.set_geolocation(position)).await.map_err(of_page) },
        )
    }

    fn set_offline(&self, offline: bool) -> Work<'_, ()> {
        Box::pin(async move { settings::all(self.0.settings.set_offline(offline)).await.map_err(of_page) })
    }

    fn set_extra_headers(&self, headers: Vec<(String, String)>) -> Work<'_, ()> {
        Box::pin(async move { settings::all(self.0.settings.set_headers(headers)).await.map_err(of_page) })
    }

    fn add_init_script(&self, script: String) -> Work<'_, ()> {
        Box::pin(async move { settings::all(self.0.settings.add_init_script(script)).await.map_err(of_page) })
    }

    fn cancel_download(&self, download: &DownloadId) -> Work<'_, ()> {
        let cancel = browser::CancelDownload {
            browser_context_id: Some(self.0.id.clone()),
            ..browser::CancelDownload::new(download.as_str())
        };
        Box::pin(async move { self.0.connection.call(&cancel).await.map(drop).map_err(of_page) })
    }

    fn close(&self) -> Work<'_, ()> {
        Box::pin(self.0.dispose())
    }
}

/// The contexts of one browser, by their names in the protocol.
#[derive(Debug, Default)]
pub(super) struct Contexts(Mutex<HashMap<BrowserContextId, Weak<ContextInner>>>);

impl Contexts {
    pub(super) fn add(&self, context: &Arc<ContextInner>) {
        let mut contexts = lock(&self.0);
        contexts.retain(|_, context| context.strong_count() > 0);
        contexts.insert(context.id.clone(), Arc::downgrade(context));
    }

    pub(super) fn get(&self, id: &BrowserContextId) -> Option<Arc<ContextInner>> {
        lock(&self.0).get(id)?.upgrade()
    }

    pub(super) fn all(&self) -> Vec<Arc<ContextInner>> {
        lock(&self.0).values().filter_map(Weak::upgrade).collect()
    }
}
