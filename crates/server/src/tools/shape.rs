//! What a plain schema asks of a value, compiled once so that the check is a walk over types, not over JSON.
//!
//! A keyword that the check does not know is refused here, at start and in the tests: a schema never promises what
//! nobody holds it to.

use std::fmt;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::words::{fold, quoted};

/// What a value must look like.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Anything,
    Boolean,
    Integer(RangeInclusive<i128>),
    Number(RangeInclusive<f64>),
    Text { length: RangeInclusive<u64> },
    Choice(Vec<String>),
    List { of: Box<Self>, length: RangeInclusive<u64> },
    Table(Box<Self>),
    Object(Fields),
    Either(Vec<Self>),
}

/// The fields of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fields(Vec<Field>);

/// One field of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    folded: String,
    pub(super) shape: Shape,
    pub(super) required: bool,
}

/// A schema that says what the check can't hold a value to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsupported {
    /// A keyword or a combination that is not known.
    #[error("the schema of {at} uses {what}, which arguments are not checked against")]
    Keyword {
        /// Where in the arguments.
        at: String,
        /// What it uses.
        what: String,
    },
    /// Two names that are one in another spelling.
    #[error("the fields {first} and {second} of {at} are one name in two spellings")]
    Ambiguous {
        /// Where in the arguments.
        at: String,
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
}

/// What a schema may say about a value besides its type, and what is only said to readers.
const KNOWN: &[&str] = &[
    "type",
    "description",
    "default",
    "examples",
    "format",
    "enum",
    "const",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "anyOf",
    "oneOf",
];

impl Fields {
    /// The fields of an object's schema; `at` says where it stands, for the refusal.
    pub(super) fn compile(schema: &Map<String, Value>, at: &str) -> Result<Self, Unsupported> {
        let required = |name: &str| {
            schema
                .get("required")
                .and_then(Value::as_array)
                .is_some_and(|names| names.iter().any(|n| n == name))
        };
        // A choice between objects, or a reference: what the properties alone would not show.
        let plain =
            ["type", "properties", "required", "additionalProperties", "description", "default", "examples"];
        if let Some(other) = schema.keys().find(|key| !plain.contains(&key.as_str())) {
            return Err(Unsupported::Keyword { at: at.to_owned(), what: format!("`{other}`") });
        }
        let mut fields: Vec<Field> = Vec::new();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let folded = fold(name);
            if let Some(twin) = fields.iter().find(|field| field.folded == folded) {
                let (first, second) = (twin.name.clone(), name.clone());
                return Err(Unsupported::Ambiguous { at: at.to_owned(), first, second });
            }
            let shape = Shape::compile(property, &format!("{at}.{name}"))?;
            fields.push(Field { name: name.clone(), folded, shape, required: required(name) });
        }
        Ok(Self(fields))
    }

    /// The field called `name`, in any spelling.
    pub(super) fn find(&self, name: &str) -> Option<&Field> {
        let exact = self.0.iter().find(|field| field.name == name);
        exact.or_else(|| {
            let folded = fold(name);
            self.0.iter().find(|field| field.folded == folded)
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Field> {
        self.0.iter()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|field| field.name.as_str())
    }
}

impl Shape {
    fn compile(schema: &Value, at: &str) -> Result<Self, Unsupported> {
        let unsupported = |what: &str| Unsupported::Keyword { at: at.to_owned(), what: what.to_owned() };
        let map = match schema {
            Value::Bool(true) => return Ok(Self::Anything),
            Value::Object(map) => map,
            _ => return Err(unsupported("a schema that is no object")),
        };
        if let Some(unknown) = map.keys().find(|key| !KNOWN.contains(&key.as_str())) {
            return Err(unsupported(&format!("`{unknown}`")));
        }
        if let Some(choice) = choice(map) {
            return choice
                .map(Self::Choice)
                .ok_or_else(|| unsupported("an `enum` of other things than text"));
        }
        if let Some(parts) = map.get("anyOf").or_else(|| map.get("oneOf")).and_then(Value::as_array) {
            let parts = parts.iter().map(|part| Self::compile(part, at)).collect::<Result<_, _>>()?;
            return Ok(Self::Either(parts));
        }
        match map.get("type") {
            None => Ok(Self::Anything),
            Some(Value::String(name)) => Self::of_type(name, map, at),
            Some(Value::Array(names)) => {
                let one = |name: &Value| Self::of_type(name.as_str().unwrap_or_default(), map, at);
                Ok(Self::Either(names.iter().map(one).collect::<Result<_, _>>()?))
            }
            Some(_) => Err(unsupported("a `type` that is no name")),
        }
    }

    fn of_type(name: &str, map: &Map<String, Value>, at: &str) -> Result<Self, Unsupported> {
        let unsupported = |what: &str| Unsupported::Keyword { at: at.to_owned(), what: what.to_owned() };
        let bound = |key: &str| map.get(key).and_then(Value::as_u64);
        let length = |least: &str, most: &str| bound(least).unwrap_or(0)..=bound(most).unwrap_or(u64::MAX);
        match name {
            "boolean" => Ok(Self::Boolean),
            "integer" => {
                integers(map).map(Self::Integer).ok_or_else(|| unsupported("an unknown integer `format`"))
            }
            "number" if map.contains_key("exclusiveMinimum") => {
                Err(unsupported("`exclusiveMinimum` of a number"))
            }
            "number" => {
                let bound = |key: &str| map.get(key).and_then(Value::as_f64);
                Ok(Self::Number(bound("minimum").unwrap_or(f64::MIN)..=bound("maximum").unwrap_or(f64::MAX)))
            }
            "string" => Ok(Self::Text { length: length("minLength", "maxLength") }),
            "array" => {
                let of = Self::compile(map.get("items").unwrap_or(&Value::Bool(true)), &format!("{at}[]"))?;
                Ok(Self::List { of: Box::new(of), length: length("minItems", "maxItems") })
            }
            "object" => match map.get("additionalProperties") {
                Some(values) if !map.contains_key("properties") && *values != Value::Bool(false) => {
                    Ok(Self::Table(Box::new(Self::compile(values, &format!("{at}.*"))?)))
                }
                _ if !map.contains_key("properties") => Ok(Self::Table(Box::new(Self::Anything))),
                _ => Ok(Self::Object(Fields::compile(map, at)?)),
            },
            other => Err(unsupported(&format!("the type `{other}`"))),
        }
    }
}

/// The words of an `enum` or a `const`; `Some(None)` when they are not all text.
#[expect(
    clippy::option_option,
    reason = "no choice at all, a choice that can't be checked, and one that can"
)]
fn choice(map: &Map<String, Value>) -> Option<Option<Vec<String>>> {
    let values = match (map.get("enum"), map.get("const")) {
        (Some(Value::Array(values)), _) => values.as_slice(),
        (None, Some(value)) => std::slice::from_ref(value),
        _ => return None,
    };
    Some(values.iter().map(|value| value.as_str().map(str::to_owned)).collect())
}

/// The integers that a schema allows: its own bounds within the range of its Rust type.
fn integers(map: &Map<String, Value>) -> Option<RangeInclusive<i128>> {
    let (least, most): (i128, i128) = match map.get("format").and_then(Value::as_str) {
        Some("uint8") => (0, u8::MAX.into()),
        Some("uint16") => (0, u16::MAX.into()),
        Some("uint32") => (0, u32::MAX.into()),
        Some("uint" | "uint64") => (0, u64::MAX.into()),
        Some("int8") => (i8::MIN.into(), i8::MAX.into()),
        Some("int16") => (i16::MIN.into(), i16::MAX.into()),
        Some("int32") => (i32::MIN.into(), i32::MAX.into()),
        Some("int" | "int64") => (i64::MIN.into(), i64::MAX.into()),
        None => (i64::MIN.into(), u64::MAX.into()),
        Some(_) => return None,
    };
    let bound = |key: &str| map.get(key).and_then(whole);
    let least = least.max(bound("minimum").unwrap_or(least));
    let least = least.max(bound("exclusiveMinimum").map_or(least, |below| below + 1));
    Some(least..=most.min(bound("maximum").unwrap_or(most)))
}

/// A number that is a whole one, also when it is written as `5.0`.
pub(super) fn whole(value: &Value) -> Option<i128> {
    let float = |f: f64| (f.fract() == 0.0 && f.abs() < 2f64.powi(64)).then_some(f as i128);
    let number = value.as_number()?;
    number.as_i128().or_else(|| number.as_f64().and_then(float))
}

/// In a few words, for `expected`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anything => write!(f, "any value"),
            Self::Boolean => write!(f, "boolean"),
            Self::Integer(range) => {
                write!(f, "integer")?;
                match (*range.start(), *range.end()) {
                    (least, most) if most < i32::MAX.into() => write!(f, " from {least} to {most}"),
                    (least, _) if least > i32::MIN.into() => write!(f, " of at least {least}"),
                    _ => Ok(()),
                }
            }
            Self::Number(range) => {
                write!(f, "number")?;
                match (*range.start() > f64::MIN, *range.end() < f64::MAX) {
                    (true, true) => write!(f, " from {} to {}", range.start(), range.end()),
                    (true, false) => write!(f, " of at least {}", range.start()),
                    (false, true) => write!(f, " of at most {}", range.end()),
                    (false, false) => Ok(()),
                }
            }
            Self::Text { length } => write!(f, "string{}", Length(length, "character")),
            Self::Choice(words) => write!(f, "{}", quoted(words.iter().map(String::as_str), "or")),
            Self::List { of, length } => write!(f, "array of {of}{}", Length(length, "item")),
            Self::Table(of) => write!(f, "object of {of}"),
            Self::Object(fields) => write!(f, "object with {}", quoted(fields.names(), "and")),
            Self::Either(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::to_string).collect();
                write!(f, "{}", parts.join(" or "))
            }
        }
    }
}

/// A bound on a length, in words; nothing when there is none.
struct Length<'a>(&'a RangeInclusive<u64>, &'a str);

impl fmt::Display for Length<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(range, unit) = self;
        match (*range.start(), *range.end()) {
            (0, u64::MAX) => Ok(()),
            (least, u64::MAX) => write!(f, ", at least {least} {unit}(s)"),
            (0, most) => write!(f, ", at most {most} {unit}(s)"),
            (least, most) => write!(f, ", {least} to {most} {unit}(s)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn compile(schema: &Value) -> Result<Shape, Unsupported> {
        Shape::compile(schema, "x")
    }

    #[test]
    fn a_shape_tells_what_it_expects() {
        let told = |schema: Value| compile(&schema).unwrap().to_string();
        assert_eq!(
            told(json!({"type": "integer", "format": "uint64", "minimum": 1})),
            "integer of at least 1"
        );
        assert_eq!(told(json!({"type": "integer", "format": "uint8"})), "integer from 0 to 255");
        assert_eq!(told(json!({"type": "integer"})), "integer");
        assert_eq!(told(json!({"type": "string", "enum": ["a", "b"]})), "`a` or `b`");
        assert_eq!(
            told(json!({"type": "array", "items": {"type": "string"}, "minItems": 1})),
            "array of string, at least 1 item(s)"
        );
        assert_eq!(told(json!({"type": ["string", "boolean"]})), "string or boolean");
        assert_eq!(told(json!({"type": "number", "minimum": 0, "maximum": 1})), "number from 0 to 1");
        assert_eq!(told(json!(true)), "any value");
    }

    #[test]
    fn what_could_not_be_checked_is_refused() {
        for schema in [
            json!({"type": "string", "pattern": "^a"}),
            json!({"$ref": "#/$defs/X"}),
            json!({"type": "integer", "format": "uint128"}),
            json!({"enum": [1, 2]}),
            json!({"type": "null"}),
            json!({"type": "object", "properties": {"a_b": true, "aB": true}}),
            json!(false),
        ] {
            assert!(compile(&schema).is_err(), "{schema}");
        }
    }

    #[test]
    fn whole_numbers_are_found_in_either_spelling() {
        assert_eq!(whole(&json!(5.0)), Some(5));
        assert_eq!(whole(&json!(-5)), Some(-5));
        assert_eq!(whole(&json!(u64::MAX)), Some(u64::MAX.into()));
        assert_eq!(whole(&json!(5.5)), None);
        assert_eq!(whole(&json!(1e300)), None);
        assert_eq!(whole(&json!("5")), None);
    }
}
