//! The options of a list, as each language names them.

use super::call::{Call, Value, one_or_list};
use crate::action::Choose;
use crate::locator::Language;

/// A value or a label is written alike; TypeScript mixes kinds in one list, Python has an argument for each.
pub(super) fn select(options: &[Choose], language: Language) -> Call {
    let call = Call::new("selectOption");
    if language == Language::TypeScript {
        return call.with(one_or_list(options.iter().map(option).collect()));
    }
    let only = |pick: fn(&Choose) -> Option<Value>| {
        let values: Vec<Value> = options.iter().filter_map(pick).collect();
        (!values.is_empty()).then(|| one_or_list(values))
    };
    let either = only(|option| match option {
        Choose::Either(text) => Some(Value::Text(text.clone())),
        _ => None,
    });
    let value = only(|option| match option {
        Choose::Value(value) => Some(Value::Text(value.clone())),
        _ => None,
    });
    let label = only(|option| match option {
        Choose::Label(label) => Some(Value::Text(label.clone())),
        _ => None,
    });
    let index = only(|option| match option {
        Choose::Index(index) => Some(number(*index)),
        _ => None,
    });
    let empty = options.is_empty().then(|| Value::List(Vec::new()));
    let call = match either.or(empty) {
        Some(either) => call.with(either),
        None => call,
    };
    call.option("value", value).option("label", label).option("index", index)
}

fn option(option: &Choose) -> Value {
    match option {
        Choose::Either(text) => Value::Text(text.clone()),
        Choose::Value(value) => Value::Object(vec![("value", Value::Text(value.clone()))]),
        Choose::Label(label) => Value::Object(vec![("label", Value::Text(label.clone()))]),
        Choose::Index(index) => Value::Object(vec![("index", number(*index))]),
    }
}

fn number(index: usize) -> Value {
    Value::Code(index.to_string())
}
