//! The same in TOML.

use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::{Addition, Refused, proven, says_the_same};

pub(super) fn add(text: &str, addition: &Addition<'_>) -> Result<Option<String>, Refused> {
    let Addition { key, name, entry, replace } = *addition;
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| Refused::Unreadable(error.message().to_owned()))?;
    let before = read(text)?;
    let servers = servers(&mut document, key)?;
    if servers.contains_key(name) {
        if says_the_same(&before[key][name], entry) {
            return Ok(None);
        }
        if !replace {
            return Err(Refused::Taken(name.to_owned()));
        }
    }
    let table = table(entry);
    servers.insert(name, table);
    let text = document.to_string();
    proven(before, &read(&text)?, addition)?;
    Ok(Some(text))
}

fn servers<'a>(document: &'a mut DocumentMut, key: &str) -> Result<&'a mut dyn TableLike, Refused> {
    // Without a heading of its own: its servers have theirs.
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let servers = document.entry(key).or_insert(Item::Table(implicit));
    servers.as_table_like_mut().ok_or_else(|| Refused::NoTable(key.to_owned()))
}

/// What the document says, without how.
fn read(text: &str) -> Result<Value, Refused> {
    ::toml::from_str(text).map_err(|error| Refused::Unreadable(error.message().to_owned()))
}

fn table(entry: &Value) -> Item {
    let fields = entry.as_object().into_iter().flatten();
    Item::Table(fields.map(|(name, field)| (name.as_str(), item(field))).collect())
}

/// Entries are texts, numbers and lists of texts.
fn item(field: &Value) -> Item {
    match field {
        Value::Array(texts) => value(texts.iter().filter_map(Value::as_str).collect::<Array>()),
        Value::Number(number) => value(number.as_i64().unwrap_or_default()),
        other => value(other.as_str().unwrap_or_default()),
    }
}
