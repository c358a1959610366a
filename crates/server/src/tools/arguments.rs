//! The check of a call's arguments, with refusals that heal: which argument, what was expected, what came, and the
//! nearest right one (A-design, "Invalid Input").
//!
//! It is lenient where the meaning is certain (another spelling of a name, `null` for absent, `5.0` for 5, an
//! `options` object around the optional ones) and strict elsewhere: an argument that is silently ignored misleads.

use serde_json::{Map, Value};

use super::shape::{Field, Fields, Shape, whole};
use super::tool::Args;
use super::{Cap, ErrorCode, Failure, Word};
use crate::words::{fold, nearest, quoted};

/// The arguments are not what the tool takes; nothing was done.
pub(crate) const INVALID_INPUT: ErrorCode = ErrorCode::new(
    "invalid_input",
    "the arguments are not what the tool takes; nothing was done; `field`, `expected` and `received` say what to change",
);

/// How much of a name that is not ours is repeated.
const LONGEST_NAME: usize = 60;

/// What a tool takes, with the options that the server runs with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameters {
    pub(super) fields: Fields,
    /// Arguments that a cap would switch on.
    pub(super) hidden: Vec<(&'static str, Cap)>,
    /// Other names of arguments, with what each means.
    pub(super) aliases: &'static [(&'static str, &'static str)],
}

/// One thing wrong with the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Problem {
    field: String,
    expected: String,
    received: String,
    message: String,
    remedy: Option<String>,
}

/// What is wrong with the arguments. Only the first few are told, more are not read anyway; the rest is counted, so
/// that a million mistakes cost no more than eight.
#[derive(Debug, Default)]
struct Problems {
    told: Vec<Problem>,
    more: usize,
}

impl Problems {
    const MOST_TOLD: usize = 8;

    fn push(&mut self, problem: impl FnOnce() -> Problem) {
        if self.told.len() < Self::MOST_TOLD {
            self.told.push(problem());
        } else {
            self.more += 1;
        }
    }

    fn count(&self) -> usize {
        self.told.len() + self.more
    }
}

impl Parameters {
    /// The arguments in the schema's own spelling.
    ///
    /// # Errors
    /// `invalid_input`, with every problem that was found, so that one more call suffices.
    pub(super) fn check(&self, given: Map<String, Value>) -> Result<Args, Failure> {
        let mut problems = Problems::default();
        let flat = self.flattened(given);
        let checked = self.fields(&self.fields, flat, "", &mut problems);
        if problems.count() == 0 { Ok(Args::checked(checked)) } else { Err(refusal(problems)) }
    }

    /// `{"selector": …, "options": {"timeout": …}}` as flat arguments (C4.5, C5.5).
    fn flattened(&self, mut given: Map<String, Value>) -> Vec<(String, Value)> {
        let wraps = |value: &Value| value.is_object() || value.is_null();
        if self.fields.find("options").is_some() || !given.get("options").is_some_and(wraps) {
            return given.into_iter().collect();
        }
        let wrapped = given.shift_remove("options");
        let wrapped = wrapped.and_then(|options| options.as_object().cloned()).unwrap_or_default();
        given.into_iter().chain(wrapped).collect()
    }

    /// The field that `name` means, in any spelling or by an alias.
    fn find<'a>(&self, fields: &'a Fields, name: &str) -> Option<&'a Field> {
        let meant = || {
            let folded = fold(name);
            let mut aliases = self.aliases.iter().filter(|(alias, _)| fold(alias) == folded);
            aliases.find_map(|(_, meant)| fields.find(meant))
        };
        fields.find(name).or_else(meant)
    }

    fn fields(
        &self,
        fields: &Fields,
        given: impl IntoIterator<Item = (String, Value)>,
        at: &str,
        problems: &mut Problems,
    ) -> Map<String, Value> {
        let mut found: Map<String, Value> = Map::new();
        let mut refused: Vec<&str> = Vec::new();
        for (name, value) in given {
            match self.find(fields, &name) {
                None => problems.push(|| self.unknown(fields, &name, at)),
                // Absent, unless `null` is what a field that takes anything was given.
                Some(field) if value.is_null() && !(field.required && field.shape == Shape::Anything) => {}
                Some(field) => {
                    let value = self.value(&field.shape, value, &path(at, &field.name), problems);
                    refused.extend(value.is_none().then_some(field.name.as_str()));
                    match found.get(&field.name) {
                        Some(other) if Some(other) != value.as_ref() => {
                            problems.push(|| given_twice(&path(at, &field.name)));
                        }
                        _ => found.extend(value.map(|value| (field.name.clone(), value))),
                    }
                }
            }
        }
        let told = |field: &Field| found.contains_key(&field.name) || refused.contains(&field.name.as_str());
        for field in fields.iter().filter(|field| field.required && !told(field)) {
            problems.push(|| missing(field, at));
        }
        found
    }

    /// The value as its field's type takes it; `None` when it is refused.
    fn value(&self, shape: &Shape, value: Value, at: &str, problems: &mut Problems) -> Option<Value> {
        let before = problems.count();
        let taken = match (shape, value) {
            (Shape::Anything, value) => value,
            (Shape::Boolean, value @ Value::Bool(_)) => value,
            (Shape::Integer(range), value) if whole(&value).is_some_and(|number| range.contains(&number)) => {
                integral(value)
            }
            (Shape::Number(range), value @ Value::Number(_))
                if value.as_f64().is_some_and(|number| range.contains(&number)) =>
            {
                value
            }
            (Shape::Text { length }, Value::String(text))
                if length.contains(&(text.chars().count() as u64)) =>
            {
                text.into()
            }
            (Shape::Choice(words), Value::String(word)) if words.contains(&word) => word.into(),
            (Shape::List { of, length }, Value::Array(items)) if length.contains(&(items.len() as u64)) => {
                let items = items.into_iter().enumerate();
                items.filter_map(|(n, item)| self.value(of, item, &format!("{at}[{n}]"), problems)).collect()
            }
            (Shape::Table(of), Value::Object(entries)) => {
                let entries = entries.into_iter();
                let checked = entries.filter_map(|(key, item)| {
                    let item =
                        self.value(of, item, &path(at, &base::clip::head(&key, LONGEST_NAME)), problems)?;
                    Some((key, item))
                });
                Value::Object(checked.collect())
            }
            (Shape::Object(fields), Value::Object(given)) => self.fields(fields, given, at, problems).into(),
            (Shape::Either(parts), value) => match self.first_that_takes(parts, &value, at) {
                Some(value) => value,
                None => {
                    problems.push(|| refused(shape, &value, at));
                    return None;
                }
            },
            (shape, value) => {
                problems.push(|| refused(shape, &value, at));
                return None;
            }
        };
        (problems.count() == before).then_some(taken)
    }

    fn first_that_takes(&self, parts: &[Shape], value: &Value, at: &str) -> Option<Value> {
        parts.iter().find_map(|part| self.value(part, value.clone(), at, &mut Problems::default()))
    }

    fn unknown(&self, fields: &Fields, name: &str, at: &str) -> Problem {
        let field = path(at, &base::clip::head(name, LONGEST_NAME));
        let gated = |gated: &str| at.is_empty() && fold(gated) == fold(name);
        let hidden = self.hidden.iter().find(|(name, _)| gated(name));
        let (hint, remedy) = match (hidden, nearest(name, fields.names())) {
            (Some((_, cap)), _) => (
                format!(", which exists only when the server runs with `--caps {}`", cap.word()),
                format!("remove `{field}`"),
            ),
            (None, Some(near)) => {
                let near = path(at, near);
                (format!("; did you mean `{near}`?"), format!("rename `{field}` to `{near}`"))
            }
            (None, None) => (String::new(), format!("remove `{field}`")),
        };
        let known = quoted(fields.names(), "and");
        Problem {
            message: format!("unknown argument `{field}`{hint} (known: {known})"),
            expected: format!("one of {known}"),
            received: field.clone(),
            remedy: Some(remedy),
            field,
        }
    }
}

/// The refusal of one argument, for what only a handler can know: `scope: "file"` needs a `target`.
pub(crate) fn invalid(field: &str, expected: &str, received: Option<&Value>) -> Failure {
    let received = received.map_or_else(|| "undefined".to_owned(), described);
    let message = format!("`{field}` must be {expected}, not {received}");
    let (field, expected) = (field.to_owned(), expected.to_owned());
    refusal(Problems { told: vec![Problem { field, expected, received, message, remedy: None }], more: 0 })
}

/// `5.0` as 5, which is what an integer's type parses.
fn integral(value: Value) -> Value {
    let number = whole(&value);
    let unsigned = number.and_then(|number| u64::try_from(number).ok()).map(Value::from);
    unsigned
        .or_else(|| number.and_then(|number| i64::try_from(number).ok()).map(Value::from))
        .unwrap_or(value)
}

fn path(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

fn missing(field: &Field, at: &str) -> Problem {
    let name = path(at, &field.name);
    Problem {
        message: format!("`{name}` is required: {}", field.shape),
        expected: field.shape.to_string(),
        received: "undefined".to_owned(),
        remedy: Some(format!("add `{name}`")),
        field: name,
    }
}

fn given_twice(field: &str) -> Problem {
    Problem {
        message: format!("`{field}` is given twice, with different values"),
        expected: "one value".to_owned(),
        received: "two values".to_owned(),
        remedy: Some(format!("give `{field}` once")),
        field: field.to_owned(),
    }
}

fn refused(shape: &Shape, value: &Value, field: &str) -> Problem {
    let (expected, received) = (shape.to_string(), described(value));
    let near = match (shape, value) {
        (Shape::Choice(words), Value::String(typed)) => nearest(typed, words.iter().map(String::as_str)),
        _ => None,
    };
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Problem {
        message: format!("`{field}` must be {expected}, not {received}{hint}"),
        remedy: near.map(|near| format!("use `{near}` for `{field}`")),
        field: field.to_owned(),
        expected,
        received,
    }
}

/// What came, by type and value, in a few characters.
fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("boolean {value}"),
        Value::Number(value) => format!("number {value}"),
        Value::String(text) => format!("string {:?}", base::clip::head(text, 60)),
        Value::Array(items) => format!("array of {} item(s)", items.len()),
        Value::Object(_) => "object".to_owned(),
    }
}

/// All problems in one message; the first one's facts where seed A shows them.
fn refusal(Problems { told: problems, more }: Problems) -> Failure {
    let mut messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let rest = format!("and {more} more");
    if more > 0 {
        messages.push(&rest);
    }
    let mut failure = Failure::new(INVALID_INPUT, messages.join("; "));
    if let Some(first) = problems.first() {
        failure = failure
            .fact("field", first.field.as_str())
            .fact("expected", first.expected.as_str())
            .fact("received", first.received.as_str());
    }
    if problems.len() > 1 {
        let each = |p: &Problem| serde_json::json!({"field": p.field, "expected": p.expected, "received": p.received});
        failure = failure.detail("problems", problems.iter().map(each).collect::<Vec<_>>());
    }
    let remedies: Vec<&str> = problems.iter().filter_map(|problem| problem.remedy.as_deref()).collect();
    if remedies.is_empty() { failure } else { failure.suggest(remedies.join("; ")) }
}

#[cfg(test)]
mod tests;
