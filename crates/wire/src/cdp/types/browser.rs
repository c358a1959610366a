//! `Browser`: the program itself, permissions, downloads.

use serde::Deserialize;

use super::ids::{BrowserContextId, FrameId, TargetId, WindowId};

command! { GetVersion = "Browser.getVersion" => Version }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    pub protocol_version: String,
    pub product: String,
    pub revision: String,
    pub user_agent: String,
    pub js_version: String,
}

command! { Close = "Browser.close" }

words! { PermissionSetting { Granted = "granted", Denied = "denied", Prompt = "prompt" } }

object! {
    PermissionDescriptor { name: String }
    optional { sysex: bool, user_visible_only: bool, allow_without_sanitization: bool, pan_tilt_zoom: bool }
}

command! {
    SetPermission = "Browser.setPermission" { permission: PermissionDescriptor, setting: PermissionSetting }
    optional { origin: String, browser_context_id: BrowserContextId }
}

command! { ResetPermissions = "Browser.resetPermissions" optional { browser_context_id: BrowserContextId } }

words! { DownloadBehavior { Deny = "deny", Allow = "allow", AllowAndName = "allowAndName", Default = "default" } }

command! {
    SetDownloadBehavior = "Browser.setDownloadBehavior" { behavior: DownloadBehavior }
    optional { browser_context_id: BrowserContextId, download_path: String, events_enabled: bool }
}

command! {
    CancelDownload = "Browser.cancelDownload" { guid: String } optional { browser_context_id: BrowserContextId }
}

command! { GetWindowForTarget = "Browser.getWindowForTarget" => Window optional { target_id: TargetId } }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    pub window_id: WindowId,
    pub bounds: Bounds,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bounds {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_state: Option<String>,
}

command! { SetWindowBounds = "Browser.setWindowBounds" { window_id: WindowId, bounds: Bounds } }

event! {
    DownloadWillBegin = "Browser.downloadWillBegin"
    { frame_id: FrameId, guid: String, url: String, suggested_filename: String }
}

words! { DownloadState { InProgress = "inProgress", Completed = "completed", Canceled = "canceled" } }

event! {
    DownloadProgress = "Browser.downloadProgress"
    { guid: String, total_bytes: f64, received_bytes: f64, state: DownloadState }
    optional { file_path: String }
}
