//! How the demo looks on a terminal, and in a log where there is none.

use serde_json::Value;

/// Lines of a text that are shown; the agent gets all of them.
const MOST_LINES: usize = 24;
/// Lines of a text within an answer.
const MOST_WITHIN: usize = 8;
/// Of a longer line, as much as one reads.
const LONGEST_LINE: usize = 160;

pub(super) fn heading(text: &str) {
    println!("\n━━━ {text}");
}

/// A string as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A text as the agent reads it; a long one is cut.
pub(super) fn text(text: &str) {
    block(text, "    ", MOST_LINES);
}

/// An answer in JSON, field by field; long texts are cut.
pub(super) fn answer(answer: &Value) {
    value(None, answer, "    ");
}

/// A value behind its name, and what is in it indented below.
fn value(name: Option<&str>, value_of: &Value, indent: &str) {
    let label = match name {
        Some("-") => "-".to_owned(),
        Some(name) => format!("{name}:"),
        None => String::new(),
    };
    let deeper = if name.is_some() { format!("{indent}  ") } else { indent.to_owned() };
    match value_of {
        Value::Object(fields) if !fields.is_empty() => {
            if name.is_some() {
                println!("{indent}{label}");
            }
            for (name, field) in fields {
                value(Some(name), field, &deeper);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            println!("{indent}{label}");
            for item in items {
                match item {
                    Value::Object(_) => value(Some("-"), item, &deeper),
                    item => println!("{deeper}- {}", cut(&plain(item))),
                }
            }
        }
        Value::String(text) if text.trim_end().contains('\n') => {
            println!("{indent}{label}");
            block(text, &deeper, MOST_WITHIN);
        }
        other => println!("{indent}{label} {}", cut(plain(other).trim_end())),
    }
}

fn block(text: &str, indent: &str, most: usize) {
    let lines: Vec<&str> = text.lines().collect();
    for line in lines.iter().take(most) {
        println!("{indent}│ {}", cut(line));
    }
    if lines.len() > most {
        println!("{indent}│ … and {} more lines", lines.len() - most);
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((at, _)) => format!("{} …", &line[..at]),
        None => line.to_owned(),
    }
}
