//! The calls that make locators, and what each of them adds to the steps.

use super::builder::Builder;
use super::{Arguments, camel};
use crate::locator::ast::Step;
use crate::locator::cursor::Cursor;
use crate::locator::refusal::{Reason, SelectorRefused};

/// One call as written.
pub(super) struct Call<'a> {
    pub(super) at: usize,
    pub(super) name: &'a str,
    /// Whether brackets followed; Python has `first`, `last` and `content_frame` without them.
    pub(super) called: bool,
    pub(super) arguments: Arguments,
}

struct Method {
    name: &'static str,
    /// The options it takes.
    options: &'static [&'static str],
    /// Whether it can stand at the beginning.
    begins: bool,
    apply: fn(&mut Builder<'_, '_>) -> Result<(), SelectorRefused>,
}

const EXACT: &[&str] = &["exact"];
const FILTERS: &[&str] = &["has", "hasNot", "hasText", "hasNotText"];
const ALL_FILTERS: &[&str] = &["has", "hasNot", "hasText", "hasNotText", "visible"];
const ROLE: &[&str] = &[
    "name",
    "exact",
    "checked",
    "description",
    "disabled",
    "expanded",
    "includeHidden",
    "level",
    "pressed",
    "selected",
];

const fn begin(
    name: &'static str,
    options: &'static [&'static str],
    apply: fn(&mut Builder<'_, '_>) -> Result<(), SelectorRefused>,
) -> Method {
    Method { name, options, begins: true, apply }
}

const fn after(
    name: &'static str,
    options: &'static [&'static str],
    apply: fn(&mut Builder<'_, '_>) -> Result<(), SelectorRefused>,
) -> Method {
    Method { name, options, begins: false, apply }
}

/// Every method, in TypeScript spelling; Python's is the same with underscores.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method's path is not general in its lifetimes"
)]
static METHODS: &[Method] = &[
    begin("getByRole", ROLE, |b| b.role()),
    begin("getByText", EXACT, |b| b.by_text(Step::Text)),
    begin("getByLabel", EXACT, |b| b.by_text(Step::Label)),
    begin("getByPlaceholder", EXACT, |b| b.by_attribute("placeholder")),
    begin("getByAltText", EXACT, |b| b.by_attribute("alt")),
    begin("getByTitle", EXACT, |b| b.by_attribute("title")),
    begin("getByTestId", &[], |b| b.test_id()),
    begin("locator", FILTERS, |b| b.locator()),
    begin("frameLocator", &[], |b| b.frame_locator()),
    after("filter", ALL_FILTERS, |b| b.filters()),
    after("first", &[], |b| b.nth(Some(0))),
    after("last", &[], |b| b.nth(Some(-1))),
    after("nth", &[], |b| b.nth(None)),
    after("and", &[], |b| b.inner(Step::And)),
    after("or", &[], |b| b.inner(Step::Or)),
    after("contentFrame", &[], |b| b.push(Step::Frame)),
    after("owner", &[], |b| b.owner()),
    after("describe", &[], |_| Ok(())),
];

/// Methods of a locator that act, ask or assert, for a refusal that says so.
const ACTIONS: &[&str] = &[
    "all",
    "allInnerTexts",
    "allTextContents",
    "ariaSnapshot",
    "blur",
    "boundingBox",
    "check",
    "clear",
    "click",
    "count",
    "dblclick",
    "dispatchEvent",
    "dragTo",
    "elementHandle",
    "evaluate",
    "evaluateAll",
    "fill",
    "focus",
    "getAttribute",
    "highlight",
    "hover",
    "innerHTML",
    "innerText",
    "inputValue",
    "isChecked",
    "isDisabled",
    "isEditable",
    "isEnabled",
    "isHidden",
    "isVisible",
    "press",
    "pressSequentially",
    "screenshot",
    "scrollIntoViewIfNeeded",
    "selectOption",
    "selectText",
    "setChecked",
    "setInputFiles",
    "tap",
    "textContent",
    "toBeVisible",
    "type",
    "uncheck",
    "waitFor",
];

/// The names, for advice.
pub(in crate::locator) fn names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|method| method.name)
}

/// Adds what `call` means to `steps`.
pub(super) fn apply(
    cursor: &Cursor<'_>,
    steps: &mut Vec<Step>,
    call: Call<'_>,
) -> Result<(), SelectorRefused> {
    let name = camel(call.name);
    let Some(method) = METHODS.iter().find(|method| method.name == name) else {
        let action = ACTIONS.contains(&name.as_str()) && !steps.is_empty();
        let reason = if action {
            Reason::Action { name }
        } else {
            Reason::UnknownMethod { name: call.name.to_owned() }
        };
        return Err(cursor.refuse_at(call.at, reason));
    };
    if steps.is_empty() && !method.begins {
        return Err(cursor.refuse_at(
            call.at,
            Reason::Expected {
                what: "a locator such as locator('…') before it",
                found: format!("`{}`", call.name),
            },
        ));
    }
    let property = matches!(name.as_str(), "first" | "last" | "contentFrame" | "owner");
    if !call.called && !property {
        return Err(cursor.refuse_at(
            call.at + call.name.len(),
            Reason::Expected { what: "`(` and the arguments", found: format!("`{}` alone", call.name) },
        ));
    }
    if let Some(unknown) =
        call.arguments.named.iter().find(|named| !method.options.contains(&named.name.as_str()))
    {
        let known = if method.options.is_empty() { "none".to_owned() } else { method.options.join(", ") };
        let name = unknown.name.clone();
        return Err(cursor
            .refuse_at(unknown.at, Reason::UnknownOption { method: method.name.to_owned(), name, known }));
    }
    let Call { at, arguments, .. } = call;
    let Arguments { positional, named } = arguments;
    let mut positional = positional.into_iter();
    let first = positional.next();
    (method.apply)(&mut Builder { cursor, steps, at, method: method.name, first, named })
}
