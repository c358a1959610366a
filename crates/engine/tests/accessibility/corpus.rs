//! One marked element (`t`) per snippet: the script's answer against the expectation, and against Chromium's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::chromium::Chromium;

#[derive(Deserialize)]
struct Corpus {
    case: Vec<Case>,
}

/// A snippet and what its marked element is. What is left out is empty, false or not there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    html: String,
    role: Option<String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    states: Map<String, Value>,
}

#[derive(Deserialize)]
struct Differences {
    reasons: BTreeMap<String, String>,
    difference: Vec<Difference>,
}

/// A field in which Chromium says something else, and the key of the reason.
#[derive(Deserialize)]
struct Difference {
    html: String,
    field: String,
    /// Left out when Chromium says nothing.
    #[serde(default)]
    chromium: Value,
    reason: String,
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accessibility");

/// The marked element, in shadow trees too.
const MARKED: &str = "(function find(root) { \
    const marked = root.querySelector('[t]'); \
    if (marked) return marked; \
    for (const { shadowRoot } of root.querySelectorAll('*')) { \
        const inner = shadowRoot && find(shadowRoot); \
        if (inner) return inner; \
    } \
    return null; })(document)";

pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(Path::new(FOLDER).join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files
}

pub(crate) fn parse<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    toml::from_str(&std::fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn cases() -> Vec<Case> {
    files("corpus").iter().flat_map(|path| parse::<Corpus>(path).case).collect()
}

/// What the script says, in the shape of a case: states that are off, empty or unknown are left out.
fn ours(browser: &mut Chromium) -> Value {
    let mut told = browser.evaluate(&format!(
        "(() => {{ const t = {MARKED}; return {{ role: injected.roleOf(t), name: injected.nameOf(t), \
         description: injected.descriptionOf(t), hidden: injected.isHiddenForAria(t), states: injected.stateOf(t) }}; }})()"
    ));
    let states = told["states"].as_object_mut().unwrap();
    let off = ["disabled", "invalid", "required", "readonly", "active", "pointer"];
    states.retain(|state, value| {
        let is_off = off.contains(&state.as_str()) && *value == json!(false);
        !(is_off || value.is_null() || *value == json!(""))
    });
    told
}

#[test]
fn every_snippet_is_what_the_specifications_say() {
    let mut browser = Chromium::launch();
    let mut wrong = Vec::new();
    let cases = cases();
    for case in &cases {
        browser.load(&case.html);
        let told = ours(&mut browser);
        let expected = json!({"role": case.role, "name": case.name, "description": case.description,
            "hidden": case.hidden, "states": case.states});
        if told != expected {
            wrong.push(format!("{}\n  expected {expected}\n  got      {told}", case.html));
        }
    }
    assert!(cases.len() >= 300, "{} cases", cases.len());
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Chromium's words for what has no role in ARIA, and its own word for one that has.
fn plain_role(role: &str) -> Option<&str> {
    match role {
        "image" => Some("img"),
        "none"
        | "generic"
        | "presentation"
        | "LabelText"
        | "Abbr"
        | "Audio"
        | "Video"
        | "Canvas"
        | "DescriptionList"
        | "Legend"
        | "Figcaption"
        | "Iframe"
        | "IframePresentational"
        | "Ruby"
        | "DisclosureTriangle" => None,
        role => Some(role),
    }
}

/// Reasons to be ignored that make an element hidden, not just dull.
fn hides(reason: &str) -> bool {
    !matches!(
        reason,
        "" | "uninteresting" | "presentationalRole" | "emptyAlt" | "labelFor" | "labelContainer"
    )
}

/// Chromium's node as fields that can be compared, and the same fields of ours.
fn fields(told: &Value, node: &Value) -> Vec<(&'static str, Value, Value)> {
    let ignored = node["ignored"] == json!(true);
    let reason = node["ignoredReasons"][0]["name"].as_str().unwrap_or("");
    let hidden = ignored && hides(reason);
    let mut fields = vec![("hidden", told["hidden"].clone(), json!(hidden))];
    let role = told["role"].as_str().and_then(plain_role);
    let chromiums = node["role"]["value"].as_str().and_then(plain_role);
    if ignored {
        if !hidden {
            fields.push(("role", json!(role), json!(chromiums)));
        }
        return fields;
    }
    fields.push(("role", json!(role), json!(chromiums)));
    for (field, theirs) in [("name", "name"), ("description", "description")] {
        fields.push((field, told[field].clone(), json!(node[theirs]["value"].as_str().unwrap_or(""))));
    }
    let states = &told["states"];
    let value = node["value"]["value"].clone();
    let text = value
        .as_str()
        .map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned);
    fields.push(("value", json!(states["value"].as_str().unwrap_or("")), json!(text)));
    let properties = node["properties"].as_array().unwrap();
    let property = |name: &str| {
        let found = properties.iter().find(|property| property["name"] == name);
        found.map_or(Value::Null, |property| property["value"]["value"].clone())
    };
    for state in ["checked", "pressed", "expanded", "selected", "level"] {
        fields.push((state, states[state].clone(), plain_state(property(state))));
    }
    for state in ["disabled", "required", "readonly", "invalid"] {
        let on = !matches!(property(state), Value::Null | Value::Bool(false)) && property(state) != "false";
        fields.push((state, json!(states[state] == json!(true)), json!(on)));
    }
    fields
}

fn plain_state(value: Value) -> Value {
    match value.as_str() {
        Some("true") => json!(true),
        Some("false") => json!(false),
        _ => value,
    }
}

#[test]
fn every_difference_from_chromium_is_listed_with_its_reason() {
    let mut browser = Chromium::launch();
    let listed: Differences = parse(&Path::new(FOLDER).join("differences.toml"));
    let mut unlisted = Vec::new();
    let mut met = 0;
    let cases = cases();
    for case in &cases {
        browser.load(&case.html);
        let told = ours(&mut browser);
        let node = browser.accessibility_node(MARKED);
        for (field, ours, theirs) in fields(&told, &node) {
            if ours == theirs {
                continue;
            }
            let known = listed
                .difference
                .iter()
                .find(|known| known.html == case.html && known.field == field && known.chromium == theirs);
            match known {
                Some(known) => {
                    assert!(listed.reasons.contains_key(&known.reason), "{} has no text", known.reason);
                    met += 1;
                }
                None => unlisted.push(format!(
                    "[[difference]]\nhtml = '{}'\nfield = \"{field}\"\nchromium = {theirs}\nreason = \"\" # ours: {ours}\n",
                    case.html
                )),
            }
        }
    }
    assert!(unlisted.is_empty(), "{} differences are not listed:\n{}", unlisted.len(), unlisted.join("\n"));
    assert_eq!(met, listed.difference.len(), "differences are listed that are none");
}
