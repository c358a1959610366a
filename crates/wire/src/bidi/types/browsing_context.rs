//! Tabs, windows and frames.

use serde_json::Value;

use super::ids::{BrowsingContextId, NavigationId, SharedId, UserContextId};
use super::script::RemoteValue;
use crate::Blob;

command! { Activate = "browsingContext.activate" { context: BrowsingContextId } }
command! {
    CaptureScreenshot = "browsingContext.captureScreenshot" => Image { context: BrowsingContextId }
    optional { origin: ScreenshotOrigin, format: ImageFormat, clip: Clip }
}
object! { Image { data: Blob } }
words! { ScreenshotOrigin { Viewport = "viewport", Document = "document" } }
object! { ImageFormat { r#type: String } optional { quality: f64 } }
object! { Clip { r#type: String, x: f64, y: f64, width: f64, height: f64 } }
command! { Close = "browsingContext.close" { context: BrowsingContextId } optional { prompt_unload: bool } }
command! {
    Create = "browsingContext.create" => Created { r#type: String }
    optional { user_context: UserContextId, reference_context: BrowsingContextId, background: bool }
}
object! { Created { context: BrowsingContextId } }
command! {
    /// Mozilla's extension: the windows of the browser itself.
    GetChromeTree = "browsingContext.getTree" => Tree { #[serde(rename = "moz:scope")] scope: &'static str }
}
command! { GetTree = "browsingContext.getTree" => Tree optional { max_depth: u32, root: BrowsingContextId } }
object! { Tree { contexts: Vec<Info> } }
object! { Info { context: BrowsingContextId, url: String } }
command! {
    HandleUserPrompt = "browsingContext.handleUserPrompt" { context: BrowsingContextId }
    optional { accept: bool, user_text: String }
}
command! {
    LocateNodes = "browsingContext.locateNodes" => Located { context: BrowsingContextId, locator: Value }
}
object! { Located { nodes: Vec<Node> } }
object! { Node optional { shared_id: SharedId } }
command! {
    Navigate = "browsingContext.navigate" => Navigated { context: BrowsingContextId, url: String, wait: Readiness }
}
words! { Readiness { None = "none", Interactive = "interactive", Complete = "complete" } }
object! { Navigated { url: String } optional { navigation: NavigationId } }
command! { Print = "browsingContext.print" => Image { context: BrowsingContextId } optional { background: bool } }
command! { Reload = "browsingContext.reload" => Navigated { context: BrowsingContextId, wait: Readiness } }
command! {
    /// An absent `context` means all pages of the user contexts.
    SetViewport = "browsingContext.setViewport"
    optional { context: BrowsingContextId, viewport: Viewport, device_pixel_ratio: f64, user_contexts: Vec<UserContextId> }
}
object! { Viewport { width: u32, height: u32 } }
command! { TraverseHistory = "browsingContext.traverseHistory" { context: BrowsingContextId, delta: i32 } }

event! {
    ContextCreated = "browsingContext.contextCreated"
    { context: BrowsingContextId, url: String, user_context: UserContextId }
    optional { parent: BrowsingContextId, original_opener: BrowsingContextId }
}
event! { ContextDestroyed = "browsingContext.contextDestroyed" { context: BrowsingContextId } }
event! {
    NavigationStarted = "browsingContext.navigationStarted" { context: BrowsingContextId, url: String }
    optional { navigation: NavigationId }
}
event! {
    NavigationCommitted = "browsingContext.navigationCommitted" { context: BrowsingContextId, url: String }
    optional { navigation: NavigationId }
}
event! {
    NavigationFailed = "browsingContext.navigationFailed" { context: BrowsingContextId, url: String }
    optional { navigation: NavigationId }
}
event! {
    FragmentNavigated = "browsingContext.fragmentNavigated" { context: BrowsingContextId, url: String }
    optional { navigation: NavigationId }
}
event! { HistoryUpdated = "browsingContext.historyUpdated" { context: BrowsingContextId, url: String } }
event! {
    DomContentLoaded = "browsingContext.domContentLoaded" { context: BrowsingContextId, url: String }
    optional { navigation: NavigationId }
}
event! {
    Load = "browsingContext.load" { context: BrowsingContextId, url: String }
    optional { navigation: NavigationId }
}
event! {
    DownloadWillBegin = "browsingContext.downloadWillBegin"
    { context: BrowsingContextId, url: String, suggested_filename: String }
    optional { navigation: NavigationId }
}
event! {
    DownloadEnd = "browsingContext.downloadEnd" { context: BrowsingContextId, url: String, status: String }
    optional { navigation: NavigationId, filepath: String }
}
event! {
    UserPromptOpened = "browsingContext.userPromptOpened" { context: BrowsingContextId, r#type: String, message: String }
    optional { default_value: String }
}
event! { UserPromptClosed = "browsingContext.userPromptClosed" { context: BrowsingContextId, accepted: bool } }
event! {
    FileDialogOpened = "input.fileDialogOpened" { context: BrowsingContextId, multiple: bool }
    optional { element: RemoteValue }
}
