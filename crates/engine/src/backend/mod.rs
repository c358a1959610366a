//! What a browser must provide: the traits that the engine speaks to, and nothing of how a protocol does it.
//!
//! The traits are cut where the three protocols agree: frames and their navigations, questions to the injected script,
//! evaluation in the page's own world, raw input, pictures, network and console events. Waiting, retrying, selectors,
//! actionability and settling are the engine's, the same for every browser. What a browser can't do it says in its
//! [`Capabilities`], and refuses with [`BackendError::Unsupported`].
//!
//! Everything that happens on its own arrives as an event, in order, on the channel that came with the page or the
//! context; a backend never calls back into the engine.

mod ability;
mod browser;
mod context;
mod error;
mod event;
mod ids;
mod input;
mod network;
mod page;
mod picture;

pub use ability::Ability;
pub use browser::{Browser, BrowserKind, Capabilities, Gone, Identity};
pub use context::{
    Context, ContextEvent, ContextOptions, Cookie, Download, DownloadState, Geolocation, OpenedContext,
    OpenedPage, OriginStorage, Proxy, SameSite, StorageItem, Viewport,
};
pub use error::{BackendError, Work};
pub use event::{ConsoleEntry, ConsoleLevel, Dialog, DialogKind, PageEvent, Place};
pub use ids::{DialogId, DownloadId, FrameId, NavigationId, PageId, RequestId};
pub use input::{InputEvent, Key, Modifiers, MouseButton, Point};
pub use network::{Failure, Request, ResourceKind, Response, Timing};
pub use page::{Argument, Dropped, Handle, Page, Question, Started, World};
pub use picture::{Picture, PictureFormat, Rect, Shot};
