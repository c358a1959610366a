//! Which call an error belongs to: the tool and its arguments, in few characters.

use serde_json::{Map, Value, json};

/// How much of the arguments an error repeats: enough to recognise the call, never a file's content.
const LONGEST_STRING: usize = 200;
const MOST_ITEMS: usize = 20;
const MOST_CHARACTERS: usize = 2_000;
const DEEPEST: usize = 4;

/// A call as its error repeats it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Context(Value);

impl Context {
    /// A call of `tool`, as the client named it, with `args`, as they came.
    pub(super) fn of(tool: &str, args: &Map<String, Value>) -> Self {
        let short = short_object(args, DEEPEST);
        let text = short.to_string();
        let args = if text.len() <= MOST_CHARACTERS {
            short
        } else {
            base::clip::head(&text, MOST_CHARACTERS).into()
        };
        Self(json!({"tool": base::clip::head(tool, LONGEST_STRING), "args": args}))
    }
}

impl From<Context> for Value {
    fn from(context: Context) -> Self {
        context.0
    }
}

fn short(value: &Value, depth: usize) -> Value {
    match value {
        Value::String(text) => base::clip::head(text, LONGEST_STRING).into(),
        Value::Array(_) | Value::Object(_) if depth == 0 => "…".into(),
        Value::Array(items) => {
            let mut kept: Vec<Value> =
                items.iter().take(MOST_ITEMS).map(|item| short(item, depth - 1)).collect();
            if items.len() > MOST_ITEMS {
                kept.push(format!("… [{} more]", items.len() - MOST_ITEMS).into());
            }
            kept.into()
        }
        Value::Object(fields) => short_object(fields, depth - 1),
        plain => plain.clone(),
    }
}

fn short_object(fields: &Map<String, Value>, depth: usize) -> Value {
    let kept = fields.iter().take(MOST_ITEMS);
    let mut kept: Map<String, Value> = kept
        .map(|(key, item)| (base::clip::head(key, LONGEST_STRING).into_owned(), short(item, depth)))
        .collect();
    if fields.len() > MOST_ITEMS {
        kept.insert("…".to_owned(), format!("[{} more]", fields.len() - MOST_ITEMS).into());
    }
    kept.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(args: Value) -> Value {
        let Value::Object(args) = args else { panic!("an object") };
        Context::of("click", &args).into()
    }

    #[test]
    fn small_arguments_are_repeated_as_they_are() {
        let args = json!({"selector": "a", "modifiers": ["Alt"], "position": {"x": 1}, "force": null});
        assert_eq!(of(args.clone()), json!({"tool": "click", "args": args}));
    }

    #[test]
    fn large_arguments_are_repeated_in_few_characters() {
        let deep = (0..50).fold(json!(1), |inner, _| json!({ "a": inner }));
        let many: Map<String, Value> =
            (0..1000).map(|n| (format!("key{n}"), json!("v".repeat(500)))).collect();
        for args in
            [json!({"text": "x".repeat(100_000)}), json!({"list": vec![0; 10_000]}), json!(many), deep]
        {
            let context = of(args).to_string();
            // A text inside JSON escapes its quotes.
            assert!(context.len() < 2_400, "{}: {context}", context.len());
        }
    }
}
