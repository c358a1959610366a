//! The one list of tools. Adding a tool is one file beside this one and one line here.

use super::{Tool, browser, test};

/// Every tool that this server can have, in the order in which clients list them.
pub(crate) static TOOLS: &[&Tool] = &[
    &browser::CREATE_SESSION,
    &browser::CLOSE_SESSION,
    &browser::LIST_SESSIONS,
    &browser::NAVIGATE,
    &browser::NAVIGATE_BACK,
    &browser::SNAPSHOT,
    &browser::FIND,
    &browser::CLICK,
    &browser::TYPE,
    &browser::FILL_FORM,
    &browser::SELECT_OPTION,
    &browser::PRESS_KEY,
    &browser::HOVER,
    &browser::DRAG,
    &browser::DROP,
    &browser::FILE_UPLOAD,
    &browser::HANDLE_DIALOG,
    &browser::WAIT_FOR,
    &browser::EXISTS,
    &browser::GET_CONTENT,
    &browser::EVALUATE,
    &browser::SCREENSHOT,
    &browser::CONSOLE_MESSAGES,
    &browser::NETWORK_REQUESTS,
    &browser::NETWORK_REQUEST,
    &browser::TABS,
    &browser::RESIZE,
    &test::RUN_TEST,
    &test::GET_TEST_RUN,
];
