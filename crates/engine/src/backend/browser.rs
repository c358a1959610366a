//! A running browser.

use std::fmt::Debug;

use base::Deadline;
use futures_util::future::BoxFuture;

use super::{ContextOptions, OpenedContext, Work};

/// A running browser process, or a connection to one that runs elsewhere.
pub trait Browser: Debug + Send + Sync {
    /// What it is.
    fn identity(&self) -> &Identity;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Opens a context of its own: cookies, storage, cache, permissions. Every document in it runs
    /// [`watch`](crate::injected::watch) before anything else, in the page's own world.
    fn new_context(&self, options: ContextOptions) -> Work<'_, OpenedContext>;

    /// Waits until the browser is gone, for whatever reason.
    fn gone(&self) -> BoxFuture<'_, Gone>;

    /// Ends it and everything that it started, by `deadline`; a browser of somebody else's is only let go.
    fn close(&self, deadline: Deadline) -> BoxFuture<'_, ()>;
}

/// Why a browser is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// In a few words: how it exited, or what broke.
    pub why: String,
    /// The last lines that it wrote to its standard error.
    pub stderr: Vec<String>,
}

/// The three engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BrowserKind {
    /// Chromium, Chrome, Edge.
    Chromium,
    /// Firefox.
    Firefox,
    /// WebKit.
    Webkit,
}

/// What a browser calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The engine.
    pub kind: BrowserKind,
    /// The product and its version: `Chromium 156.0.8078.79`.
    pub product: String,
    /// Whether it has windows that a person can see.
    pub headed: bool,
}

/// What a browser can do beyond what every browser must. A tool that needs what is missing answers
/// `unsupported_by_browser`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a list of independent abilities")]
pub struct Capabilities {
    /// Pages as PDF.
    pub pdf: bool,
    /// Touch events.
    pub touch: bool,
    /// HTML5 drag and drop with the browser's own events.
    pub real_drag: bool,
    /// A context's colour scheme, reduced motion, media type.
    pub media_emulation: bool,
    /// A context's locale and time zone.
    pub locale_emulation: bool,
    /// A position for `navigator.geolocation`.
    pub geolocation: bool,
    /// Any device scale factor.
    pub device_scale: bool,
    /// The bodies of responses.
    pub response_bodies: bool,
    /// `beforeunload` dialogs are told.
    pub beforeunload: bool,
}

impl Capabilities {
    /// A browser that can do everything.
    pub const ALL: Self = Self {
        pdf: true,
        touch: true,
        real_drag: true,
        media_emulation: true,
        locale_emulation: true,
        geolocation: true,
        device_scale: true,
        response_bodies: true,
        beforeunload: true,
    };
}
