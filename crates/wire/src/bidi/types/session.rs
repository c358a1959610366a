//! The session, and what is heard in it.

use serde_json::Value;

command! {
    /// Begins the one session that a connection has.
    Begin = "session.new" => Begun { capabilities: Value }
}
object! {
    Begun { session_id: String, capabilities: Capabilities }
}
object! {
    Capabilities { browser_name: String, browser_version: String } optional { user_agent: String }
}
command! {
    /// Begins to hear events.
    Subscribe = "session.subscribe" { events: Vec<&'static str> }
}
