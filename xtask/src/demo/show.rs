//! How the demo looks on a terminal, and in a log where there is none.

use serde_json::Value;

/// Lines of an excerpt that are shown; the agent gets all of them.
const MOST_LINES: usize = 24;

pub(super) fn heading(text: &str) {
    println!("\n━━━ {text}");
}

/// A string as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A tool's name, what it says of itself in its first line, and its arguments.
pub(super) fn tool(tool: &Value) {
    let description = plain(&tool["description"]);
    println!("{}: {}", plain(&tool["name"]), description.lines().next().unwrap_or_default());
    let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
    let properties = tool["inputSchema"]["properties"].as_object();
    let names = properties.into_iter().flat_map(|properties| properties.keys());
    let names: Vec<String> = names
        .map(|name| if required.iter().any(|one| one == name) { name.clone() } else { format!("{name}?") })
        .collect();
    println!("  takes {}", names.join(", "));
}

/// The answer of `run_test`, field by field; long texts are cut.
pub(super) fn answer(answer: &Value) {
    let Some(fields) = answer.as_object() else {
        println!("  {answer}");
        return;
    };
    for (name, value) in fields {
        match value {
            Value::String(text) if text.contains('\n') => {
                println!("  {name}:");
                block(text);
            }
            Value::Array(items) if !items.is_empty() => {
                println!("  {name}:");
                for item in items {
                    println!("    - {}", plain(item));
                }
            }
            Value::Object(fields) => {
                println!("  {name}:");
                for (name, value) in fields {
                    println!("    {name}: {}", plain(value));
                }
            }
            value => println!("  {name}: {}", plain(value)),
        }
    }
}

/// A text as the agent reads it; a long one is cut.
pub(super) fn text(text: &str) {
    block(text);
}

fn block(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    for line in lines.iter().take(MOST_LINES) {
        println!("    │ {line}");
    }
    if lines.len() > MOST_LINES {
        println!("    │ … and {} more lines", lines.len() - MOST_LINES);
    }
}
