//! Cookies.

use serde_json::Value;

use super::ids::UserContextId;
use super::network::BytesValue;

command! { GetCookies = "storage.getCookies" => Cookies { partition: Partition } }
object! { Cookies { cookies: Vec<Cookie> } }
object! {
    Cookie { name: String, value: BytesValue, domain: String, path: String, http_only: bool, secure: bool, same_site: String }
    optional { expiry: f64 }
}
command! { SetCookie = "storage.setCookie" { cookie: Value, partition: Partition } }
command! { DeleteCookies = "storage.deleteCookies" { partition: Partition } }
object! { Partition { r#type: String, user_context: UserContextId } }

impl Partition {
    /// The cookies of one user context: without it, those of all are meant.
    pub fn of(user_context: &UserContextId) -> Self {
        Self::new("storageKey", user_context)
    }
}
