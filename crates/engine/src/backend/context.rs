//! An isolated context, and what happens in it outside any one page.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedReceiver;

use super::{DownloadId, FrameId, Gone, Page, PageEvent, PageId, Work};

/// A context with its own cookies and storage.
pub trait Context: Debug + Send + Sync {
    /// Opens a blank page.
    fn new_page(&self) -> Work<'_, OpenedPage>;

    /// Every cookie, or those that a request to one of `urls` would carry.
    fn cookies(&self, urls: &[String]) -> Work<'_, Vec<Cookie>>;

    /// Sets cookies.
    fn set_cookies(&self, cookies: Vec<Cookie>) -> Work<'_, ()>;

    /// Removes every cookie.
    fn clear_cookies(&self) -> Work<'_, ()>;

    /// Fills the local storage of origins before any page of theirs is open.
    fn seed_storage(&self, origins: Vec<OriginStorage>) -> Work<'_, ()>;

    /// Grants permissions, by their names in the Permissions API, to an origin or to all. Replaces earlier grants.
    fn grant_permissions(&self, permissions: Vec<String>, origin: Option<String>) -> Work<'_, ()>;

    /// The position that pages are told; `None` is the machine's own.
    fn set_geolocation(&self, position: Option<Geolocation>) -> Work<'_, ()>;

    /// Cuts the context off from the network, or connects it again.
    fn set_offline(&self, offline: bool) -> Work<'_, ()>;

    /// Headers that every request carries from now on.
    fn set_extra_headers(&self, headers: Vec<(String, String)>) -> Work<'_, ()>;

    /// Runs a script in every new document, in the page's own world, before the page's scripts.
    fn add_init_script(&self, script: String) -> Work<'_, ()>;

    /// Stops a download.
    fn cancel_download(&self, download: &DownloadId) -> Work<'_, ()>;

    /// Waits until the process that carries this context alone is gone. Where contexts share a process, this never
    /// answers: [`Browser::gone`](super::Browser::gone) does.
    fn gone(&self) -> BoxFuture<'_, Gone> {
        Box::pin(std::future::pending())
    }

    /// Closes every page without asking and forgets everything.
    fn close(&self) -> Work<'_, ()>;
}

/// A context that was just opened.
#[derive(Debug)]
pub struct OpenedContext {
    /// To speak to it.
    pub context: Arc<dyn Context>,
    /// What happens in it.
    pub events: UnboundedReceiver<ContextEvent>,
}

/// A page that was just opened, by us or by another page.
#[derive(Debug)]
pub struct OpenedPage {
    /// To speak to it.
    pub page: Arc<dyn Page>,
    /// What happens in it, from its very beginning.
    pub events: UnboundedReceiver<PageEvent>,
    /// Its topmost frame.
    pub main_frame: FrameId,
    /// The page that opened it, where the browser tells.
    pub opener: Option<PageId>,
}

/// What happens in a context outside any one page.
#[derive(Debug)]
pub enum ContextEvent {
    /// A page opened another one.
    Opened(OpenedPage),
    /// A download began or went on.
    Download(Download),
}

/// A download as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// Its name.
    pub id: DownloadId,
    /// The page that it came from, where the browser tells.
    pub page: Option<PageId>,
    /// Where it comes from.
    pub url: String,
    /// What the server or the page calls the file.
    pub suggested_name: String,
    /// How far it is.
    pub state: DownloadState,
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DownloadState {
    /// It goes on.
    Running {
        /// Bytes so far.
        received: u64,
        /// Bytes in all, if the server said.
        total: Option<u64>,
    },
    /// It is complete, here.
    Done(PathBuf),
    /// It came to nothing.
    Failed(String),
}

/// How a context is to be. What is `None` is the browser's own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContextOptions {
    /// The size of its pages.
    pub viewport: Option<Viewport>,
    /// `navigator.userAgent` and the header.
    pub user_agent: Option<String>,
    /// `navigator.language` and the header.
    pub locale: Option<String>,
    /// An IANA name.
    pub timezone: Option<String>,
    /// `light`, `dark` or `no-preference`.
    pub color_scheme: Option<String>,
    /// Invalid certificates are accepted.
    pub ignore_https_errors: bool,
    /// Headers that every request carries.
    pub extra_headers: Vec<(String, String)>,
    /// Granted to every origin.
    pub permissions: Vec<String>,
    /// The position that pages are told.
    pub geolocation: Option<Geolocation>,
    /// Where downloads go; must exist.
    pub downloads: Option<PathBuf>,
    /// Everything goes through it, or fails.
    pub proxy: Option<Proxy>,
    /// The attribute that holds test ids, for the injected script ([`injected::with_test_ids`](crate::injected::with_test_ids));
    /// `None` is `data-testid`.
    pub test_id_attribute: Option<String>,
}

/// What stands between a context and everybody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    /// `http://host:port`.
    pub address: String,
    /// What is plainly this machine may be asked without it, which is faster: `localhost` and the names below it, `127.0.0.1` and
    /// `[::1]`. Everything else goes through it however it is spelled, and these do, too, where a browser can't keep them apart.
    pub loopback_direct: bool,
}

/// The visible part of a page, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Viewport {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// Whether the page is told that it is on a phone.
    pub mobile: bool,
}

/// A position on earth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Geolocation {
    /// Degrees.
    pub latitude: f64,
    /// Degrees.
    pub longitude: f64,
    /// Metres.
    pub accuracy: f64,
}

/// A cookie, as storage states write it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Name.
    pub name: String,
    /// Value.
    pub value: String,
    /// Domain, with a leading dot if it holds for subdomains.
    pub domain: String,
    /// Path.
    pub path: String,
    /// Seconds since 1970; -1 for the session's.
    pub expires: f64,
    /// Hidden from scripts.
    pub http_only: bool,
    /// Only over TLS.
    pub secure: bool,
    /// When other sites' requests carry it.
    pub same_site: SameSite,
}

/// The local storage of one origin, as storage states write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginStorage {
    /// `https://host:port`.
    pub origin: String,
    /// What is in it.
    pub local_storage: Vec<StorageItem>,
}

/// An entry of a local storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageItem {
    /// Its key.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// When other sites' requests carry a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SameSite {
    /// Never.
    Strict,
    /// When a link is followed.
    Lax,
    /// Always.
    None,
}
