//! `Target`: pages, frames and workers, isolated contexts, and sessions on them.

use serde::Deserialize;

use super::ids::{BrowserContextId, FrameId, SessionId, TargetId};

object! {
    TargetInfo { target_id: TargetId, r#type: String, title: String, url: String, attached: bool }
    optional {
        opener_id: TargetId,
        can_access_opener: bool,
        opener_frame_id: FrameId,
        parent_frame_id: FrameId,
        browser_context_id: BrowserContextId,
        subtype: String,
    }
}

object! {
    /// Which targets are meant; the first entry that matches decides.
    FilterEntry optional { exclude: bool, r#type: String }
}

command! {
    CreateBrowserContext = "Target.createBrowserContext" => CreatedBrowserContext
    optional {
        dispose_on_detach: bool,
        proxy_server: String,
        proxy_bypass_list: String,
        origins_with_universal_network_access: Vec<String>,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedBrowserContext {
    pub browser_context_id: BrowserContextId,
}

command! { DisposeBrowserContext = "Target.disposeBrowserContext" { browser_context_id: BrowserContextId } }

command! { GetBrowserContexts = "Target.getBrowserContexts" => BrowserContexts }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserContexts {
    pub browser_context_ids: Vec<BrowserContextId>,
}

command! {
    CreateTarget = "Target.createTarget" => CreatedTarget { url: String }
    optional {
        width: i64,
        height: i64,
        browser_context_id: BrowserContextId,
        new_window: bool,
        background: bool,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedTarget {
    pub target_id: TargetId,
}

command! { CloseTarget = "Target.closeTarget" { target_id: TargetId } }

command! { ActivateTarget = "Target.activateTarget" { target_id: TargetId } }

command! { GetTargets = "Target.getTargets" => Targets optional { filter: Vec<FilterEntry> } }

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Targets {
    pub target_infos: Vec<TargetInfo>,
}

command! { GetTargetInfo = "Target.getTargetInfo" => GotTargetInfo optional { target_id: TargetId } }

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GotTargetInfo {
    pub target_info: TargetInfo,
}

command! {
    /// Always send it with `flatten: true`: sessions of the other kind are not supported here.
    AttachToTarget = "Target.attachToTarget" => Attached { target_id: TargetId, flatten: bool }
}

command! { AttachToBrowserTarget = "Target.attachToBrowserTarget" => Attached }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attached {
    pub session_id: SessionId,
}

command! { DetachFromTarget = "Target.detachFromTarget" optional { session_id: SessionId } }

command! {
    /// Always send it with `flatten: true`.
    SetAutoAttach = "Target.setAutoAttach" { auto_attach: bool, wait_for_debugger_on_start: bool, flatten: bool }
    optional { filter: Vec<FilterEntry> }
}

command! {
    SetDiscoverTargets = "Target.setDiscoverTargets" { discover: bool } optional { filter: Vec<FilterEntry> }
}

event! {
    AttachedToTarget = "Target.attachedToTarget"
    { session_id: SessionId, target_info: TargetInfo, waiting_for_debugger: bool }
}

event! { DetachedFromTarget = "Target.detachedFromTarget" { session_id: SessionId } }

event! { TargetCreated = "Target.targetCreated" { target_info: TargetInfo } }

event! { TargetInfoChanged = "Target.targetInfoChanged" { target_info: TargetInfo } }

event! { TargetDestroyed = "Target.targetDestroyed" { target_id: TargetId } }

event! { TargetCrashed = "Target.targetCrashed" { target_id: TargetId, status: String, error_code: i64 } }
