//! The check of arguments: what heals, what is lenient, and what may be thrown at it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::*;
use crate::config::Options;
use crate::tools::context::Context;
use crate::tools::schema::{input_of, plain_input};

#[derive(Debug, PartialEq, JsonSchema, Deserialize, Serialize)]
struct Sample {
    runner: Runner,
    #[schemars(range(min = 1))]
    timeout_ms: u64,
    target: Option<String>,
    depth: Option<u8>,
    offset: Option<i64>,
    ratio: Option<f64>,
    #[serde(default)]
    force: bool,
    #[schemars(length(min = 1))]
    values: Option<Vec<String>>,
    fields: Option<Vec<FormField>>,
    headers: Option<BTreeMap<String, String>>,
    place: Option<Place>,
    anything: Option<Value>,
}

#[derive(Debug, PartialEq, JsonSchema, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Runner {
    Flutter,
    Cargo,
    Nextest,
}

#[derive(Debug, PartialEq, JsonSchema, Deserialize, Serialize)]
struct FormField {
    field_name: String,
    value: Option<bool>,
}

#[derive(Debug, PartialEq, JsonSchema, Deserialize, Serialize)]
#[serde(untagged)]
enum Place {
    Named(String),
    Numbered(u32),
}

static PARAMETERS: LazyLock<Parameters> = LazyLock::new(|| {
    let schema = plain_input(input_of::<Sample>(&Options::default()));
    let fields = Fields::compile(&schema, "sample").unwrap();
    Parameters {
        fields,
        hidden: vec![("wait_ms", Cap::Background)],
        aliases: &[("aim", "target"), ("label", "field_name")],
    }
});

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else { panic!("an object") };
    map
}

fn check(value: Value) -> Result<Sample, Value> {
    match PARAMETERS.check(object(value)) {
        Ok(args) => Ok(args.parse().unwrap()),
        Err(failure) => {
            let reply = failure.into_reply(Context::of("sample", &Map::new()), Map::new());
            Err(reply.structured.unwrap()["error"].clone())
        }
    }
}

/// `value` with what is required.
fn with(value: Value) -> Value {
    let mut whole = object(json!({"runner": "cargo", "timeout_ms": 5}));
    whole.extend(object(value));
    whole.into()
}

fn message(value: Value) -> String {
    check(value).unwrap_err()["message"].as_str().unwrap().to_owned()
}

#[test]
fn an_unknown_argument_is_told_the_nearest_known_one() {
    let error = check(with(json!({"tarket": "x"}))).unwrap_err();
    assert_eq!(error["type"], "invalid_input");
    assert_eq!(error["errorCode"], "INVALID_INPUT");
    assert_eq!(error["field"], "tarket");
    assert_eq!(error["suggestion"], "rename `tarket` to `target`");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.starts_with("unknown argument `tarket`; did you mean `target`? (known: `runner`"),
        "{message}"
    );
    assert_eq!(error["details"]["field"], "tarket");
}

#[test]
fn an_argument_behind_a_cap_is_told_the_cap() {
    let message = message(with(json!({"waitMs": 1})));
    assert!(message.contains("`--caps background`"), "{message}");
}

#[test]
fn a_wrong_type_is_told_expected_and_received() {
    let error = check(with(json!({"timeout_ms": "soon"}))).unwrap_err();
    assert_eq!(
        (&error["field"], &error["expected"], &error["received"]),
        (&json!("timeout_ms"), &json!("integer of at least 1"), &json!("string \"soon\""))
    );
    assert_eq!(error["message"], "`timeout_ms` must be integer of at least 1, not string \"soon\"");
}

#[test]
fn a_missing_argument_is_named_with_what_it_must_be() {
    let error = check(json!({"timeout_ms": 5})).unwrap_err();
    assert_eq!(error["message"], "`runner` is required: `flutter`, `cargo` or `nextest`");
    assert_eq!((&error["field"], &error["received"]), (&json!("runner"), &json!("undefined")));
    assert_eq!(check(json!({"runner": null, "timeout_ms": 5})).unwrap_err()["field"], "runner");
}

#[test]
fn a_choice_that_is_not_allowed_is_told_the_allowed_ones_and_the_nearest() {
    let message = message(with(json!({"runner": "netxest"})));
    assert_eq!(
        message,
        "`runner` must be `flutter`, `cargo` or `nextest`, not string \"netxest\"; did you mean `nextest`?"
    );
}

#[test]
fn bounds_are_kept() {
    for (value, field) in [
        (json!({"timeout_ms": 0}), "timeout_ms"),
        (json!({"timeout_ms": -1}), "timeout_ms"),
        (json!({"timeout_ms": 1.5}), "timeout_ms"),
        (json!({"depth": 256}), "depth"),
        (json!({"offset": u64::MAX}), "offset"),
        (json!({"values": []}), "values"),
        (json!({"values": ["a", 1]}), "values[1]"),
        (json!({"fields": [{"field_name": "a"}, {"value": true}]}), "fields[1].field_name"),
        (json!({"fields": [{"field_name": "a", "vlaue": true}]}), "fields[0].vlaue"),
        (json!({"headers": {"a": 1}}), "headers.a"),
        (json!({"place": true}), "place"),
        (json!({"place": 1.5}), "place"),
    ] {
        assert_eq!(check(with(value.clone())).unwrap_err()["field"], field, "{value}");
    }
}

#[test]
fn every_problem_is_told_at_once() {
    let error = check(json!({"runner": 1, "tarket": "x"})).unwrap_err();
    let fields: Vec<_> =
        error["details"]["problems"].as_array().unwrap().iter().map(|p| p["field"].clone()).collect();
    assert_eq!(fields, ["runner", "tarket", "timeout_ms"]);
}

#[test]
fn a_flood_of_problems_is_cut() {
    let unknown: Map<String, Value> = (0..10_000).map(|n| (format!("q{n}"), json!(1))).collect();
    let error = check(unknown.into()).unwrap_err();
    assert!(error["message"].as_str().unwrap().ends_with("and 9994 more"), "{error}");
    let long = "k".repeat(1_000_000);
    for args in [
        json!({"values": vec![1; 100_000]}),
        json!({"headers": {&long: 1}}),
        json!({&long: 1, "runner": &long}),
    ] {
        let error = check(with(args)).unwrap_err().to_string();
        assert!(error.len() < 5_000, "{}", error.len());
    }
}

#[test]
fn names_in_another_spelling_mean_the_same() {
    let sample = check(json!({"Runner": "cargo", "timeoutMs": 7, "fields": [{"fieldName": "a"}]})).unwrap();
    assert_eq!(sample.timeout_ms, 7);
    assert_eq!(sample.fields.unwrap()[0].field_name, "a");
}

#[test]
fn an_options_object_is_merged() {
    let sample = check(json!({"runner": "cargo", "options": {"timeoutMs": 7, "force": true}})).unwrap();
    assert_eq!((sample.timeout_ms, sample.force), (7, true));
    assert_eq!(check(with(json!({"options": {"tarket": 1}}))).unwrap_err()["field"], "tarket");
    assert_eq!(check(with(json!({"options": 1}))).unwrap_err()["field"], "options");
}

#[test]
fn one_argument_with_two_values_is_refused_and_with_one_value_twice_is_taken() {
    for value in
        [json!({"options": {"timeout_ms": 6}}), json!({"timeoutMs": 6}), json!({"options": {"timeoutMs": 6}})]
    {
        let error = check(with(value)).unwrap_err();
        assert_eq!(error["message"], "`timeout_ms` is given twice, with different values");
    }
    assert_eq!(check(with(json!({"timeoutMs": 5, "options": {"timeout_ms": 5.0}}))).unwrap().timeout_ms, 5);
}

#[test]
fn null_means_absent() {
    let sample = check(with(json!({"target": null, "force": null, "options": null, "fields": null})));
    // `options` is no argument of this tool, but `null` asks for nothing.
    assert_eq!(sample.unwrap().target, None);
}

#[test]
fn whole_floats_are_integers() {
    let sample = check(with(json!({"timeout_ms": 5000.0, "offset": -3.0, "place": 2.0}))).unwrap();
    assert_eq!((sample.timeout_ms, sample.offset), (5000, Some(-3)));
    assert_eq!(sample.place, Some(Place::Numbered(2)));
}

/// Any JSON, nested a little.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0i32..300).prop_map(|n| json!(f64::from(n))),
        "\\PC{0,8}".prop_map(Value::from),
        prop_oneof![Just("cargo"), Just("flutter"), Just("nextest")].prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Names that are known, nearly known, or nothing of the kind.
fn name() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "runner",
        "timeout_ms",
        "timeoutMs",
        "target",
        "depth",
        "offset",
        "ratio",
        "force",
        "values",
        "fields",
        "headers",
        "place",
        "anything",
        "options",
        "field_name",
        "fieldName",
        "value",
        "wait_ms",
    ]);
    prop_oneof![8 => known.prop_map(str::to_owned), 1 => "\\PC{0,12}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn whatever_is_given_is_refused_or_parses(given in prop::collection::btree_map(name(), any_json(), 0..6)) {
        let given: Map<String, Value> = given.into_iter().collect();
        for given in [given.clone(), object(with(given.into()))] {
            if let Ok(args) = PARAMETERS.check(given) {
                prop_assert!(args.parse::<Sample>().is_ok(), "{args:?}");
            }
        }
    }

    #[test]
    fn what_the_type_writes_is_taken_unchanged(
        timeout_ms in 1u64.., target in prop::option::of("\\PC{0,20}"), depth in any::<Option<u8>>(),
        offset in any::<Option<i64>>(), force in any::<bool>(), named in any::<bool>(),
    ) {
        let place = Some(if named { Place::Named("here".to_owned()) } else { Place::Numbered(7) });
        let sample = Sample {
            runner: Runner::Nextest, timeout_ms, target, depth, offset, ratio: Some(0.5), force, values: None,
            fields: Some(vec![FormField { field_name: "a".to_owned(), value: Some(true) }]),
            headers: None, place, anything: None,
        };
        let written = object(serde_json::to_value(&sample).unwrap());
        let args = PARAMETERS.check(written).unwrap();
        prop_assert_eq!(args.parse::<Sample>().unwrap(), sample);
    }
}

#[test]
fn an_alias_is_the_argument_that_it_means_at_any_depth() {
    let args = json!({"runner": "cargo", "timeout_ms": 1, "aim": "x", "fields": [{"label": "a"}]});
    let checked = PARAMETERS.check(args.as_object().unwrap().clone()).unwrap();
    assert_eq!(checked.get("target"), Some(&json!("x")));
    assert_eq!(checked.get("fields"), Some(&json!([{"field_name": "a"}])));
    let twice = json!({"runner": "cargo", "timeout_ms": 1, "aim": "x", "target": "y"});
    let refused = PARAMETERS.check(twice.as_object().unwrap().clone()).unwrap_err();
    assert!(refused.message().contains("`target` is given twice"), "{}", refused.message());
}
