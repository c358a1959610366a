//! The browser, and its user contexts.

use serde_json::Value;

use super::ids::UserContextId;

command! { Close = "browser.close" }
command! {
    CreateUserContext = "browser.createUserContext" => UserContextInfo
    optional { accept_insecure_certs: bool, proxy: Value, unhandled_prompt_behavior: Value }
}
object! { UserContextInfo { user_context: UserContextId } }
command! { RemoveUserContext = "browser.removeUserContext" { user_context: UserContextId } }
command! {
    SetDownloadBehavior = "browser.setDownloadBehavior" { download_behavior: DownloadBehavior }
    optional { user_contexts: Vec<UserContextId> }
}
object! {
    /// `allowed` with a folder, or `denied`.
    DownloadBehavior { r#type: String } optional { destination_folder: String }
}
