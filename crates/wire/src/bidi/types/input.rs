//! What a hand does, and files that it hands over.

use serde_json::Value;

use super::ids::BrowsingContextId;
use super::script::SharedReference;

command! {
    /// The actions of several devices, tick by tick (WebDriver, section 15).
    PerformActions = "input.performActions" { context: BrowsingContextId, actions: Vec<Value> }
}
command! { ReleaseActions = "input.releaseActions" { context: BrowsingContextId } }
command! {
    SetFiles = "input.setFiles" { context: BrowsingContextId, element: SharedReference, files: Vec<String> }
}
