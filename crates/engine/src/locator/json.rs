//! The form in which a selector travels to the injected script: an array of steps `[kind, argument]`, as short as it can be.
//!
//! A text match is `["~", text]` (contained), `["=", text]` (exact) or `["/", source, flags]`; a name match has the operator
//! in front and `"i"` behind when case does not matter. CSS is `[native, list]`: `native` is the text for the browser alone, or null
//! when it needs help; `list` is absent for a single compound, to which neither trees nor scopes make a difference. A complex selector alternates
//! combinators and compounds; a compound is its native text, or `[native, …pseudo]` with each pseudo-class `[name, …arguments]`.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::ast::{Selector, Step, TextMatch};
use super::css::{Complex, Compound, CssList, PseudoClass};
use super::role::{NameMatch, RoleQuery, Tristate};

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut steps = serializer.serialize_seq(Some(self.steps().len()))?;
        for step in self.steps() {
            steps.serialize_element(&of_step(step))?;
        }
        steps.end()
    }
}

fn of_selector(selector: &Selector) -> Value {
    selector.steps().iter().map(of_step).collect()
}

fn of_step(step: &Step) -> Value {
    match step {
        Step::Css(list) => json!(["css", of_css(list)]),
        Step::XPath(path) => json!(["xpath", path]),
        Step::Text(text) => json!(["text", of_text(text)]),
        Step::OwnText(text) => json!(["own-text", text]),
        Step::Attribute(name, value) => json!(["attribute", name.name(), of_text(value)]),
        Step::TestId(value) => json!(["test-id", of_text(value)]),
        Step::Role(query) => json!(["role", of_role(query)]),
        Step::Label(text) => json!(["label", of_text(text)]),
        Step::Nth(index) => json!(["nth", index]),
        Step::Visible(visible) => json!(["visible", visible]),
        Step::HasText(text) => json!(["has-text", of_text(text)]),
        Step::HasNotText(text) => json!(["has-not-text", of_text(text)]),
        Step::Has(inner) => json!(["has", of_selector(inner)]),
        Step::HasNot(inner) => json!(["has-not", of_selector(inner)]),
        Step::And(inner) => json!(["and", of_selector(inner)]),
        Step::Or(inner) => json!(["or", of_selector(inner)]),
        Step::Chain(inner) => json!(["chain", of_selector(inner)]),
        Step::Frame => json!(["frame"]),
    }
}

fn of_text(text: &TextMatch) -> Value {
    match text {
        TextMatch::Substring(text) => json!(["~", text]),
        TextMatch::Exact(text) => json!(["=", text]),
        TextMatch::Regex(regex) => json!(["/", regex.source(), regex.flags()]),
    }
}

fn of_name(name: &NameMatch) -> Value {
    match name {
        NameMatch::Regex(regex) => json!(["/", regex.source(), regex.flags()]),
        NameMatch::Text { operator, text, ignore_case: true } => json!([operator.sign(), text, "i"]),
        NameMatch::Text { operator, text, ignore_case: false } => json!([operator.sign(), text]),
    }
}

fn of_tristate(state: Tristate) -> Value {
    match state {
        Tristate::True => Value::Bool(true),
        Tristate::False => Value::Bool(false),
        Tristate::Mixed => "mixed".into(),
    }
}

fn of_role(query: &RoleQuery) -> Value {
    let members = [
        ("role", Some(query.role.clone().into())),
        ("name", query.name.as_ref().map(of_name)),
        ("description", query.description.as_ref().map(of_name)),
        ("checked", query.checked.map(of_tristate)),
        ("disabled", query.disabled.map(Value::from)),
        ("expanded", query.expanded.map(Value::from)),
        ("level", query.level.map(Value::from)),
        ("pressed", query.pressed.map(of_tristate)),
        ("selected", query.selected.map(Value::from)),
        ("hidden", query.include_hidden.then_some(Value::Bool(true))),
    ];
    let given = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect::<Map<_, _>>())
}

fn of_css(list: &CssList) -> Value {
    let native = if list.is_native() { list.to_string().into() } else { Value::Null };
    let alone = list.is_flat() && list.0.len() == 1;
    if alone { json!([native]) } else { json!([native, of_list(list)]) }
}

fn of_list(list: &CssList) -> Value {
    list.0.iter().map(of_complex).collect()
}

fn of_complex(complex: &Complex) -> Value {
    let parts = complex.0.iter();
    parts.flat_map(|(combinator, compound)| [combinator.sign().into(), of_compound(compound)]).collect()
}

fn of_compound(compound: &Compound) -> Value {
    let (flat, others): (Vec<_>, Vec<_>) = compound.pseudo.iter().partition(|pseudo| pseudo.is_flat());
    let mut native = compound.native.clone();
    native.extend(flat.iter().map(ToString::to_string));
    if others.is_empty() {
        return native.into();
    }
    let mut parts = vec![native.into()];
    parts.extend(others.into_iter().map(of_pseudo));
    parts.into()
}

fn of_pseudo(pseudo: &PseudoClass) -> Value {
    match pseudo {
        PseudoClass::Is(list) => json!(["is", of_list(list)]),
        PseudoClass::Not(list) => json!(["not", of_list(list)]),
        PseudoClass::Has(list) => json!(["has", of_list(list)]),
        PseudoClass::NthMatch(list, number) => json!(["nth-match", of_list(list), number]),
        PseudoClass::HasText(text) => json!(["has-text", text]),
        PseudoClass::Text(text) => json!(["text", text]),
        PseudoClass::TextIs(text) => json!(["text-is", text]),
        PseudoClass::TextMatches(regex) => json!(["text-matches", regex.source(), regex.flags()]),
        PseudoClass::Visible => json!(["visible"]),
        PseudoClass::Scope => json!(["scope"]),
    }
}
