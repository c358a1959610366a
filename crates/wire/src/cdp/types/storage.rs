//! `Storage`: the cookies of an isolated context, and clearing what an origin stored.

use super::ids::BrowserContextId;
use super::network::{CookieParam, Cookies};

command! { GetCookies = "Storage.getCookies" => Cookies optional { browser_context_id: BrowserContextId } }

command! {
    SetCookies = "Storage.setCookies" { cookies: Vec<CookieParam> }
    optional { browser_context_id: BrowserContextId }
}

command! { ClearCookies = "Storage.clearCookies" optional { browser_context_id: BrowserContextId } }

command! { ClearDataForOrigin = "Storage.clearDataForOrigin" { origin: String, storage_types: String } }
