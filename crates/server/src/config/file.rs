//! The config file: TOML, or JSON when it begins with `{`. Its keys are the flags' names in any spelling.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use super::given::{Given, Value, Written};
use super::refusal::{ConfigError, Source};
use super::setting::Setting;
use super::settings::{CONFIG, SETTINGS};
use crate::words::{fold, nearest, quoted};

/// Adds what the file at `path` sets; `asked_by` named it.
pub(super) fn add(given: &mut Given, path: &Path, asked_by: &Source) -> Result<(), ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|reason| ConfigError::Unreadable {
        asked_by: asked_by.clone(),
        path: path.to_owned(),
        reason,
    })?;
    let mut seen: Vec<(&str, String)> = Vec::new();
    for (key, json) in parsed(path, &text)? {
        let setting = known(path, &key)?;
        if let Some((_, first)) = seen.iter().find(|(name, _)| *name == setting.name) {
            return Err(ConfigError::Twice { path: path.to_owned(), first: first.clone(), second: key });
        }
        seen.push((setting.name, key.clone()));
        let source = Source::File { path: path.to_owned(), key };
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        if let Some(value) = written(json, source, folder, setting)? {
            given.add(setting, value);
        }
    }
    Ok(())
}

fn parsed(path: &Path, text: &str) -> Result<Map<String, Json>, ConfigError> {
    // Editors on Windows write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let malformed = |format, reason| ConfigError::Malformed { path: path.to_owned(), format, reason };
    if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| malformed("JSON", error.to_string()))
    } else {
        toml::from_str(text).map_err(|error| malformed("TOML", error.to_string().trim_end().to_owned()))
    }
}

fn known(path: &Path, key: &str) -> Result<&'static Setting, ConfigError> {
    // A file that names another file would need an order of precedence that nobody can guess.
    let allowed = || SETTINGS.iter().copied().filter(|setting| setting.name != CONFIG.name);
    let found = allowed().find(|setting| fold(setting.name) == fold(key));
    found.ok_or_else(|| ConfigError::UnknownKey {
        path: path.to_owned(),
        key: key.to_owned(),
        near: nearest(key, allowed().map(|setting| setting.name)).map(|near| format!("`{near}`")),
        known: quoted(allowed().map(|setting| setting.name), "and"),
    })
}

/// A value of the file as it would be typed; `null` sets nothing.
fn written(
    json: Json,
    source: Source,
    folder: PathBuf,
    setting: &Setting,
) -> Result<Option<Value>, ConfigError> {
    let refused = |source: Source, value: &str| ConfigError::BadValue {
        at: source,
        value: value.to_owned(),
        expected: setting.kind.expected(),
        near: None,
    };
    let scalar = |json: Json| match json {
        Json::String(text) => Ok(text),
        Json::Bool(_) | Json::Number(_) => Ok(json.to_string()),
        Json::Array(_) => Err("a list"),
        Json::Object(_) => Err("a table"),
        Json::Null => Err("null"),
    };
    let written = match json {
        Json::Null => return Ok(None),
        Json::Array(items) => items.into_iter().map(scalar).collect::<Result<_, _>>().map(Written::List),
        one => scalar(one).map(Written::Text),
    };
    match written {
        Ok(written) => Ok(Some(Value { written, source, folder })),
        Err(what) => Err(refused(source, what)),
    }
}
