//! `Page`: navigation, frames, lifecycle, dialogs, pictures.

use serde::Deserialize;

use super::ids::{BackendNodeId, ExecutionContextId, FrameId, LoaderId, ScriptIdentifier, StreamHandle};
use crate::Blob;

command! { Enable = "Page.enable" optional { enable_file_chooser_opened_event: bool } }

command! { Disable = "Page.disable" }

command! { SetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled" { enabled: bool } }

command! {
    Navigate = "Page.navigate" => Navigated { url: String }
    optional { referrer: String, transition_type: String, frame_id: FrameId, referrer_policy: String }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigated {
    pub frame_id: FrameId,
    /// Absent for a navigation within the document.
    pub loader_id: Option<LoaderId>,
    pub error_text: Option<String>,
    pub is_download: Option<bool>,
}

command! {
    Reload = "Page.reload"
    optional { ignore_cache: bool, script_to_evaluate_on_load: String, loader_id: LoaderId }
}

command! { StopLoading = "Page.stopLoading" }

command! { GetNavigationHistory = "Page.getNavigationHistory" => NavigationHistory }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationHistory {
    pub current_index: i64,
    pub entries: Vec<NavigationEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationEntry {
    pub id: i64,
    pub url: String,
    #[serde(rename = "userTypedURL")]
    pub user_typed_url: String,
    pub title: String,
    pub transition_type: String,
}

command! { NavigateToHistoryEntry = "Page.navigateToHistoryEntry" { entry_id: i64 } }

command! { GetFrameTree = "Page.getFrameTree" => GotFrameTree }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GotFrameTree {
    pub frame_tree: FrameTree,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTree {
    pub frame: Frame,
    #[serde(default)]
    pub child_frames: Vec<Self>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    pub id: FrameId,
    pub parent_id: Option<FrameId>,
    pub loader_id: LoaderId,
    pub name: Option<String>,
    pub url: String,
    pub url_fragment: Option<String>,
    pub security_origin: Option<String>,
    pub mime_type: Option<String>,
    /// Set when the frame shows an error page instead.
    pub unreachable_url: Option<String>,
}

command! {
    AddScriptToEvaluateOnNewDocument = "Page.addScriptToEvaluateOnNewDocument" => AddedScript { source: String }
    optional {
        world_name: String,
        #[serde(rename = "includeCommandLineAPI")]
        include_command_line_api: bool,
        run_immediately: bool,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AddedScript {
    pub identifier: ScriptIdentifier,
}

command! {
    RemoveScriptToEvaluateOnNewDocument = "Page.removeScriptToEvaluateOnNewDocument" { identifier: ScriptIdentifier }
}

command! {
    CreateIsolatedWorld = "Page.createIsolatedWorld" => IsolatedWorld { frame_id: FrameId }
    optional { world_name: String, grant_univeral_access: bool }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IsolatedWorld {
    pub execution_context_id: ExecutionContextId,
}

words! { ImageFormat { Jpeg = "jpeg", Png = "png", Webp = "webp" } }

object! { Viewport { x: f64, y: f64, width: f64, height: f64, scale: f64 } }

command! {
    CaptureScreenshot = "Page.captureScreenshot" => CapturedScreenshot
    optional {
        format: ImageFormat,
        quality: i64,
        clip: Viewport,
        from_surface: bool,
        capture_beyond_viewport: bool,
        optimize_for_speed: bool,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CapturedScreenshot {
    pub data: Blob,
}

command! { GetLayoutMetrics = "Page.getLayoutMetrics" => LayoutMetrics }

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayoutMetrics {
    pub css_layout_viewport: LayoutViewport,
    pub css_visual_viewport: VisualViewport,
    pub css_content_size: super::dom::Rect,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayoutViewport {
    pub page_x: i64,
    pub page_y: i64,
    pub client_width: i64,
    pub client_height: i64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisualViewport {
    pub offset_x: f64,
    pub offset_y: f64,
    pub page_x: f64,
    pub page_y: f64,
    pub client_width: f64,
    pub client_height: f64,
    pub scale: f64,
    pub zoom: Option<f64>,
}

command! {
    PrintToPdf = "Page.printToPDF" => PrintedPdf
    optional {
        landscape: bool,
        display_header_footer: bool,
        print_background: bool,
        scale: f64,
        paper_width: f64,
        paper_height: f64,
        margin_top: f64,
        margin_bottom: f64,
        margin_left: f64,
        margin_right: f64,
        page_ranges: String,
        header_template: String,
        footer_template: String,
        #[serde(rename = "preferCSSPageSize")]
        prefer_css_page_size: bool,
        transfer_mode: String,
        #[serde(rename = "generateTaggedPDF")]
        generate_tagged_pdf: bool,
        generate_document_outline: bool,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PrintedPdf {
    pub data: Blob,
    pub stream: Option<StreamHandle>,
}

command! { HandleJavaScriptDialog = "Page.handleJavaScriptDialog" { accept: bool } optional { prompt_text: String } }

command! {
    SetInterceptFileChooserDialog = "Page.setInterceptFileChooserDialog" { enabled: bool } optional { cancel: bool }
}

command! { SetBypassCsp = "Page.setBypassCSP" { enabled: bool } }

command! { BringToFront = "Page.bringToFront" }

command! { Close = "Page.close" }

command! { Crash = "Page.crash" }

command! { SetDocumentContent = "Page.setDocumentContent" { frame_id: FrameId, html: String } }

command! {
    StartScreencast = "Page.startScreencast"
    optional { format: ImageFormat, quality: i64, max_width: i64, max_height: i64, every_nth_frame: i64 }
}

command! { ScreencastFrameAck = "Page.screencastFrameAck" { session_id: i64 } }

command! { StopScreencast = "Page.stopScreencast" }

event! { DomContentEventFired = "Page.domContentEventFired" { timestamp: f64 } }

event! { LoadEventFired = "Page.loadEventFired" { timestamp: f64 } }

event! {
    LifecycleEvent = "Page.lifecycleEvent"
    { frame_id: FrameId, loader_id: LoaderId, name: String, timestamp: f64 }
}

event! { FrameAttached = "Page.frameAttached" { frame_id: FrameId, parent_frame_id: FrameId } }

event! { FrameDetached = "Page.frameDetached" { frame_id: FrameId } optional { reason: String } }

event! { FrameNavigated = "Page.frameNavigated" { frame: Frame } optional { r#type: String } }

event! {
    NavigatedWithinDocument = "Page.navigatedWithinDocument" { frame_id: FrameId, url: String }
    optional { navigation_type: String }
}

event! { FrameStartedLoading = "Page.frameStartedLoading" { frame_id: FrameId } }

event! {
    FrameStartedNavigating = "Page.frameStartedNavigating"
    { frame_id: FrameId, url: String, loader_id: LoaderId, navigation_type: String }
}

event! { FrameStoppedLoading = "Page.frameStoppedLoading" { frame_id: FrameId } }

event! {
    FrameRequestedNavigation = "Page.frameRequestedNavigation"
    { frame_id: FrameId, reason: String, url: String, disposition: String }
}

event! { DocumentOpened = "Page.documentOpened" { frame: Frame } }

words! { DialogType { Alert = "alert", Confirm = "confirm", Prompt = "prompt", BeforeUnload = "beforeunload" } }

event! {
    JavascriptDialogOpening = "Page.javascriptDialogOpening"
    { url: String, message: String, r#type: DialogType, has_browser_handler: bool }
    optional { frame_id: FrameId, default_prompt: String }
}

event! {
    JavascriptDialogClosed = "Page.javascriptDialogClosed" { result: bool, user_input: String }
    optional { frame_id: FrameId }
}

event! {
    FileChooserOpened = "Page.fileChooserOpened" { frame_id: FrameId, mode: String }
    optional { backend_node_id: BackendNodeId }
}

event! {
    WindowOpen = "Page.windowOpen" { url: String, window_name: String, window_features: Vec<String>, user_gesture: bool }
}

event! { ScreencastFrame = "Page.screencastFrame" { data: Blob, metadata: ScreencastMetadata, session_id: i64 } }

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreencastMetadata {
    pub offset_top: f64,
    pub page_scale_factor: f64,
    pub device_width: f64,
    pub device_height: f64,
    pub scroll_offset_x: f64,
    pub scroll_offset_y: f64,
    pub timestamp: Option<f64>,
}
