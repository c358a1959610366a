//! The arguments that the tools share: which session, for how long, which element.

use engine::Target;
use engine::locator::SelectorRefused;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::tools::arguments::INVALID_INPUT;
use crate::tools::{Failure, invalid};

/// Playwright MCP's word for an element; what looks like a ref is one.
pub(super) const TARGET: &[(&str, &str)] = &[("target", "selector")];

/// Taken by every tool that has them: how long it may take, and the element in the agent's own words.
pub(super) const UNLISTED: &[&str] = &["timeout", "element", "startElement", "endElement"];

/// Which session, and for how long.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "`visit` reads them before the handler's own arguments are parsed")]
pub(super) struct On {
    session_id: Option<String>,
    timeout: Option<u64>,
}

/// No arguments besides those of every tool.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::tools) struct Nothing {
    #[serde(flatten)]
    _on: On,
}

/// Which element.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub(super) struct At {
    #[serde(rename = "ref")]
    reference: Option<String>,
    selector: Option<String>,
    /// For people; what is addressed decides.
    #[serde(rename = "element")]
    _element: Option<String>,
}

impl At {
    /// The element that is addressed.
    pub(super) fn target(&self) -> Result<Target, Failure> {
        self.maybe()?.ok_or_else(|| invalid("ref", "given, or else `selector`", None))
    }

    /// The element that is addressed, if one is.
    pub(super) fn maybe(&self) -> Result<Option<Target>, Failure> {
        one_of(("ref", self.reference.as_deref()), ("selector", self.selector.as_deref()))
    }
}

/// The element behind one of two arguments.
pub(super) fn one_of(
    reference: (&str, Option<&str>),
    selector: (&str, Option<&str>),
) -> Result<Option<Target>, Failure> {
    let (field, text) = match (reference, selector) {
        ((_, None), (_, None)) => return Ok(None),
        ((field, Some(text)), (_, None)) | ((_, None), (field, Some(text))) => (field, text),
        ((first, Some(_)), (second, Some(text))) => {
            let expected = format!("left out when `{first}` is given");
            return Err(invalid(second, &expected, Some(&Value::from(text))));
        }
    };
    Target::parse(text).map(Some).map_err(|refused| unreadable(field, text, &refused))
}

fn unreadable(field: &str, text: &str, refused: &SelectorRefused) -> Failure {
    Failure::new(INVALID_INPUT, format!("{field}: {refused}"))
        .fact("field", field)
        .fact("received", base::clip::head(text, 200))
        .suggest("use CSS, text=…, role=button[name=\"…\"], getByRole(…), or a ref from a snapshot")
}
