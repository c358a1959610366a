//! Scripts in a page: questions to the injected one in a sandbox of ours, and the user's functions in the page's own
//! world.
//!
//! What they come to travels as one text of JSON: the protocol's own form of values is fifty times slower to make.

use engine::backend::{Argument, BackendError, FrameId, Handle, Question, World};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire::bidi::types::script::{self, Evaluated, ExceptionDetails};

use super::console::is_ours;
use super::elements::{handle, reference};
use super::page::Page;

/// Asks the injected script in its sandbox, which no page sees. A frame's first document takes over the sandbox of the
/// blank one, so the script is made anew for it.
macro_rules! ask {
    ($answer:literal) => {
        concat!(
            "(method, argument, ...element) => {
    if (globalThis.e2eDocument !== document) {
        if (!globalThis.e2eMake) throw 'e2e: no script';
        if (globalThis.e2eDocument || !globalThis.e2eInjected) globalThis.e2eInjected = globalThis.e2eMake();
        globalThis.e2eDocument = document;
    }
    const told = globalThis.e2eInjected[method](JSON.parse(argument), ...element);
    return ",
            $answer,
            ";
}"
        )
    };
}
const ASK: &str =
    ask!("told instanceof Promise ? told.then(told => JSON.stringify(told)) : JSON.stringify(told)");
const ASK_FOR_NODE: &str = ask!("told");
/// What it throws in a world that was taken for one that has the script.
const UNSCRIPTED: &str = "e2e: no script";

/// Writes JSON in the page's own world, where nothing need be what it was: what the page has changed is noticed, and then
/// only the language itself is used.
const WRITE: &str = r#"value => {
    if (value === undefined) return 'null';
    try {
        if (JSON.stringify([{ a: [1], b: 'c' }]) === '[{"a":[1],"b":"c"}]') return JSON.stringify(value);
    } catch {}
    const escapes = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f', __proto__: null };
    const quote = text => {
        let out = '"';
        for (let i = 0; i < text.length; i++) out += escapes[text[i]] ?? (text[i] < ' ' ? ' ' : text[i]);
        return out + '"';
    };
    const write = value => {
        if (value === null || typeof value === 'boolean') return `${value}`;
        if (typeof value === 'number') return value - value === 0 ? `${value}` : 'null';
        if (typeof value === 'string') return quote(value);
        if (typeof value !== 'object') return 'null';
        let out = '';
        if (value instanceof Array) {
            for (let i = 0; i < value.length; i++) out += (i ? ',' : '') + write(value[i]);
            return '[' + out + ']';
        }
        for (const name in value) {
            if (value[name] !== undefined && typeof value[name] !== 'function') out += (out ? ',' : '') + quote(name) + ':' + write(value[name]);
        }
        return '{' + out + '}';
    };
    return write(value);
}"#;

/// Makes a function that writes what another comes to. A promise costs a turn more, so there is one only where that gives
/// one.
const WRITTEN: &str = "(compute, write) => (...given) => {
    const told = compute(...given);
    return told && typeof told.then === 'function' ? (async () => write(await told))() : write(told);
}";

impl Page {
    /// Asks the injected script. It comes along with the first question: in documents that are never asked, which most
    /// frames and all the blank ones before a page's own are, it would cost Firefox 30 to 50 ms each.
    async fn question(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: Vec<Value>,
    ) -> Result<script::Answer, BackendError> {
        if self.frames().is_scripted(frame) {
            let answer = self.call_in(frame, World::Utility, function, arguments.clone()).await?;
            let unscripted = |thrown: &ExceptionDetails| thrown.exception.value == Some(UNSCRIPTED.into());
            if !answer.exception_details.as_ref().is_some_and(unscripted) {
                return result(answer);
            }
        }
        // As a text: Firefox reads a function for its debugger, which takes a third longer.
        let both = format!("(script, ...given) => {{ (0, eval)(script); return ({function})(...given); }}");
        let arguments = std::iter::once(text(self.settings.script())).chain(arguments).collect();
        let answer = self.call_in(frame, World::Utility, &both, arguments).await?;
        self.frames().script_realm(frame, &answer.realm);
        result(answer)
    }

    /// Asks the injected script in a frame, about an element of it if there is one.
    pub(super) async fn ask_script(
        &self,
        frame: &FrameId,
        question: &Question,
        element: Option<&Handle>,
    ) -> Result<Box<RawValue>, BackendError> {
        let mut arguments = question_arguments(question);
        arguments.extend(element.map(reference));
        plain(self.question(frame, ASK, arguments).await?)
    }

    pub(super) async fn ask_script_for_node(
        &self,
        frame: &FrameId,
        question: &Question,
    ) -> Result<Option<Handle>, BackendError> {
        let answer = self.question(frame, ASK_FOR_NODE, question_arguments(question)).await?;
        match (answer.r#type.as_str(), answer.shared_id) {
            (_, Some(id)) => Ok(Some(handle(frame, &id))),
            ("null" | "undefined", None) => Ok(None),
            (other, None) => Err(BackendError::Refused {
                request: question.method.to_owned(),
                reason: format!("its answer is no element: {other}"),
            }),
        }
    }

    pub(super) async fn evaluate_function(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: Vec<Argument>,
    ) -> Result<Box<RawValue>, BackendError> {
        let values = arguments.into_iter().map(|argument| match argument {
            Argument::Json(value) => local(&value),
            Argument::Node(handle) => reference(&handle),
        });
        let function = format!("({WRITTEN})((\n{function}\n), {WRITE})");
        plain(result(self.call_in(frame, World::Main, &function, values.collect()).await?)?)
    }

    /// Nothing in the protocol ends a script. Firefox itself does, after the time that its settings give one (prefs.rs).
    #[expect(clippy::unused_async, reason = "other browsers have to be asked")]
    pub(super) async fn end_scripts(&self) -> Result<(), BackendError> {
        Err(BackendError::Unsupported {
            what: "ending a script",
            instead: "wait until the browser ends it, which it does after some seconds, or close the tab",
        })
    }
}

fn question_arguments(question: &Question) -> Vec<Value> {
    vec![text(question.method), text(&question.argument.to_string())]
}

fn text(text: &str) -> Value {
    json!({ "type": "string", "value": text })
}

/// JSON as the protocol wants a value (WebDriver BiDi, "script.LocalValue").
fn local(value: &Value) -> Value {
    match value {
        Value::Null => json!({ "type": "null" }),
        Value::Bool(value) => json!({ "type": "boolean", "value": value }),
        Value::Number(value) => json!({ "type": "number", "value": value }),
        Value::String(value) => json!({ "type": "string", "value": value }),
        Value::Array(items) => {
            json!({ "type": "array", "value": items.iter().map(local).collect::<Vec<_>>() })
        }
        Value::Object(fields) => {
            let fields: Vec<Value> = fields.iter().map(|(name, value)| json!([name, local(value)])).collect();
            json!({ "type": "object", "value": fields })
        }
    }
}

fn result(called: Evaluated) -> Result<script::Answer, BackendError> {
    match (called.exception_details, called.result) {
        (Some(thrown), _) => Err(threw(&thrown)),
        (None, Some(answer)) => Ok(answer),
        (None, None) => Ok(script::Answer { r#type: "undefined".to_owned(), shared_id: None, value: None }),
    }
}

/// The JSON in a text; `undefined` is null.
fn plain(answer: script::Answer) -> Result<Box<RawValue>, BackendError> {
    let unreadable = |error: serde_json::Error| BackendError::Refused {
        request: "script.callFunction".to_owned(),
        reason: format!("its answer can't be read: {error}"),
    };
    let Some(value) = answer.value else { return Ok(RawValue::NULL.to_owned()) };
    let text: String = serde_json::from_str(value.0.get()).map_err(unreadable)?;
    RawValue::from_string(text).map_err(unreadable)
}

/// An exception as the engine tells it.
fn threw(thrown: &ExceptionDetails) -> BackendError {
    let stack = thrown.stack_trace.as_ref().map(|stack| {
        let line = |frame: &script::CallFrame| {
            let name = if frame.function_name.is_empty() { "<anonymous>" } else { &frame.function_name };
            format!("    at {name} ({}:{}:{})", frame.url, frame.line_number + 1, frame.column_number + 1)
        };
        stack.call_frames.iter().filter(|frame| !is_ours(frame)).map(line).collect::<Vec<_>>().join("\n")
    });
    BackendError::Threw { message: thrown.text.clone(), stack: stack.filter(|stack| !stack.is_empty()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_the_protocol_wants_it() {
        let expected =
            json!({ "type": "object", "value": [["a", { "type": "array", "value": [{ "type": "null" }] }]] });
        assert_eq!(local(&json!({ "a": [null] })), expected);
    }

    #[test]
    fn an_answer_is_the_json_in_its_text() {
        let answer: script::Answer =
            serde_json::from_value(json!({ "type": "string", "value": "{\"a\":1.50}" })).unwrap();
        assert_eq!(plain(answer).unwrap().get(), "{\"a\":1.50}");
        let nothing: script::Answer = serde_json::from_value(json!({ "type": "undefined" })).unwrap();
        assert_eq!(plain(nothing).unwrap().get(), "null");
    }
}
