//! What a page writes to its console, as a person would read it there.

use engine::backend::{ConsoleEntry, ConsoleLevel, Place};
use serde_json::Value;
use wire::bidi::types::log::EntryAdded;
use wire::bidi::types::script::{CallFrame, RemoteValue, StackTrace};

use crate::formatting::{self, enclose};

/// How Firefox begins what it says of a policy; the usual words have no hyphens.
const POLICY: &str = "Content-Security-Policy";

fn is_error(value: &RemoteValue) -> bool {
    value.r#type == "error"
}

/// A response or a failure that the page's user would find in the console of other browsers, in their words.
pub(super) fn missing(url: &str, why: &str, at: f64) -> ConsoleEntry {
    ConsoleEntry {
        level: ConsoleLevel::Error,
        text: format!("Failed to load resource: {why}"),
        place: Some(Place { url: url.to_owned(), line: 0, column: 0 }),
        uncaught: false,
        at,
    }
}

/// An entry; nothing for what writes nothing.
pub(super) fn entry(mut added: EntryAdded) -> Option<ConsoleEntry> {
    let caller = take_caller(&mut added);
    let method = added.method.as_deref().unwrap_or_default();
    if matches!(method, "clear" | "groupEnd" | "profile" | "profileEnd" | "timeStamp") {
        return None;
    }
    let level = match (added.level.as_str(), method) {
        (_, "assert") => ConsoleLevel::Error,
        ("debug", "trace") => ConsoleLevel::Info,
        ("debug", _) => ConsoleLevel::Debug,
        ("warn", _) => ConsoleLevel::Warning,
        ("error", _) => ConsoleLevel::Error,
        _ => ConsoleLevel::Info,
    };
    let text = match &added.args {
        // What an error says stands only in the text as a whole.
        Some(arguments) if !arguments.is_empty() && !arguments.iter().any(is_error) => message(arguments),
        _ => added.text.unwrap_or_default(),
    };
    let of_policy = text.starts_with(POLICY);
    let uncaught = added.r#type == "javascript" && level == ConsoleLevel::Error && !of_policy;
    let text = match method {
        "assert" => format!("Assertion failed: {text}"),
        _ if of_policy => text.replacen(POLICY, "Content Security Policy", 1),
        _ if uncaught => format!("Uncaught {}", text.trim_start_matches("uncaught exception: ")),
        _ => text,
    };
    let place = caller.or_else(|| added.stack_trace.as_ref().and_then(place));
    Some(ConsoleEntry { level, text, place, uncaught, at: added.timestamp / 1000.0 })
}

/// Takes away what our own function before the console told along: who called it (told.js).
fn take_caller(added: &mut EntryAdded) -> Option<Place> {
    const MARK: &str = "\u{1}e2e ";
    let arguments = added.args.as_mut()?;
    let last = arguments.last()?.value.as_ref()?.as_str()?.strip_prefix(MARK)?.to_owned();
    arguments.pop();
    if let Some(text) = &mut added.text
        && let Some(at) = text.find(MARK)
    {
        text.truncate(at);
        text.truncate(text.trim_end().len());
    }
    // `function@address:line:column`, both from 1.
    let (rest, column) = last.rsplit_once(':')?;
    let (rest, line) = rest.rsplit_once(':')?;
    let url = rest.split_once('@').map_or(rest, |(_, url)| url);
    let number = |text: &str| text.parse::<u32>().ok().map(|number| number.saturating_sub(1));
    Some(Place { url: url.to_owned(), line: number(line)?, column: number(column)? })
}

/// Whether it is a function of ours that stands between the page and one of the browser's (told.js, asked.js).
pub(super) fn is_ours(frame: &CallFrame) -> bool {
    ["e2eConsole", "e2eAsked", "e2eChooser"].iter().any(|ours| frame.function_name.contains(ours))
}

fn place(stack: &StackTrace) -> Option<Place> {
    let top = stack.call_frames.iter().find(|frame| !is_ours(frame))?;
    let number = |number: i64| u32::try_from(number).unwrap_or_default();
    Some(Place { url: top.url.clone(), line: number(top.line_number), column: number(top.column_number) })
}

fn message(arguments: &[RemoteValue]) -> String {
    let first = arguments.first().filter(|first| first.r#type == "string");
    let format = first.and_then(|first| first.value.as_ref()).and_then(Value::as_str);
    formatting::message(format, arguments.iter().map(outermost).collect())
}

/// A text stands as it is, not in quotes.
fn outermost(value: &RemoteValue) -> String {
    match (&value.r#type[..], &value.value) {
        ("string", Some(Value::String(text))) => text.clone(),
        _ => shown(&serde_json::to_value(value).unwrap_or_default()),
    }
}

/// A value: `{a: 1, b: Array(2)}`, `[1, 2]`, `Map(1) {a => 1}`.
fn shown(value: &Value) -> String {
    let kind = value["type"].as_str().unwrap_or_default();
    let inner = &value["value"];
    let items = || inner.as_array().map(Vec::as_slice).unwrap_or_default();
    let whole = inner.is_array();
    match kind {
        "string" => inner.as_str().map(|text| format!("\"{text}\"")).unwrap_or_default(),
        "number" => inner.as_str().map_or_else(|| inner.to_string(), str::to_owned),
        "bigint" => format!("{}n", inner.as_str().unwrap_or_default()),
        "boolean" => inner.to_string(),
        "date" => inner.as_str().unwrap_or_default().to_owned(),
        "regexp" => format!(
            "/{}/{}",
            inner["pattern"].as_str().unwrap_or_default(),
            inner["flags"].as_str().unwrap_or_default()
        ),
        "array" | "typedarray" | "nodelist" | "htmlcollection" if whole => {
            enclose('[', items().iter().map(shown).collect(), false, ']')
        }
        "array" => "Array".to_owned(),
        "set" => format!(
            "Set({}) {}",
            items().len(),
            enclose('{', items().iter().map(shown).collect(), false, '}')
        ),
        "map" => {
            let entry = |pair: &Value| format!("{} => {}", key(&pair[0], true), shown(&pair[1]));
            format!(
                "Map({}) {}",
                items().len(),
                enclose('{', items().iter().map(entry).collect(), false, '}')
            )
        }
        "object" if whole => {
            let field = |pair: &Value| format!("{}: {}", key(&pair[0], false), shown(&pair[1]));
            enclose('{', items().iter().map(field).collect(), false, '}')
        }
        "object" => "Object".to_owned(),
        "function" => "ƒ".to_owned(),
        "node" => node(inner),
        "error" => "Error".to_owned(),
        "window" => "Window".to_owned(),
        other => other.to_owned(),
    }
}

fn key(key: &Value, quoted: bool) -> String {
    match key.as_str() {
        Some(text) if quoted => format!("\"{text}\""),
        Some(text) => text.to_owned(),
        None => shown(key),
    }
}

/// `button#save.wide`.
fn node(node: &Value) -> String {
    let mut text = node["localName"].as_str().unwrap_or("node").to_owned();
    if let Some(id) = node["attributes"]["id"].as_str() {
        text = format!("{text}#{id}");
    }
    for class in node["attributes"]["class"].as_str().unwrap_or_default().split_whitespace() {
        text = format!("{text}.{class}");
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(entry: &Value) -> Option<ConsoleEntry> {
        let mut whole =
            json!({ "type": "console", "level": "info", "source": { "realm": "r" }, "timestamp": 1500.0 });
        for (name, value) in entry.as_object().unwrap() {
            whole[name] = value.clone();
        }
        super::entry(serde_json::from_value(whole).unwrap())
    }

    #[test]
    fn values_show_what_is_in_them() {
        let entry = told(&json!({ "method": "log", "args": [
            { "type": "string", "value": "hello %s" },
            { "type": "string", "value": "you" },
            { "type": "object", "value": [["a", { "type": "number", "value": 1 }], ["b", { "type": "string", "value": "x" }]] },
            { "type": "array", "value": [{ "type": "null" }, { "type": "undefined" }] },
            { "type": "map", "value": [["k", { "type": "number", "value": "NaN" }]] },
            { "type": "node", "value": { "localName": "p", "attributes": { "id": "i", "class": "a b" } } },
        ] }));
        let entry = entry.unwrap();
        assert_eq!(entry.text, "hello you {a: 1, b: \"x\"} [null, undefined] Map(1) {\"k\" => NaN} p#i.a.b");
        assert_eq!((entry.level, entry.at), (ConsoleLevel::Info, 1.5));
    }

    #[test]
    fn an_exception_that_nobody_caught_is_told_as_such() {
        let entry = told(&json!({ "type": "javascript", "level": "error", "text": "Error: x" })).unwrap();
        assert!(entry.uncaught);
        assert_eq!(entry.text, "Uncaught Error: x");
    }

    #[test]
    fn what_a_policy_refused_is_no_exception() {
        let text = "Content-Security-Policy: The page’s settings blocked an inline script";
        let entry = told(&json!({ "type": "javascript", "level": "error", "text": text })).unwrap();
        assert!(!entry.uncaught && entry.text.starts_with("Content Security Policy: The page"));
    }

    #[test]
    fn what_writes_nothing_is_nothing() {
        assert_eq!(told(&json!({ "method": "clear" })), None);
        assert_eq!(
            told(&json!({ "method": "assert", "level": "error", "text": "x" })).unwrap().text,
            "Assertion failed: x"
        );
    }
}
