//! The engines: each has a name, the outer shape of its body, and the reading of it into a step.

use super::ast::{Attribute, Selector, Step, TextMatch};
use super::attributes::{BracketValue, brackets};
use super::cursor::Cursor;
use super::quote;
use super::refusal::{Reason, SelectorRefused};
use super::role::{self, Dialect};
use super::{chain, css};

/// One engine.
pub(super) struct Engine {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) read: fn(&mut Cursor<'_>) -> Result<Step, SelectorRefused>,
}

/// What can hide a `>>` in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Quotes and brackets.
    Css,
    /// Quotes.
    XPath,
    /// Quotes, brackets, and regular expressions behind an equals sign.
    Brackets,
    /// A string or regular expression at the head.
    Text,
}

const fn engine(
    name: &'static str,
    shape: Shape,
    read: fn(&mut Cursor<'_>) -> Result<Step, SelectorRefused>,
) -> Engine {
    Engine { name, shape, read }
}

pub(super) static CSS: Engine = engine("css", Shape::Css, css);
pub(super) static XPATH: Engine = engine("xpath", Shape::XPath, xpath);
pub(super) static OWN_TEXT: Engine = engine("text", Shape::Text, text);

/// The test ids that have an engine of their own.
pub(super) const ATTRIBUTE_ENGINES: [&str; 4] = ["id", "data-testid", "data-test-id", "data-test"];

/// Every engine. Those under `internal:` are Playwright's spellings for what only its call syntax can say otherwise.
pub(super) static ENGINES: &[Engine] = &[
    engine("css", Shape::Css, css),
    engine("xpath", Shape::XPath, xpath),
    engine("text", Shape::Text, text),
    engine("role", Shape::Brackets, |body| Ok(Step::Role(role::parse(body, Dialect::Public)?))),
    engine("id", Shape::Text, |body| attribute(body, "id")),
    engine("data-testid", Shape::Text, |body| attribute(body, "data-testid")),
    engine("data-test-id", Shape::Text, |body| attribute(body, "data-test-id")),
    engine("data-test", Shape::Text, |body| attribute(body, "data-test")),
    engine("nth", Shape::Text, nth),
    engine("visible", Shape::Text, visible),
    engine("has-text", Shape::Text, |body| Ok(Step::HasText(contained(body)?))),
    engine("has-not-text", Shape::Text, |body| Ok(Step::HasNotText(contained(body)?))),
    engine("has", Shape::Text, |body| Ok(Step::Has(inner(body)?))),
    engine("has-not", Shape::Text, |body| Ok(Step::HasNot(inner(body)?))),
    engine("internal:text", Shape::Text, |body| Ok(Step::Text(flagged(body)?))),
    engine("internal:label", Shape::Text, |body| Ok(Step::Label(flagged(body)?))),
    engine("internal:has-text", Shape::Text, |body| Ok(Step::HasText(flagged(body)?))),
    engine("internal:has-not-text", Shape::Text, |body| Ok(Step::HasNotText(flagged(body)?))),
    engine("internal:has", Shape::Text, |body| Ok(Step::Has(inner(body)?))),
    engine("internal:has-not", Shape::Text, |body| Ok(Step::HasNot(inner(body)?))),
    engine("internal:and", Shape::Text, |body| Ok(Step::And(inner(body)?))),
    engine("internal:or", Shape::Text, |body| Ok(Step::Or(inner(body)?))),
    engine("internal:chain", Shape::Text, |body| Ok(Step::Chain(inner(body)?))),
    engine("internal:role", Shape::Brackets, |body| Ok(Step::Role(role::parse(body, Dialect::Internal)?))),
    engine("internal:attr", Shape::Brackets, |body| {
        bracketed(body).map(|(name, value)| Step::Attribute(name, value))
    }),
    engine("internal:testid", Shape::Brackets, test_id),
    engine("internal:control", Shape::Text, control),
];

/// Names, for advice.
pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
    ENGINES.iter().map(|engine| engine.name).filter(|name| !name.starts_with("internal:"))
}

fn take_rest<'a>(body: &mut Cursor<'a>) -> &'a str {
    body.take_while(|_| true)
}

fn css(body: &mut Cursor<'_>) -> Result<Step, SelectorRefused> {
    let list = css::list(body)?;
    if body.is_done() { Ok(Step::Css(list)) } else { Err(body.expected("the end of the CSS selector")) }
}

fn xpath(body: &mut Cursor<'_>) -> Result<Step, SelectorRefused> {
    if body.is_done() {
        return Err(body.expected("an XPath expression"));
    }
    Ok(Step::XPath(take_rest(body).to_owned()))
}

/// A literal if it is the whole body, else nothing is read.
fn string_body(body: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = body.clone();
    if !matches!(ahead.peek(), Some('"' | '\'')) {
        return None;
    }
    let text = quote::css_string(&mut ahead).ok().filter(|_| ahead.is_done())?;
    *body = ahead;
    Some(text)
}

fn regex_body(body: &mut Cursor<'_>) -> Result<Option<TextMatch>, SelectorRefused> {
    let slashes = body.looking_at("/") && body.rest().len() > 1 && body.rest()[1..].contains('/');
    if slashes { body.regex().map(|regex| Some(TextMatch::Regex(regex))) } else { Ok(None) }
}

fn bare_body(body: &mut Cursor<'_>) -> Result<String, SelectorRefused> {
    if body.is_done() { Err(body.expected("a text")) } else { Ok(take_rest(body).to_owned()) }
}

fn text(body: &mut Cursor<'_>) -> Result<Step, SelectorRefused> {
    if let Some(text) = string_body(body) {
        return Ok(Step::OwnText(text));
    }
    if let Some(regex) = regex_body(body)? {
        return Ok(Step::Text(regex));
    }
    Ok(Step::Text(TextMatch::Substring(bare_body(body)?)))
}

fn contained(body: &mut Cursor<'_>) -> Result<TextMatch, SelectorRefused> {
    if let Some(text) = string_body(body) {
        return Ok(TextMatch::Substring(text));
    }
    if let Some(regex) = regex_body(body)? {
        return Ok(regex);
    }
    Ok(TextMatch::Substring(bare_body(body)?))
}

fn attribute(body: &mut Cursor<'_>, name: &str) -> Result<Step, SelectorRefused> {
    let value = match string_body(body) {
        Some(value) => value,
        None => bare_body(body)?,
    };
    let attribute = Attribute::new(name).ok_or_else(|| body.expected("an attribute's name"))?;
    Ok(Step::Attribute(attribute, TextMatch::Exact(value)))
}

fn nth(body: &mut Cursor<'_>) -> Result<Step, SelectorRefused> {
    let refused =
        body.refuse(Reason::BadBody { engine: "nth", takes: "a whole number; 0 is the first, -1 the last" });
    take_rest(body).parse().map(Step::Nth).map_err(|_| refused)
}

fn visible(body: &mut Cursor<'_>) -> Result<Step, SelectorRefused> {
    let refused = body.refuse(Reason::BadBody { engine: "visible", takes: "true or false" });
    take_rest(body).parse().map(Step::Visible).map_err(|_| refused)
}

/// `"text"i` contained in any case, `"text"s` exact, or a regular expression.
fn flagged(body: &mut Cursor<'_>) -> Result<TextMatch, SelectorRefused> {
    if let Some(regex) = regex_body(body)? {
        return Ok(regex);
    }
    if !body.looking_at("\"") {
        return Err(body.expected("a JSON string or a regular expression"));
    }
    let text = quote::json_string(body)?;
    let substring = body.eat("i");
    if !substring {
        body.eat("s");
    }
    Ok(TextMatch::of(text, !substring))
}

/// A selector in a JSON string.
fn inner(body: &mut Cursor<'_>) -> Result<Selector, SelectorRefused> {
    if !body.looking_at("\"") {
        return Err(body.expected("a selector in double quotes"));
    }
    let start = body.at();
    let text = quote::json_string(body)?;
    let steps = chain::parse(&text)?;
    Selector::inner(steps).map_err(|reason| body.refuse_at(start, reason))
}

fn bracketed(body: &mut Cursor<'_>) -> Result<(Attribute, TextMatch), SelectorRefused> {
    let start = body.at();
    let refused =
        body.refuse_at(start, Reason::BadBody { engine: "internal:attr", takes: "one [name=\"value\"]" });
    let mut found = brackets(body)?;
    let (Some(bracket), true) = (found.pop(), found.is_empty()) else {
        return Err(refused);
    };
    let value = match bracket.value {
        BracketValue::Text { operator: "=", text, flag } => TextMatch::of(text, flag != Some('i')),
        BracketValue::Regex(regex) => TextMatch::Regex(regex),
        _ => return Err(refused),
    };
    Attribute::new(&bracket.name).map(|name| (name, value)).ok_or(refused)
}

fn test_id(body: &mut Cursor<'_>) -> Result<Step, SelectorRefused> {
    let (attribute, value) = bracketed(body)?;
    let default = attribute.name() == "data-testid";
    Ok(if default { Step::TestId(value) } else { Step::Attribute(attribute, value) })
}

fn control(body: &mut Cursor<'_>) -> Result<Step, SelectorRefused> {
    let refused = body.refuse(Reason::BadBody { engine: "internal:control", takes: "enter-frame" });
    if take_rest(body) == "enter-frame" { Ok(Step::Frame) } else { Err(refused) }
}
