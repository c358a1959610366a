//! What a page writes to its console, as a person would read it there.

use engine::backend::{ConsoleEntry, ConsoleLevel, Place};
use wire::cdp::types::runtime;
use wire::inspector::types::{ConsoleMessage, RemoteObject};

use crate::cdp::console::message;

/// Translates one page's console.
#[derive(Debug, Default)]
pub(super) struct Console {
    last: Option<ConsoleEntry>,
    /// What was thrown and is no error, as JSON; the line about it comes next.
    thrown: Option<String>,
}

impl Console {
    /// A line; nothing for those that write nothing.
    pub(super) fn added(&mut self, added: &ConsoleMessage) -> Option<ConsoleEntry> {
        let kind = added.r#type.as_deref().unwrap_or_default();
        if matches!(kind, "endGroup" | "clear" | "profile" | "profileEnd") {
            return None;
        }
        let uncaught = added.source == "javascript" && added.level == "error";
        let level = match added.level.as_str() {
            "debug" => ConsoleLevel::Debug,
            "warning" => ConsoleLevel::Warning,
            "error" => ConsoleLevel::Error,
            _ => ConsoleLevel::Info,
        };
        let text = match (added.source.as_str(), kind) {
            ("console-api", "assert") => format!("Assertion failed: {}", text(added)),
            ("console-api", _) => text(added),
            _ if uncaught => {
                let thrown = self.thrown.take().filter(|_| added.text.starts_with("[object "));
                format!("Uncaught {}", thrown.as_ref().unwrap_or(&added.text))
            }
            _ => added.text.clone(),
        };
        let entry = ConsoleEntry { level, text, place: place(added), uncaught, at: at(added.timestamp) };
        self.last = Some(entry.clone());
        Some(entry)
    }

    /// Something is thrown that is no error.
    pub(super) fn thrown(&mut self, json: String) {
        self.thrown = Some(json);
    }

    /// The same line again: the browser counts instead of repeating it.
    pub(super) fn repeated(&self, timestamp: Option<f64>) -> Option<ConsoleEntry> {
        let last = self.last.clone()?;
        Some(ConsoleEntry { at: timestamp.unwrap_or(last.at), ..last })
    }
}

fn text(added: &ConsoleMessage) -> String {
    if added.parameters.is_empty() {
        return added.text.clone();
    }
    message(&added.parameters.iter().map(as_cdp).collect::<Vec<_>>())
}

/// The two protocols have the same root; what a value looks like is written down once.
fn as_cdp(object: &RemoteObject) -> runtime::RemoteObject {
    runtime::RemoteObject {
        subtype: object.subtype.clone(),
        value: object.value.clone(),
        description: object.description.clone(),
        preview: object.preview.clone(),
        ..runtime::RemoteObject::new(object.r#type.as_str())
    }
}

fn at(timestamp: Option<f64>) -> f64 {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    timestamp.unwrap_or_else(|| now().map(|since| since.as_secs_f64()).unwrap_or_default())
}

/// Lines and columns count from 1 here.
fn place(added: &ConsoleMessage) -> Option<Place> {
    let number = |number: i64| u32::try_from(number - 1).unwrap_or_default();
    let top = added.stack_trace.as_ref().and_then(|stack| stack.call_frames.first());
    if let Some(top) = top {
        let (line, column) = (number(top.line_number), number(top.column_number));
        return Some(Place { url: top.url.clone(), line, column });
    }
    let url = added.url.clone().filter(|url| !url.is_empty())?;
    Some(Place { url, line: number(added.line.unwrap_or(1)), column: number(added.column.unwrap_or(1)) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn added(json: serde_json::Value) -> ConsoleMessage {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_line_is_told_as_often_as_it_was_written() {
        let mut console = Console::default();
        let line = added(
            json!({ "source": "console-api", "level": "log", "text": "a", "line": 3, "column": 5, "url": "http://x/",
            "parameters": [{ "type": "string", "value": "a" }, { "type": "number", "value": 1, "description": "1" }], "timestamp": 1.5 }),
        );
        let entry = console.added(&line).unwrap();
        assert_eq!((entry.text.as_str(), entry.level, entry.at), ("a 1", ConsoleLevel::Info, 1.5));
        assert_eq!(entry.place, Some(Place { url: "http://x/".to_owned(), line: 2, column: 4 }));
        assert_eq!(console.repeated(Some(2.5)).unwrap().at, 2.5);
    }

    #[test]
    fn an_exception_that_nobody_caught_is_told_as_one() {
        let line = json!({ "source": "javascript", "level": "error", "text": "Error: x" });
        let entry = Console::default().added(&added(line)).unwrap();
        assert!(entry.uncaught && entry.text == "Uncaught Error: x");
    }
}
