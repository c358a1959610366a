//! What can go wrong in a browser, by name (seeds A and C).

use crate::tools::code::{ErrorCode, codes};

codes! {
    SESSION_NOT_FOUND = "session_not_found", "no open session has this id; open one with create_session";
    SESSION_EXPIRED = "session_expired", "the session reached one of its time limits and was closed; open another with create_session";
    SESSION_CLOSED = "session_closed", "the session was closed while the call ran";
    MAX_SESSIONS_REACHED = "max_sessions_reached", "as many sessions are open as may be; `details.open` names them";
    BROWSER_NOT_FOUND = "browser_not_found", "no browser is installed where it was looked for; the suggestion says how to get one";
    BROWSER_LAUNCH_FAILED = "browser_launch_failed", "the browser did not start; `details.stderr` has its last words";
    BROWSER_CRASHED = "browser_crashed", "the browser died, and its sessions with it; open another with create_session";
    UNSUPPORTED_BY_BROWSER = "unsupported_by_browser", "this browser can't do it; the message says what to use instead";
    NAVIGATION_FAILED = "navigation_failed", "the address could not be reached, or not in time; `reason` says why";
    BLOCKED_BY_POLICY = "blocked_by_policy", "the server does not let its browsers go there; `rule` says why, the suggestion what would permit it";
    ELEMENT_NOT_FOUND = "element_not_found", "nothing matches within the time limit";
    ELEMENT_NOT_UNIQUE = "element_not_unique", "several elements match; `details.matches` has a selector for each of the first";
    ELEMENT_NOT_CLICKABLE = "element_not_clickable", "the element is there, but a user could not click it; `details.obstacle` says why";
    ELEMENT_NOT_EDITABLE = "element_not_editable", "the element is there, but a user could not write into it or choose from it";
    ELEMENT_NOT_VISIBLE = "element_not_visible", "the element is there, but can't be seen or used";
    STALE_REF = "stale_ref", "the ref is not in the page any more; take a snapshot";
    DIALOG_OPEN = "dialog_open", "the page waits for the answer to a dialog; answer it with handle_dialog";
    PAGE_CRASHED = "page_crashed", "the page's process died; navigate again";
    PAGE_CLOSED = "page_closed", "the tab was closed meanwhile";
    EVALUATION_FAILED = "evaluation_failed", "the script threw; `details.stack` says where";
    BROWSER_ERROR = "browser_error", "the browser refused, in its own words";
}
