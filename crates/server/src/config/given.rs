//! What was typed, and where: flags, variables and the config file, laid over each other. Nothing is interpreted yet.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use super::refusal::{ConfigError, Source};
use super::setting::{Kind, PREFIX, Setting};
use super::settings::SETTINGS;
use crate::tools::Word;
use crate::words::nearest;

/// The process's environment, handed in so that tests can have their own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment(BTreeMap<OsString, OsString>);

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl Environment {
    /// A variable's value. An empty one counts as not set: that is how compose files and shells unset things.
    pub(super) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// A word for each variable that begins like ours and is none. Others may share the prefix, so it is no error.
    pub(super) fn strangers(&self) -> Vec<String> {
        let known: Vec<String> = SETTINGS.iter().map(|setting| setting.variable()).collect();
        let names = self.0.keys().map(|name| name.to_string_lossy());
        let strange =
            names.filter(|name| name.starts_with(PREFIX) && !known.iter().any(|known| known == name));
        strange
            .map(|name| {
                match nearest(&name[PREFIX.len()..], known.iter().map(|known| &known[PREFIX.len()..])) {
                    Some(near) => format!("the variable {name} is unknown; did you mean {PREFIX}{near}?"),
                    None => format!("the variable {name} is unknown and has no effect"),
                }
            })
            .collect()
    }
}

/// A value as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    Text(String),
    List(Vec<String>),
}

/// One value and where it was set.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) written: Written,
    pub(super) source: Source,
    /// What a relative path in it is relative to.
    pub(super) folder: PathBuf,
}

/// What was set, the strongest source for each setting.
#[derive(Debug, Default)]
pub(super) struct Given(BTreeMap<&'static str, Value>);

impl Given {
    /// Adds a value, unless a stronger source has already set it.
    pub(super) fn add(&mut self, setting: &Setting, value: Value) {
        self.0.entry(setting.name).or_insert(value);
    }

    /// Adds what the environment sets.
    pub(super) fn add_variables(
        &mut self,
        environment: &Environment,
        cwd: &std::path::Path,
    ) -> Result<(), ConfigError> {
        for setting in SETTINGS {
            let set = setting.all_variables().into_iter().find(|name| environment.get(name).is_some());
            if let Some((name, value)) = set.and_then(|name| Some((name.clone(), environment.get(&name)?))) {
                let source = Source::Variable(name);
                let written = Written::Text(text(value, &source)?);
                self.add(setting, Value { written, source, folder: cwd.to_owned() });
            }
        }
        Ok(())
    }

    pub(super) fn get(&self, setting: &Setting) -> Option<&Value> {
        self.0.get(setting.name)
    }

    pub(super) fn switch(&self, setting: &Setting) -> Result<Option<bool>, ConfigError> {
        self.read(setting, |text| match text {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        })
    }

    pub(super) fn integer(&self, setting: &Setting) -> Result<Option<u64>, ConfigError> {
        let allowed: RangeInclusive<u64> = match &setting.kind {
            Kind::Integer(range) | Kind::Millis(range) => range.clone(),
            _ => 0..=u64::MAX,
        };
        self.read(setting, |text| text.parse().ok().filter(|number| allowed.contains(number)))
    }

    pub(super) fn millis(&self, setting: &Setting) -> Result<Option<Duration>, ConfigError> {
        Ok(self.integer(setting)?.map(Duration::from_millis))
    }

    pub(super) fn word<W: Word>(&self, setting: &Setting) -> Result<Option<W>, ConfigError> {
        self.read(setting, |text| W::from_word(text))
    }

    pub(super) fn text(&self, setting: &Setting) -> Result<Option<String>, ConfigError> {
        self.read(setting, |text| (!text.is_empty()).then(|| text.to_owned()))
    }

    pub(super) fn path(&self, setting: &Setting) -> Result<Option<PathBuf>, ConfigError> {
        let folder = self.get(setting).map(|value| value.folder.clone()).unwrap_or_default();
        self.read(setting, |text| (!text.is_empty()).then(|| folder.join(text)))
    }

    /// A list whose words are `known`, each once, in the order of `known`.
    pub(super) fn names<'a>(
        &self,
        setting: &Setting,
        known: &[&'a str],
    ) -> Result<Option<Vec<&'a str>>, ConfigError> {
        let Some(value) = self.get(setting) else { return Ok(None) };
        let asked = value.list();
        if let Some(stranger) = asked.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(refused(value, stranger, &crate::words::quoted(known.iter().copied(), "or"), known));
        }
        Ok(Some(known.iter().copied().filter(|name| asked.iter().any(|asked| asked == name)).collect()))
    }

    pub(super) fn words<W: Word>(&self, setting: &Setting) -> Result<Option<Vec<W>>, ConfigError> {
        let known: Vec<&str> = W::WORDS.iter().map(|(word, _)| *word).collect();
        let names = self.names(setting, &known)?;
        Ok(names.map(|names| names.into_iter().filter_map(W::from_word).collect()))
    }

    /// The value as `parse` understands its text.
    pub(super) fn read<T>(
        &self,
        setting: &Setting,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(value) = self.get(setting) else { return Ok(None) };
        let known = match setting.kind {
            Kind::OneOf(words) => words(),
            _ => Vec::new(),
        };
        match &value.written {
            Written::Text(text) => match parse(text.trim()) {
                Some(parsed) => Ok(Some(parsed)),
                None => Err(refused(value, text, &setting.kind.expected(), &known)),
            },
            Written::List(_) => Err(value.refuse(&setting.kind.expected())),
        }
    }
}

impl Value {
    /// Names separated by commas, or a list of the file.
    pub(super) fn list(&self) -> Vec<String> {
        let parts: Vec<&str> = match &self.written {
            Written::Text(text) => text.split(',').collect(),
            Written::List(items) => items.iter().map(String::as_str).collect(),
        };
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    /// A program's arguments.
    pub(super) fn arguments(&self) -> Vec<String> {
        match &self.written {
            Written::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
            Written::List(items) => items.clone(),
        }
    }

    /// That it is not what was expected.
    pub(super) fn refuse(&self, expected: &str) -> ConfigError {
        match &self.written {
            Written::Text(text) => refused(self, text, expected, &[]),
            Written::List(_) => ConfigError::BadValue {
                at: self.source.clone(),
                value: "a list".to_owned(),
                expected: expected.to_owned(),
                near: None,
            },
        }
    }
}

fn refused(value: &Value, typed: &str, expected: &str, known: &[&str]) -> ConfigError {
    ConfigError::BadValue {
        at: value.source.clone(),
        value: format!("{:?}", base::clip::head(typed, 100)),
        expected: expected.to_owned(),
        near: nearest(typed, known.iter().copied()).map(|near| format!("`{near}`")),
    }
}

/// The text of a flag or a variable.
pub(super) fn text(value: &OsStr, source: &Source) -> Result<String, ConfigError> {
    value.to_str().map(str::to_owned).ok_or_else(|| ConfigError::NotUnicode(source.clone()))
}
