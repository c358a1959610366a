//! Schemas as clients can read them: from Rust types, made plain.
//!
//! Several clients mangle what they don't expect (FIELD.md): references, combinators at the root, `$schema`, titles and
//! Rust's number formats. So everything is inlined, and a nullable argument is simply an optional one. What a plain
//! schema says is checked by [`super::arguments`].

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::config::Options;

/// What a tool takes, by the type that its handler parses.
pub(crate) fn input_of<T: JsonSchema>(_: &Options) -> Schema {
    generated::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// What a tool answers, by the type that it serializes.
pub(crate) fn output_of<T: JsonSchema>(_: &Options) -> Schema {
    generated::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn generated<T: JsonSchema>(mut settings: SchemaSettings) -> Schema {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>()
}

/// Restricts the string argument `name` to `allowed`, for choices that the options narrow.
pub(crate) fn allow_only<'a>(
    schema: &mut Schema,
    name: &str,
    allowed: impl IntoIterator<Item = &'a str>,
) -> bool {
    let Some(property) = schema.pointer_mut(&format!("/properties/{name}")).and_then(Value::as_object_mut)
    else {
        return false;
    };
    property.insert("enum".to_owned(), allowed.into_iter().collect());
    true
}

/// What becomes of `null` in a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Null {
    /// In arguments, `null` and absent are the same, so the plain type says enough.
    Absent,
    /// In answers, a field that is there and `null` must be allowed: clients validate what they get.
    Told,
}

/// The input schema in its plain form, numbers' formats still in it, since the check needs their ranges.
pub(super) fn plain_input(schema: Schema) -> Map<String, Value> {
    let mut root = plain_root(schema, Null::Absent);
    root.insert("additionalProperties".to_owned(), json!(false));
    root
}

/// The output schema in its plain form.
pub(super) fn plain_output(schema: Schema) -> Map<String, Value> {
    let mut root = plain_root(schema, Null::Told);
    strip_formats(&mut root);
    root
}

fn plain_root(schema: Schema, null: Null) -> Map<String, Value> {
    let mut value = schema.to_value();
    plain(&mut value, null);
    let mut root = match value {
        Value::Object(root) => root,
        // `true`, the schema of a type that takes anything.
        _ => Map::new(),
    };
    // The type's own doc comment is written for us; clients have the tool's description.
    root.remove("description");
    root.entry("type").or_insert_with(|| "object".into());
    root.entry("properties").or_insert_with(|| json!({}));
    root
}

/// Makes one schema plain, and those inside it.
fn plain(schema: &mut Value, null: Null) {
    let Value::Object(map) = schema else { return };
    for noise in ["$schema", "title", "$defs"] {
        map.remove(noise);
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    if null == Null::Absent {
        without_null(map);
    }
    words_as_enum(map);
    for part in inner(map) {
        plain(part, null);
    }
}

/// The schemas directly inside `map`. Property names are not keywords: a property may be called `title`.
fn inner(map: &mut Map<String, Value>) -> Vec<&mut Value> {
    let mut found = Vec::new();
    for (key, value) in map {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => found.extend(properties.values_mut()),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(parts)) => found.extend(parts),
            ("items" | "additionalProperties", value @ Value::Object(_)) => found.push(value),
            _ => {}
        }
    }
    found
}

/// `string | null` becomes `string`; `anyOf [X, null]` becomes X.
fn without_null(map: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(allowed)) = map.get_mut("enum") {
        allowed.retain(|value| !value.is_null());
    }
    for combinator in ["anyOf", "oneOf", "allOf"] {
        let Some(Value::Array(parts)) = map.get_mut(combinator) else { continue };
        parts.retain(|part| part.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = parts.as_mut_slice() {
            let only = std::mem::take(only);
            map.remove(combinator);
            // What stands outside, such as the field's own description, wins over what its type says of itself.
            for (key, value) in only {
                map.entry(key).or_insert(value);
            }
        }
    }
}

/// An enum whose variants have docs comes as `oneOf` constants; it becomes one `enum` whose description has the docs.
fn words_as_enum(map: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = map.get("oneOf") else { return };
    let Some(words) = parts.iter().map(documented_words).collect::<Option<Vec<_>>>() else { return };
    let mut allowed: Vec<&str> = Vec::new();
    let mut docs: Vec<String> = Vec::new();
    for (names, doc) in &words {
        allowed.extend(names);
        docs.extend(doc.map(|doc| format!("{}: {doc}", names.join(", "))));
    }
    let own = map.get("description").and_then(Value::as_str).map(|own| format!("{own} ")).unwrap_or_default();
    let (allowed, docs): (Value, _) = (allowed.into_iter().collect(), format!("{own}{}", docs.join("; ")));
    map.remove("oneOf");
    map.insert("type".to_owned(), "string".into());
    map.insert("enum".to_owned(), allowed);
    if !docs.is_empty() {
        map.insert("description".to_owned(), docs.trim_end().into());
    }
}

/// The words that one branch of an enum stands for, and its docs.
fn documented_words(part: &Value) -> Option<(Vec<&str>, Option<&str>)> {
    let names = match (part.get("const"), part.get("enum")) {
        (Some(Value::String(word)), None) => vec![word.as_str()],
        (None, Some(Value::Array(words))) => words.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?,
        _ => return None,
    };
    Some((names, part.get("description").and_then(Value::as_str)))
}

/// Takes out Rust's own number formats (`uint64`), which no client knows and some refuse.
pub(super) fn strip_formats(map: &mut Map<String, Value>) {
    let numeric = |value: &Value| {
        let name = value.as_str().unwrap_or_default();
        name.starts_with("int") || name.starts_with("uint") || matches!(name, "float" | "double")
    };
    if map.get("format").is_some_and(numeric) {
        map.remove("format");
        // That there are no negative ones says nothing that a model would get wrong.
        if map.get("minimum").is_some_and(|least| *least == 0) {
            map.remove("minimum");
        }
    }
    for part in inner(map) {
        if let Value::Object(part) = part {
            strip_formats(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[allow(dead_code, reason = "only their schemas are looked at")]
    mod types {
        use super::*;

        /// Not for clients.
        #[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
        pub(super) struct Everything {
            /// Its name.
            pub(super) title: String,
            pub(super) scope: Scope,
            /// Which colour.
            pub(super) colour: Option<Colour>,
            #[schemars(range(min = 1))]
            pub(super) timeout_ms: u64,
            pub(super) depth: Option<u8>,
            pub(super) ratio: Option<f64>,
            pub(super) fields: Option<Vec<Field>>,
            pub(super) headers: BTreeMap<String, String>,
            #[serde(default)]
            pub(super) force: bool,
        }

        #[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
        #[serde(rename_all = "lowercase")]
        pub(super) enum Scope {
            All,
            File,
        }

        #[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
        #[serde(rename_all = "lowercase")]
        pub(super) enum Colour {
            /// like blood
            Red,
            Green,
            /// like the sky
            Blue,
        }

        #[derive(schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
        pub(super) struct Field {
            pub(super) name: String,
            pub(super) scope: Option<Scope>,
        }
    }

    fn input() -> Map<String, Value> {
        let mut schema = plain_input(input_of::<types::Everything>(&Options::default()));
        strip_formats(&mut schema);
        schema
    }

    fn keywords(value: &Value, found: &mut Vec<String>) {
        let Value::Object(map) = value else { return };
        found.extend(map.keys().cloned());
        let mut map = map.clone();
        for part in inner(&mut map) {
            keywords(part, found);
        }
    }

    #[test]
    fn an_input_schema_is_plain() {
        insta::assert_json_snapshot!(input());
    }

    #[test]
    fn nothing_that_clients_mangle_is_left() {
        for schema in [input(), plain_output(output_of::<types::Everything>(&Options::default()))] {
            let mut found = Vec::new();
            keywords(&schema.into(), &mut found);
            for banned in ["$ref", "$defs", "$schema", "title", "format", "oneOf", "allOf"] {
                assert!(!found.iter().any(|keyword| keyword == banned), "{banned} in {found:?}");
            }
        }
    }

    #[test]
    fn a_plain_schema_is_still_a_schema() {
        for schema in [input(), plain_output(output_of::<types::Everything>(&Options::default()))] {
            jsonschema::meta::validate(&schema.into()).unwrap();
        }
    }

    #[test]
    fn an_answer_may_hold_null_where_its_schema_says_so() {
        let schema = Value::from(plain_output(output_of::<types::Everything>(&Options::default())));
        let answer = types::Everything {
            title: "t".to_owned(),
            scope: types::Scope::All,
            colour: None,
            timeout_ms: 1,
            depth: None,
            ratio: None,
            fields: None,
            headers: BTreeMap::new(),
            force: false,
        };
        jsonschema::validate(&schema, &serde_json::to_value(answer).unwrap()).unwrap();
    }

    #[test]
    fn a_choice_can_be_narrowed() {
        let mut schema = input_of::<types::Everything>(&Options::default());
        assert!(allow_only(&mut schema, "scope", ["all"]));
        assert!(!allow_only(&mut schema, "scpoe", ["all"]));
        assert_eq!(plain_input(schema)["properties"]["scope"]["enum"], json!(["all"]));
    }
}
