//! Adding a server to the text of a client's file: everything else in it stays as it is, comments and layout included.

mod json;
mod toml;

use serde_json::Value;

use super::client::Format;

/// What is to be in the file.
#[derive(Debug, Clone)]
pub(super) struct Addition<'a> {
    /// The key below which servers are.
    pub(super) key: &'a str,
    /// The server's name there.
    pub(super) name: &'a str,
    pub(super) entry: &'a Value,
    /// Whether another entry of that name gives way.
    pub(super) replace: bool,
}

/// Why a file was left as it is.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("it can't be read: {0}")]
    Unreadable(String),
    #[error("`{0}` is no table of servers in it")]
    NoTable(String),
    #[error(
        "it has another server called `{0}`; --replace puts this one in its place, --name adds it under another name"
    )]
    Taken(String),
    #[error("adding to it would change something else")]
    WouldChange,
}

/// The text with the server in it; `None` if it is there already.
pub(super) fn add(format: Format, text: &str, addition: &Addition<'_>) -> Result<Option<String>, Refused> {
    let (mark, text) = text.strip_prefix('\u{feff}').map_or(("", text), |rest| ("\u{feff}", rest));
    let added = match format {
        Format::Json => json::add(text, addition)?,
        Format::Toml => toml::add(text, addition)?,
    };
    Ok(added.map(|text| format!("{mark}{text}")))
}

/// The server alone, as it would be written by hand.
pub(super) fn alone(format: Format, addition: &Addition<'_>) -> String {
    add(format, "", addition).ok().flatten().unwrap_or_default()
}

/// Whether what is there says all that ours does; its owner may have added more.
fn says_the_same(there: &Value, ours: &Value) -> bool {
    let (Some(there), Some(ours)) = (there.as_object(), ours.as_object()) else { return false };
    ours.iter().all(|(key, value)| there.get(key) == Some(value))
}

/// The proof that nothing else was changed: `before` with ours in its place is `after`.
fn proven(mut before: Value, after: &Value, addition: &Addition<'_>) -> Result<(), Refused> {
    before[addition.key][addition.name] = addition.entry.clone();
    if before == *after { Ok(()) } else { Err(Refused::WouldChange) }
}

#[cfg(test)]
mod tests;
