//! An isolated context: a user context of the browser, and what holds for all its pages.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};

use engine::backend::{
    self, Ability, BackendError, BrowserKind, Capabilities, ContextEvent, ContextOptions, Cookie, DownloadId,
    Geolocation, OpenedContext, OpenedPage, OriginStorage, Work,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use wire::bidi::types::browser;
use wire::bidi::types::ids::{BrowsingContextId, UserContextId};
use wire::bidi::{CallError, Command, Connection};

use super::downloads::Downloads;
use super::page::Page;
use super::pages::Pages;
use super::permissions::Permissions;
use super::refusal::refusal;
use super::settings::{self, Settings};
use super::system::System;
use crate::browsers::about;
use crate::sync::lock;

/// A context as the engine holds it.
#[derive(Debug)]
pub(super) struct Context(pub(super) Arc<ContextInner>);

/// A context as everybody else knows it.
#[derive(Debug)]
pub(super) struct ContextInner {
    pub(super) id: UserContextId,
    pub(super) connection: Connection,
    pub(super) settings: Arc<Settings>,
    pub(super) downloads: Mutex<Downloads>,
    pub(super) pages: Mutex<Pages>,
    pub(super) permissions: Mutex<Permissions>,
    pub(super) first: Option<BrowsingContextId>,
    /// The way into the browser itself, where that is open.
    system: Option<System>,
    /// `None` once it is closed.
    told: Mutex<Option<UnboundedSender<ContextEvent>>>,
}

/// What a context is opened with, besides its options.
#[derive(Debug, Clone)]
pub(super) struct Common {
    pub(super) connection: Connection,
    pub(super) script: Arc<str>,
    pub(super) system: Option<System>,
    /// Where downloads are until they are complete.
    pub(super) folder: PathBuf,
    /// The tab that the browser began with, in the window in which all pages open.
    pub(super) first: Option<BrowsingContextId>,
}

/// What a browser can do, with or without the way into itself.
pub(super) fn able(system: bool) -> Capabilities {
    about(BrowserKind::Firefox).able(system)
}

/// It is not among what this one can do.
fn unable(ability: Ability) -> BackendError {
    BackendError::Unsupported {
        what: ability.what(),
        instead: about(BrowserKind::Firefox).instead_of(ability).next,
    }
}

/// Opens a context.
pub(super) async fn open(
    common: Common,
    options: ContextOptions,
    contexts: &Contexts,
) -> Result<OpenedContext, BackendError> {
    let Common { connection, script, system, folder, first } = common;
    if let Some(missing) = options.needs().find(|need| !able(system.is_some()).has(*need)) {
        return Err(unable(missing));
    }
    let created = connection.call(&settings::user_context(&options)).await.map_err(refusal)?;
    let (told, events) = unbounded_channel();
    let permissions = options.permissions.clone();
    let arriving = folder.join(created.user_context.as_str());
    let downloads = Downloads::new(options.downloads.clone(), arriving.clone());
    let inner = Arc::new(ContextInner {
        id: created.user_context,
        connection,
        downloads: Mutex::new(downloads),
        settings: Arc::new(Settings::new(options, script)),
        pages: Mutex::default(),
        permissions: Mutex::default(),
        first,
        system,
        told: Mutex::new(Some(told)),
    });
    contexts.add(&inner);
    inner.settings.tell(&inner.connection, &inner.id, &arriving).await?;
    if !permissions.is_empty() {
        inner.grant(permissions, None).await?;
    }
    Ok(OpenedContext { context: Arc::new(Context(inner)), events })
}

impl ContextInner {
    /// Tells the engine; false if that does not listen any more.
    pub(super) fn tell(&self, event: ContextEvent) -> bool {
        lock(&self.told).as_ref().is_some_and(|told| told.send(event).is_ok())
    }

    /// Gives a page what the protocol can't give a context.
    pub(super) async fn equip(&self, page: &Page) -> Result<(), BackendError> {
        let Some(system) = &self.system else { return Ok(()) };
        if let Some(scheme) = &self.settings.options().color_scheme {
            system.set_color_scheme(page, scheme).await?;
        }
        if self.settings.viewport().mobile { system.set_phone(page, true).await } else { Ok(()) }
    }

    /// Makes a page that of a phone, or of none again.
    pub(super) async fn set_phone(&self, page: &Page, phone: bool) -> Result<(), BackendError> {
        match &self.system {
            Some(system) => system.set_phone(page, phone).await,
            None => Err(unable(Ability::Touch)),
        }
    }

    /// The same for a page that another one opened.
    pub(super) fn equip_later(self: &Arc<Self>, page: &Arc<Page>) {
        let wanted = self.settings.options().color_scheme.is_some() || self.settings.viewport().mobile;
        if self.system.is_some() && wanted {
            let (context, page) = (self.clone(), page.clone());
            tokio::spawn(async move {
                if let Err(error) = context.equip(&page).await {
                    tracing::warn!(component = "bidi", event = "page_not_equipped", %error);
                }
            });
        }
    }

    /// Closes everything in it.
    pub(super) async fn dispose(&self) -> Result<(), BackendError> {
        let disposed = self.connection.call(&browser::RemoveUserContext::new(&self.id)).await;
        let pages = self.pages();
        lock(&self.told).take();
        self.forget_downloads().await;
        match disposed {
            // A context that is gone already is closed.
            Ok(_) | Err(CallError::Protocol { .. }) => {}
            Err(error) => return Err(refusal(error)),
        }
        for page in pages {
            page.ended().await;
        }
        Ok(())
    }

    pub(super) async fn order<C: Command>(&self, command: &C) -> Result<(), BackendError> {
        self.connection.call(command).await.map(drop).map_err(refusal)
    }
}

/// The seat belt: a context that nobody holds any more is not left in the browser.
impl Drop for ContextInner {
    fn drop(&mut self) {
        if lock(&self.told).take().is_some() {
            drop(self.connection.send(&browser::RemoveUserContext::new(&self.id)));
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
        Box::pin(async move { self.0.order(&settings::geolocation(position, &self.0.id)).await })
    }

    fn set_offline(&self, offline: bool) -> Work<'_, ()> {
        Box::pin(async move { self.0.order(&settings::offline(offline, &self.0.id)).await })
    }

    fn set_extra_headers(&self, headers: Vec<(String, String)>) -> Work<'_, ()> {
        Box::pin(async move { self.0.order(&settings::headers(&headers, &self.0.id)).await })
    }

    fn add_init_script(&self, script: String) -> Work<'_, ()> {
        Box::pin(async move {
            let function = format!("() => {{\n{script}\n}}");
            self.0.order(&settings::preload(&function, &self.0.id)).await
        })
    }

    fn cancel_download(&self, _download: &DownloadId) -> Work<'_, ()> {
        Box::pin(std::future::ready(Err(BackendError::Unsupported {
            what: "stopping a download",
            instead: "close the session, which stops its downloads",
        })))
    }

    fn close(&self) -> Work<'_, ()> {
        Box::pin(self.0.dispose())
    }
}

/// The contexts of one browser, by their names in the protocol.
#[derive(Debug, Default)]
pub(super) struct Contexts(Mutex<HashMap<UserContextId, Weak<ContextInner>>>);

impl Contexts {
    fn add(&self, context: &Arc<ContextInner>) {
        let mut contexts = lock(&self.0);
        contexts.retain(|_, context| context.strong_count() > 0);
        contexts.insert(context.id.clone(), Arc::downgrade(context));
    }

    pub(super) fn get(&self, id: &UserContextId) -> Option<Arc<ContextInner>> {
        lock(&self.0).get(id)?.upgrade()
    }

    pub(super) fn all(&self) -> Vec<Arc<ContextInner>> {
        lock(&self.0).values().filter_map(Weak::upgrade).collect()
    }
}
