//! docs/tools.md, made from the tools themselves, so that it can't be wrong.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::code;
use super::toolbox::spellings;
use super::{Cap, Tool, Word, schema};
use crate::config::Options;

/// The whole page for `tools`, as they are with every cap.
pub(super) fn page(tools: &[&Tool]) -> String {
    let mut page = String::from(
        "# Tools\n\nMade from the registry by the tests (`UPDATE_DOCS=1 cargo nextest run -p e2e-mcp-server`); \
         don't edit it.\n\nEvery tool answers to each of its names, whatever `--tool-names` lists. Arguments may be \
         spelled in snake_case or camelCase, optional ones may be `null` or wrapped in an `options` object.\n",
    );
    let options = Options { caps: Cap::WORDS.iter().map(|(_, cap)| *cap).collect(), ..Options::default() };
    for tool in tools {
        section(&mut page, tool, &options);
    }
    errors(&mut page);
    page
}

fn section(page: &mut String, tool: &Tool, options: &Options) {
    let names: Vec<String> = spellings(tool).iter().map(|name| format!("`{name}`")).collect();
    let cap = tool.cap.map(|cap| format!(" · only with `--caps {}`", cap.word())).unwrap_or_default();
    line(page, &format!("\n## {}\n", tool.name));
    let families: Vec<&str> =
        std::iter::once(&tool.family).chain(tool.also_in).map(|family| family.word()).collect();
    let families = families.join("` and `");
    line(page, &format!("{} · family `{families}`{cap}\n", names.join(" · ")));
    line(page, tool.description);
    let mut input = schema::plain_input((tool.input)(options));
    schema::strip_formats(&mut input);
    arguments(page, tool, &input);
    if let Some(output) = tool.output {
        line(page, "\nThe result, as JSON:\n");
        fields(page, &schema::plain_output(output(options)), |_| None);
    }
}

fn arguments(page: &mut String, tool: &Tool, input: &Map<String, Value>) {
    if properties(input).next().is_none() {
        line(page, "\nTakes no arguments.");
        return;
    }
    line(page, "");
    fields(page, input, |name| {
        let cap = tool.gated.iter().find(|(gated, _)| *gated == name).map(|(_, cap)| cap.word());
        cap.map(|cap| format!("Only with `--caps {cap}`."))
    });
}

/// A table of an object's fields; `note` adds to a field's description.
fn fields(page: &mut String, schema: &Map<String, Value>, note: impl Fn(&str) -> Option<String>) {
    let required = |name: &str| {
        schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|n| n == name))
    };
    line(page, "| name | type | required | |\n|---|---|---|---|");
    for (name, property) in properties(schema) {
        let told = property.get("description").and_then(Value::as_str).map(str::to_owned);
        let default = property.get("default").map(|value| format!("Default: `{value}`."));
        let text: Vec<String> = [told, default, note(name)].into_iter().flatten().collect();
        let row = format!(
            "| `{name}` | {} | {} | {} |",
            cell(&kind(property)),
            if required(name) { "yes" } else { "" },
            cell(&text.join(" "))
        );
        line(page, &row);
    }
}

fn properties(schema: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// A schema in a word or two.
fn kind(schema: &Value) -> String {
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words: Vec<String> = words
            .iter()
            .map(|word| word.as_str().map_or_else(|| word.to_string(), |word| format!("`{word}`")))
            .collect();
        return words.join(", ");
    }
    if let Some(Value::Array(parts)) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        return parts.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    let least = schema.get("minimum").filter(|least| **least != 0).map(|least| format!(" ≥ {least}"));
    match schema.get("type") {
        Some(Value::String(name)) if name == "array" => {
            format!("array of {}", schema.get("items").map_or_else(|| "any".to_owned(), kind))
        }
        Some(Value::String(name)) if name == "object" => {
            let inside: Vec<String> = schema
                .as_object()
                .map(|map| properties(map).map(|(name, _)| format!("`{name}`")).collect())
                .unwrap_or_default();
            if inside.is_empty() { "object".to_owned() } else { format!("object ({})", inside.join(", ")) }
        }
        Some(Value::String(name)) => format!("{name}{}", least.unwrap_or_default()),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any".to_owned(),
    }
}

fn errors(page: &mut String) {
    line(page, "\n## Errors\n");
    line(
        page,
        "A failed call has `isError: true` and, as JSON, `error` with `type` and `errorCode` (the same name in lower \
         and upper case), `message`, `suggestion`, `details`, `timestamp` and `context`.\n",
    );
    line(page, "| type | |\n|---|---|");
    for code in code::all() {
        line(page, &format!("| `{}` | {} |", code.lower(), cell(code.meaning())));
    }
}

/// Text that can't break its table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn line(page: &mut String, text: &str) {
    // Writing to a String can't fail.
    let _ = writeln!(page, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::TOOLS;

    #[test]
    fn the_page_of_the_tools_is_up_to_date() {
        crate::generated::is_up_to_date("docs/tools.md", &page(TOOLS));
    }

    #[test]
    fn a_tool_is_described_with_its_names_arguments_and_result() {
        insta::assert_snapshot!(page(&[crate::tools::toolbox::sample()]));
    }
}
