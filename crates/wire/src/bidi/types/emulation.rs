//! What pages are told about the machine.

use serde_json::Value;

use super::ids::UserContextId;

command! {
    /// No coordinates: the machine's own.
    SetGeolocationOverride = "emulation.setGeolocationOverride"
    { coordinates: Option<Coordinates>, user_contexts: Vec<UserContextId> }
}
object! { Coordinates { latitude: f64, longitude: f64, accuracy: f64 } }
command! {
    SetLocaleOverride = "emulation.setLocaleOverride" { locale: Option<String>, user_contexts: Vec<UserContextId> }
}
command! {
    SetTimezoneOverride = "emulation.setTimezoneOverride" { timezone: Option<String>, user_contexts: Vec<UserContextId> }
}
command! {
    SetUserAgentOverride = "emulation.setUserAgentOverride"
    { user_agent: Option<String>, user_contexts: Vec<UserContextId> }
}
command! {
    /// `{ "type": "offline" }`, or null for the machine's own.
    SetNetworkConditions = "emulation.setNetworkConditions"
    { network_conditions: Value, user_contexts: Vec<UserContextId> }
}
