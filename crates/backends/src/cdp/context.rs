//! An isolated context: its pages, however they came to be, and what holds for all of them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};

use engine::backend::{
    self, BackendError, ContextEvent, ContextOptions, Cookie, DownloadId, Geolocation, OpenedContext,
    OpenedPage, OriginStorage, Work,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use wire::cdp::types::ids::BrowserContextId;
use wire::cdp::types::{browser, target};
use wire::cdp::{CallError, Connection};

use super::downloads::Downloads;
use super::page::lock;
use super::pages::Pages;
use super::refusal::of_page;
use super::screens::Screens;
use super::settings::Settings;
use super::telling;
use crate::browsers::chromium::{Agent, bypass};

/// A context as the engine holds it.
#[derive(Debug)]
pub(super) struct Context(pub(super) Arc<ContextInner>);

/// A context as everybody else knows it.
#[derive(Debug)]
pub(super) struct ContextInner {
    pub(super) id: BrowserContextId,
    pub(super) connection: Connection,
    pub(super) screens: Arc<Screens>,
    pub(super) settings: Arc<Settings>,
    pub(super) downloads: Mutex<Downloads>,
    pub(super) pages: Mutex<Pages>,
    /// `None` once it is closed.
    told: Mutex<Option<UnboundedSender<ContextEvent>>>,
}

/// What a context is opened with, besides its options.
#[derive(Debug, Clone)]
pub(super) struct Common {
    pub(super) connection: Connection,
    pub(super) agent: Arc<Agent>,
    /// What runs in every new document, in the injected script's world.
    pub(super) script: Arc<str>,
    pub(super) screens: Arc<Screens>,
}

/// Opens a context.
pub(super) async fn open(
    common: Common,
    options: ContextOptions,
    register: impl FnOnce(&Arc<ContextInner>),
) -> Result<OpenedContext, BackendError> {
    let Common { connection, agent, script, screens } = common;
    let create = target::CreateBrowserContext {
        dispose_on_detach: Some(true),
        proxy_server: options.proxy.as_ref().map(|proxy| proxy.address.clone()),
        proxy_bypass_list: options.proxy.as_ref().map(bypass),
        ..target::CreateBrowserContext::new()
    };
    let created = connection.call(&create).await.map_err(of_page)?;
    let (told, events) = unbounded_channel();
    let (permissions, folder) = (options.permissions.clone(), options.downloads.clone());
    let inner = Arc::new(ContextInner {
        id: created.browser_context_id,
        connection,
        screens,
        settings: Arc::new(Settings::new(options, agent, script)),
        downloads: Mutex::new(Downloads::new(folder.clone())),
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
            async move { telling::all(self.0.settings.set_geolocation(position)).await.map_err(of_page) },
        )
    }

    fn set_offline(&self, offline: bool) -> Work<'_, ()> {
        Box::pin(async move { telling::all(self.0.settings.set_offline(offline)).await.map_err(of_page) })
    }

    fn set_extra_headers(&self, headers: Vec<(String, String)>) -> Work<'_, ()> {
        Box::pin(async move { telling::all(self.0.settings.set_headers(headers)).await.map_err(of_page) })
    }

    fn add_init_script(&self, script: String) -> Work<'_, ()> {
        Box::pin(async move { telling::all(self.0.settings.add_init_script(script)).await.map_err(of_page) })
    }

    fn cancel_download(&self, download: &DownloadId) -> Work<'_, ()> {
        let cancel = browser::CancelDownload {
            browser_context_id: Some(self.0.id.clone()),
            ..browser::CancelDownload::new(download.as_str())
        };
        lock(&self.0.downloads).cancel(download.as_str());
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
