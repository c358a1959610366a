//! What the demo's agent does: it starts its app, uses it, meets a bug and a mistake of its own, runs the tests, ends.

use serde_json::{Value, json};

use super::scene::Scene;

/// The calls, in order.
pub(super) const STORY: &[Scene] = &[
    Scene {
        title: "The agent starts its app: the dev server and a browser session on it, in one call",
        tool: "start_session",
        arguments: || json!({}),
        fails: false,
        says: &["http://localhost:", "combined"],
    },
    Scene {
        title: "It opens the page, and sees it as its users' assistive technology does",
        tool: "navigate",
        arguments: || json!({ "url": "/" }),
        fails: false,
        says: &["button \"Add to cart\"", "### Server log"],
    },
    Scene {
        title: "It fills in the form",
        tool: "fill_form",
        arguments: || {
            json!({ "fields": [
                { "name": "Product", "type": "textbox", "selector": "getByLabel('Product')", "value": "bread" },
                { "name": "Quantity", "type": "textbox", "selector": "getByLabel('Quantity')", "value": "3" },
            ] })
        },
        fails: false,
        says: &["bread"],
    },
    Scene {
        title: "It clicks: the page asks its server, and the answer shows what changed and what the server logged",
        tool: "click",
        arguments: || json!({ "selector": "getByRole('button', { name: 'Add to cart' })" }),
        fails: false,
        says: &["7.50", "GET /price?of=bread 200"],
    },
    Scene {
        title: "A bug: the action works, the server behind it does not; that is pointed out, with its log",
        tool: "type",
        arguments: || json!({ "selector": "getByLabel('Product')", "text": "caviar", "submit": true }),
        fails: false,
        says: &["### Attention", "500 Internal Server Error", "the price list has no caviar"],
    },
    Scene {
        title: "It orders, and a notice covers the page",
        tool: "click",
        arguments: || json!({ "selector": "text=Order" }),
        fails: false,
        says: &["Your order is on its way"],
    },
    Scene {
        title: "A failure: a click that no user could do ends in its time, with all its evidence",
        tool: "click",
        arguments: || json!({ "selector": "getByRole('button', { name: 'Remove bread' })", "timeout": 1000 }),
        fails: true,
        says: &["ELEMENT_NOT_CLICKABLE", "suggestion", "the price list has no caviar", "screenshot"],
    },
    Scene {
        title: "It takes a picture",
        tool: "screenshot",
        arguments: || json!({}),
        fails: false,
        says: &[".png"],
    },
    Scene {
        title: "It looks for the bug in the server's log",
        tool: "read_server_logs",
        arguments: || json!({ "logType": "combined", "grep": "caviar|error" }),
        fails: false,
        says: &["the price list has no caviar"],
    },
    Scene {
        title: "It runs the tests of what it wrote",
        tool: "run_test",
        arguments: || tests("costs", 60_000),
        fails: false,
        says: &[r#""status":"pass""#],
    },
    Scene {
        title: "A test fails: the failure comes back with its place and its message",
        tool: "run_test",
        arguments: || tests("discount", 60_000),
        fails: false,
        says: &[r#""status":"fail""#, "ten_pieces_get_the_discount"],
    },
    Scene {
        title: "A test hangs: the call comes back all the same, and nothing of it is left running",
        tool: "run_test",
        arguments: || tests("warehouse", 3_000),
        fails: false,
        says: &[r#""status":"no_output""#],
    },
    Scene {
        title: "It ends the session: the browser's part is closed, the dev server shut down and proven gone",
        tool: "end_session",
        arguments: || json!({}),
        fails: false,
        says: &["stopped"],
    },
];

/// The tests whose names match, with so many milliseconds of silence allowed.
fn tests(pattern: &str, silence: u64) -> Value {
    json!({
        "runner": "cargo",
        "scope": "pattern",
        "target": pattern,
        "timeout_ms": 120_000,
        "no_output_timeout_ms": silence,
        "max_output_bytes": 20_000,
    })
}
