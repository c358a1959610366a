//! What a page writes to its console, as a person would read it there.

use std::collections::VecDeque;
use std::fmt::Write as _;

use engine::backend::{ConsoleEntry, ConsoleLevel, Place};
use serde_json::Value;
use wire::cdp::types::log;
use wire::cdp::types::runtime::{ConsoleApiCalled, ExceptionThrown, RemoteObject, StackTrace};

use crate::formatting::{self, enclose};

/// The browser repeats its own entries to each new process of a page; as many are remembered.
const REMEMBERED: usize = 200;

/// Translates one page's console.
#[derive(Debug, Default)]
pub(super) struct Console {
    seen: VecDeque<(u64, String)>,
}

impl Console {
    /// A call of `console.…`; nothing for those that write nothing.
    pub(super) fn called(&self, call: &ConsoleApiCalled) -> Option<ConsoleEntry> {
        let level = match call.r#type.as_str() {
            "clear" | "endGroup" | "profile" | "profileEnd" => return None,
            "debug" => ConsoleLevel::Debug,
            "warning" => ConsoleLevel::Warning,
            "error" | "assert" => ConsoleLevel::Error,
            _ => ConsoleLevel::Info,
        };
        let text = message(&call.args);
        let text = if call.r#type == "assert" { format!("Assertion failed: {text}") } else { text };
        let place = call.stack_trace.as_ref().and_then(place);
        Some(ConsoleEntry { level, text, place, uncaught: false, at: call.timestamp / 1000.0 })
    }

    /// An exception that nobody caught.
    pub(super) fn thrown(&self, thrown: ExceptionThrown) -> ConsoleEntry {
        let details = thrown.exception_details;
        let text = match &details.exception {
            Some(exception) => format!("{} {}", details.text, shown(exception)),
            None => details.text.clone(),
        };
        let here = details.url.as_ref().map(|url| Place {
            url: url.clone(),
            line: number(details.line_number),
            column: number(details.column_number),
        });
        let place = details.stack_trace.as_ref().and_then(place).or(here);
        ConsoleEntry {
            level: ConsoleLevel::Error,
            text,
            place,
            uncaught: true,
            at: thrown.timestamp / 1000.0,
        }
    }

    /// An entry of the browser's own; nothing if it was told before.
    pub(super) fn logged(&mut self, entry: log::LogEntry) -> Option<ConsoleEntry> {
        let key = (entry.timestamp.to_bits(), entry.text.clone());
        if self.seen.contains(&key) {
            return None;
        }
        if self.seen.len() == REMEMBERED {
            self.seen.pop_front();
        }
        self.seen.push_back(key);
        let level = match entry.level.as_str() {
            "verbose" => ConsoleLevel::Debug,
            "warning" => ConsoleLevel::Warning,
            "error" => ConsoleLevel::Error,
            _ => ConsoleLevel::Info,
        };
        let place = entry.stack_trace.as_ref().and_then(place);
        let line = number(entry.line_number.unwrap_or_default());
        let place = place.or_else(|| entry.url.map(|url| Place { url, line, column: 0 }));
        Some(ConsoleEntry { level, text: entry.text, place, uncaught: false, at: entry.timestamp / 1000.0 })
    }
}

fn place(stack: &StackTrace) -> Option<Place> {
    let top = stack.call_frames.first()?;
    Some(Place { url: top.url.clone(), line: number(top.line_number), column: number(top.column_number) })
}

fn number(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// The arguments as one text.
pub(crate) fn message(arguments: &[RemoteObject]) -> String {
    let format = arguments.first().and_then(|first| first.value.as_ref()).and_then(Value::as_str);
    formatting::message(format, arguments.iter().map(shown).collect())
}

/// A value: texts as they are, objects by what the browser shows of them.
fn shown(object: &RemoteObject) -> String {
    if let Some(Value::String(text)) = &object.value {
        return text.clone();
    }
    if let Some(preview) = &object.preview {
        return previewed(preview);
    }
    if object.subtype.as_deref() == Some("null") {
        return "null".to_owned();
    }
    let described = object.description.clone().or_else(|| object.unserializable_value.clone());
    described
        .or_else(|| object.value.as_ref().map(ToString::to_string))
        .unwrap_or_else(|| object.r#type.clone())
}

/// `{a: 1, b: Array(2)}`, `[1, 2, …]`, `Map(1) {a => 1}`.
fn previewed(preview: &Value) -> String {
    let word = |key: &str| preview[key].as_str().unwrap_or_default();
    let (subtype, description) = (word("subtype"), word("description"));
    let overflow = preview["overflow"] == true;
    let items = |key: &str| preview[key].as_array().map(Vec::as_slice).unwrap_or_default();
    match subtype {
        "array" | "typedarray" => {
            let parts = items("properties").iter().map(property).collect();
            enclose('[', parts, overflow, ']')
        }
        "map" | "set" | "weakmap" | "weakset" => {
            let parts = items("entries").iter().map(entry).collect();
            format!("{description} {}", enclose('{', parts, overflow, '}'))
        }
        "error" | "regexp" | "date" | "node" | "null" | "proxy" | "promise" => description.to_owned(),
        _ if word("type") == "function" => description.to_owned(),
        _ => {
            let named = |it: &Value| format!("{}: {}", it["name"].as_str().unwrap_or_default(), property(it));
            let parts = items("properties").iter().map(named).collect();
            let object = enclose('{', parts, overflow, '}');
            if matches!(description, "Object" | "") { object } else { format!("{description} {object}") }
        }
    }
}

fn property(property: &Value) -> String {
    let value = property["value"].as_str().unwrap_or_default();
    match property["type"].as_str() {
        Some("string") => format!("\"{value}\""),
        Some("function") => "ƒ".to_owned(),
        Some("accessor") => "(…)".to_owned(),
        _ if property["valuePreview"].is_object() => previewed(&property["valuePreview"]),
        _ => value.to_owned(),
    }
}

fn entry(entry: &Value) -> String {
    let mut text = String::new();
    if entry["key"].is_object() {
        let _ = write!(text, "{} => ", previewed_or_text(&entry["key"]));
    }
    text + &previewed_or_text(&entry["value"])
}

fn previewed_or_text(preview: &Value) -> String {
    match preview["type"].as_str() {
        Some("object" | "function") => previewed(preview),
        Some("string") => format!("\"{}\"", preview["description"].as_str().unwrap_or_default()),
        _ => preview["description"].as_str().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn objects(json: Value) -> Vec<RemoteObject> {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn texts_stand_side_by_side_and_objects_show_what_is_in_them() {
        let preview = json!({ "type": "object", "description": "Object", "overflow": false, "properties": [
            { "name": "a", "type": "number", "value": "1" },
            { "name": "b", "type": "string", "value": "x" },
            { "name": "c", "type": "object", "subtype": "array", "value": "Array(2)" },
        ] });
        let arguments = objects(json!([
            { "type": "string", "value": "hello" },
            { "type": "object", "description": "Object", "preview": preview },
            { "type": "number", "value": 7, "description": "7" },
            { "type": "object", "subtype": "null", "value": null },
            { "type": "undefined" },
        ]));
        assert_eq!(message(&arguments), "hello {a: 1, b: \"x\", c: Array(2)} 7 null undefined");
    }

    #[test]
    fn placeholders_are_filled_in_and_styles_left_out() {
        let arguments = objects(json!([
            { "type": "string", "value": "%c%s is %d%% %x %s" },
            { "type": "string", "value": "color: red" },
            { "type": "string", "value": "it" },
            { "type": "number", "value": 5, "description": "5" },
        ]));
        assert_eq!(message(&arguments), "it is 5% %x %s");
    }

    #[test]
    fn an_entry_that_the_browser_repeats_is_told_once() {
        let entry: log::LogEntry = serde_json::from_value(
            json!({ "source": "security", "level": "error", "text": "blocked", "timestamp": 1.5 }),
        )
        .unwrap();
        let mut console = Console::default();
        assert_eq!(console.logged(entry.clone()).unwrap().level, ConsoleLevel::Error);
        assert_eq!(console.logged(entry), None);
    }
}
