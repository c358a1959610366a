//! Forms: several fields at once, and lists.

use engine::Target;
use engine::action::{Acted, Choose, FieldValue};
use engine::codegen::Statement;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::act::{Done, Undone, act, act_within};
use super::args::{At, On};
use super::failed::Deed;
use super::visit::outer_limit;
use super::{PAGE_TOOL, secrets};
use crate::config::Options;
use crate::tools::schema::input_of;
use crate::tools::{Args, Call, Failure, Reply, Tool, invalid};

pub(crate) static FILL_FORM: Tool = Tool {
    name: "fill_form",
    playwright: Some("browser_fill_form"),
    description: "Gives several fields their values in one call.",
    input: input_of::<FillForm>,
    limit: |args, options| outer_limit(args, for_all(args, options)),
    handler: |call| Box::pin(fill_form(call)),
    ..PAGE_TOOL
};

pub(crate) static SELECT_OPTION: Tool = Tool {
    name: "select_option",
    playwright: Some("browser_select_option"),
    description: "Chooses options of a select, by value or label.",
    input: input_of::<SelectOption>,
    unlisted: &["timeout", "element", "force"],
    handler: |call| Box::pin(select_option(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct FillForm {
    #[schemars(length(min = 1))]
    fields: Vec<Field>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Field {
    #[serde(rename = "ref")]
    reference: Option<String>,
    selector: Option<String>,
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<Kind>,
    /// Text; true or false; an option or a list of them.
    value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Textbox,
    Checkbox,
    Radio,
    Combobox,
    Slider,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct SelectOption {
    #[serde(flatten)]
    at: At,
    values: Vec<String>,
    force: Option<bool>,
    #[serde(flatten)]
    _on: On,
}

/// A field with what it is to hold.
struct Filling {
    target: Target,
    /// As the agent gave it.
    value: FieldValue,
    /// The same with its secrets.
    filled: FieldValue,
    name: String,
}

/// Each field has the time of an action.
fn for_all(args: &Args, options: &Options) -> std::time::Duration {
    let fields = args.get("fields").and_then(Value::as_array).map_or(1, Vec::len);
    options.browser.action_limit.saturating_mul(u32::try_from(fields.clamp(1, 20)).unwrap_or(1))
}

async fn fill_form(call: Call) -> Result<Reply, Failure> {
    let args: FillForm = call.args.parse()?;
    let fillings: Vec<Filling> = args
        .fields
        .into_iter()
        .enumerate()
        .map(|field| filling(field, &call.services.options))
        .collect::<Result<_, _>>()?;
    let usual = for_all(&call.args, &call.services.options);
    let each = call.services.options.browser.action_limit;
    act_within(call, usual, Deed::Edit, |visit, page| async move {
        let mut code = Vec::new();
        for Filling { target, value, filled, name } in &fillings {
            let acted = page.fill_field(target, filled, &visit.scope.within(each)).await;
            let acted = acted.map_err(|why| {
                Undone::on(target, why).part(format!("{name}; {} filled before it", code.len()))
            })?;
            code.push(statement(acted, value));
        }
        Ok(Done { result: None, code })
    })
    .await
}

fn filling((index, field): (usize, Field), options: &Options) -> Result<Filling, Failure> {
    let at = |name: &str| format!("fields[{index}].{name}");
    let (reference, selector) = (at("ref"), at("selector"));
    let target = super::args::one_of(
        (&reference, field.reference.as_deref()),
        (&selector, field.selector.as_deref()),
    )?
    .ok_or_else(|| invalid(&reference, &format!("given, or else `{selector}`"), None))?;
    let value = value(field.kind, &field.value).ok_or_else(|| {
        invalid(&at("value"), "a text, true or false, or a list of options", Some(&field.value))
    })?;
    let filled = match &value {
        FieldValue::Text(text) => FieldValue::Text(secrets::filled(&at("value"), text, options)?),
        other => other.clone(),
    };
    Ok(Filling { target, value, filled, name: field.name.unwrap_or_else(|| format!("fields[{index}]")) })
}

/// What a field is to hold, by what the agent calls it or else by what it gives.
fn value(kind: Option<Kind>, value: &Value) -> Option<FieldValue> {
    let text = match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) if kind.is_some() => Some(on.to_string()),
        _ => None,
    };
    match (kind, value) {
        (None, Value::Bool(checked)) => Some(FieldValue::Checked(*checked)),
        (Some(Kind::Checkbox | Kind::Radio), _) => match text?.as_str() {
            "true" | "on" | "checked" => Some(FieldValue::Checked(true)),
            "false" | "off" => Some(FieldValue::Checked(false)),
            _ => None,
        },
        (None | Some(Kind::Combobox), Value::Array(options)) => {
            let options =
                options.iter().map(|option| option.as_str().map(|option| Choose::Either(option.to_owned())));
            options.collect::<Option<_>>().map(FieldValue::Options)
        }
        (Some(Kind::Combobox), _) => text.map(|option| FieldValue::Options(vec![Choose::Either(option)])),
        (None | Some(Kind::Textbox | Kind::Slider), _) => text.map(FieldValue::Text),
    }
}

async fn select_option(call: Call) -> Result<Reply, Failure> {
    let args: SelectOption = call.args.parse()?;
    let target = args.at.target()?;
    let options: Vec<Choose> = args.values.into_iter().map(Choose::Either).collect();
    act(call, Deed::Edit, |visit, page| async move {
        let force = args.force.unwrap_or(false);
        let (acted, values) = page
            .select_option(&target, &options, force, &visit.scope)
            .await
            .map_err(|why| Undone::on(&target, why))?;
        let result = match values.as_slice() {
            [] => "Nothing is chosen.".to_owned(),
            values => format!("Chosen: {}", values.join(", ")),
        };
        let code = Statement::SelectOption { locator: acted.locator, options };
        Ok(Done { result: Some(result), code: vec![code] })
    })
    .await
}

/// What was done to the field. A text given to a list or a checkbox was not written into it.
fn statement(Acted { element, locator }: Acted, value: &FieldValue) -> Statement {
    let is = |tag: &str| element.starts_with(&format!("<{tag}"));
    match value {
        FieldValue::Checked(checked) => Statement::SetChecked { locator, checked: *checked },
        FieldValue::Options(options) => Statement::SelectOption { locator, options: options.clone() },
        FieldValue::Text(text) if is("select") => {
            Statement::SelectOption { locator, options: vec![Choose::Either(text.clone())] }
        }
        FieldValue::Text(text) => Statement::Fill { locator, text: text.clone() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_fields_value_is_read_by_its_type_or_else_by_itself() {
        let of = |kind, json: Value| value(kind, &json);
        assert_eq!(of(None, json!("a")), Some(FieldValue::Text("a".to_owned())));
        assert_eq!(of(None, json!(true)), Some(FieldValue::Checked(true)));
        assert_eq!(of(Some(Kind::Checkbox), json!("false")), Some(FieldValue::Checked(false)));
        assert_eq!(of(Some(Kind::Slider), json!(7)), Some(FieldValue::Text("7".to_owned())));
        let either = |text: &str| Choose::Either(text.to_owned());
        assert_eq!(of(Some(Kind::Combobox), json!("a")), Some(FieldValue::Options(vec![either("a")])));
        assert_eq!(of(None, json!(["a", "b"])), Some(FieldValue::Options(vec![either("a"), either("b")])));
        assert_eq!(of(Some(Kind::Checkbox), json!("maybe")), None);
        assert_eq!(of(None, json!({"a": 1})), None);
    }
}
