//! A method call as each language writes it.

use crate::locator::{Language, quoted, snake};

/// A call that is being written.
pub(super) struct Call {
    method: &'static str,
    positional: Vec<Value>,
    named: Vec<(&'static str, Value)>,
}

/// An argument.
pub(super) enum Value {
    Text(String),
    Number(f64),
    Bool(bool),
    List(Vec<Value>),
    Object(Vec<(&'static str, Value)>),
    /// Code that is written already.
    Code(String),
}

impl Call {
    pub(super) fn new(method: &'static str) -> Self {
        Self { method, positional: Vec::new(), named: Vec::new() }
    }

    pub(super) fn with(mut self, value: Value) -> Self {
        self.positional.push(value);
        self
    }

    pub(super) fn text(self, text: &str) -> Self {
        self.with(Value::Text(text.to_owned()))
    }

    /// An option, if it is not the usual.
    pub(super) fn option(mut self, name: &'static str, value: Option<Value>) -> Self {
        self.named.extend(value.map(|value| (name, value)));
        self
    }

    /// The whole line: the call of a method of `on`.
    pub(super) fn line(self, on: &str, language: Language) -> String {
        let call = self.code(language);
        match language {
            Language::TypeScript => format!("await {on}.{call};"),
            Language::Python => format!("{on}.{call}"),
        }
    }

    pub(super) fn code(self, language: Language) -> String {
        let mut arguments: Vec<String> =
            self.positional.into_iter().map(|value| value.code(language)).collect();
        match language {
            Language::TypeScript if self.named.is_empty() => {}
            Language::TypeScript => arguments.push(Value::Object(self.named).code(language)),
            Language::Python => arguments.extend(
                self.named
                    .into_iter()
                    .map(|(name, value)| format!("{}={}", snake(name), value.code(language))),
            ),
        }
        let method = match language {
            Language::TypeScript => self.method.to_owned(),
            Language::Python => snake(self.method),
        };
        format!("{method}({})", arguments.join(", "))
    }
}

impl Value {
    fn code(self, language: Language) -> String {
        match (self, language) {
            (Self::Text(text), Language::TypeScript) => quoted(&text, '\''),
            (Self::Text(text), Language::Python) => quoted(&text, '"'),
            (Self::Number(number), _) => number.to_string(),
            (Self::Bool(value), Language::TypeScript) => value.to_string(),
            (Self::Bool(value), Language::Python) => if value { "True" } else { "False" }.to_owned(),
            (Self::List(values), _) => {
                let values: Vec<String> = values.into_iter().map(|value| value.code(language)).collect();
                format!("[{}]", values.join(", "))
            }
            (Self::Object(entries), _) => {
                let entries = entries.into_iter().map(|(name, value)| match language {
                    Language::TypeScript => format!("{name}: {}", value.code(language)),
                    Language::Python => format!("{}: {}", quoted(name, '"'), value.code(language)),
                });
                let entries: Vec<String> = entries.collect();
                match language {
                    Language::TypeScript => format!("{{ {} }}", entries.join(", ")),
                    Language::Python => format!("{{{}}}", entries.join(", ")),
                }
            }
            (Self::Code(code), _) => code,
        }
    }
}

/// One value alone, several as a list.
pub(super) fn one_or_list(mut values: Vec<Value>) -> Value {
    match values.pop() {
        Some(only) if values.is_empty() => only,
        last => {
            values.extend(last);
            Value::List(values)
        }
    }
}
