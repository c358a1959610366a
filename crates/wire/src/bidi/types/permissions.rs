//! Permissions (Permissions, "Automation").

use super::ids::UserContextId;

command! {
    SetPermission = "permissions.setPermission" { descriptor: Descriptor, state: State, origin: String }
    optional { user_context: UserContextId }
}
object! { Descriptor { name: String } }
words! { State { Granted = "granted", Denied = "denied", Prompt = "prompt" } }
