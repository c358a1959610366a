//! The way into the browser itself, for what its protocol can't do otherwise. Open only where somebody asked for it: its
//! scripts may do everything that the browser may.

use std::time::Duration;

use base::Deadline;
use engine::backend::BackendError;
use serde_json::json;
use wire::bidi::types::browsing_context::GetChromeTree;
use wire::bidi::types::ids::BrowsingContextId;
use wire::bidi::types::script::{CallFunction, Target};
use wire::bidi::{CallError, Command, Connection};

use super::page::Page;
use super::refusal::refusal;

/// How long the browser's own process may take.
const LIMIT: Duration = Duration::from_secs(5);

/// Finds the browser's object for a page.
const FIND: &str = "const { NavigableManager } = ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs');
const page = NavigableManager.getBrowsingContextById(id);";

/// The browser's own window.
#[derive(Debug, Clone)]
pub(super) struct System {
    connection: Connection,
    window: BrowsingContextId,
}

impl System {
    /// Finds the way.
    pub(super) async fn enter(connection: &Connection) -> Result<Self, CallError> {
        let windows = connection.call(&GetChromeTree::new("chrome")).await?.contexts;
        let window = windows.into_iter().next().ok_or_else(|| CallError::Malformed {
            method: GetChromeTree::METHOD,
            reason: "the browser has no window of its own".to_owned(),
        })?;
        Ok(Self { connection: connection.clone(), window: window.context })
    }

    /// The colour scheme that a page and everything in it is told.
    pub(super) async fn set_color_scheme(&self, page: &Page, scheme: &str) -> Result<(), BackendError> {
        let body = format!("{FIND} page.top.prefersColorSchemeOverride = value;");
        let scheme = if scheme == "no-preference" { "light" } else { scheme };
        self.run(page, &body, scheme).await
    }

    /// Whether a page is told that it is on a phone: it is touched, and its width follows its own `meta` element.
    pub(super) async fn set_phone(&self, page: &Page, phone: bool) -> Result<(), BackendError> {
        let body = format!(
            "{FIND} const phone = value === 'phone'; page.top.inRDMPane = phone; \
             page.top.touchEventsOverride = phone ? 'enabled' : 'none'; page.top.setRDMPaneMaxTouchPoints(phone ? 1 : 0);"
        );
        self.run(page, &body, if phone { "phone" } else { "desktop" }).await
    }

    /// Calls the body of a function with a page's `id` and a text `value`.
    async fn run(&self, page: &Page, body: &str, value: &str) -> Result<(), BackendError> {
        let text = |value: &str| json!({ "type": "string", "value": value });
        let call = CallFunction {
            arguments: Some(vec![text(page.context.as_str()), text(value)]),
            ..CallFunction::new(
                format!("(id, value) => {{ {body} }}"),
                true,
                Target { context: Some(self.window.clone()), ..Target::new() },
            )
        };
        let refused =
            |reason: String| BackendError::Refused { request: "a script in the browser".to_owned(), reason };
        let called = Deadline::after(LIMIT).race(self.connection.call(&call)).await;
        let called = called.map_err(|_| refused("it did not answer in time".to_owned()))?.map_err(refusal)?;
        called.exception_details.map_or(Ok(()), |thrown| Err(refused(thrown.text)))
    }
}
