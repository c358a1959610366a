//! The same in JSON, with the comments and trailing commas that some clients allow.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Value, json};

use super::{Addition, Refused, proven, says_the_same};

pub(super) fn add(text: &str, addition: &Addition<'_>) -> Result<Option<String>, Refused> {
    let Addition { key, name, entry, replace } = *addition;
    if text.trim().is_empty() {
        return Ok(Some(format!("{:#}\n", json!({ (key): { (name): entry } }))));
    }
    let root = parse(text)?;
    let before = value(&root);
    let servers = servers(&root, key)?;
    match servers.get(name) {
        Some(there) => {
            let said = there.value().and_then(|node| node.to_serde_value()).unwrap_or_default();
            if says_the_same(&said, entry) {
                return Ok(None);
            }
            if !replace {
                return Err(Refused::Taken(name.to_owned()));
            }
            there.set_value(input(entry));
        }
        None => {
            servers.append(name, input(entry));
        }
    }
    let text = root.to_string();
    proven(before, &value(&parse(&text)?), addition)?;
    Ok(Some(text))
}

fn parse(text: &str) -> Result<CstRootNode, Refused> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| Refused::Unreadable(error.to_string()))
}

fn value(root: &CstRootNode) -> Value {
    // A file of nothing but comments has no value; what is added then is all of it.
    root.to_serde_value().unwrap_or_else(|| json!({}))
}

fn servers(root: &CstRootNode, key: &str) -> Result<CstObject, Refused> {
    let no_table = || Refused::NoTable(key.to_owned());
    let all = root.object_value_or_create().ok_or_else(no_table)?;
    all.object_value_or_create(key).ok_or_else(no_table)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
