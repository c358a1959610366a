//! A selector as Playwright code, so that an agent can write the test from what it did.

use std::fmt::Write as _;

use super::ast::{Regex, Selector, Step, TextMatch};
use super::role::{NameMatch, NameOperator, RoleQuery, Tristate};

/// The language of generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `page.getByRole('button', { name: 'Save' })`
    TypeScript,
    /// `page.get_by_role("button", name="Save")`
    Python,
}

/// An argument or option value.
enum Argument {
    Text(String),
    Regex(String, String),
    Word(String),
    Bool(bool),
}

impl Selector {
    /// The locator's code, to be put behind `page.`.
    pub fn code(&self, language: Language) -> String {
        let mut calls: Vec<String> = Vec::new();
        for step in self.steps() {
            calls.push(language.step(step, calls.is_empty()));
        }
        calls.join(".")
    }
}

impl Language {
    fn step(self, step: &Step, first: bool) -> String {
        match step {
            Step::Text(text) => self.by_text("getByText", text),
            Step::Label(text) => self.by_text("getByLabel", text),
            Step::TestId(text) => self.call("getByTestId", &[of_text(text)], Vec::new()),
            Step::Attribute(name, text) => match name.name() {
                "placeholder" => self.by_text("getByPlaceholder", text),
                "alt" => self.by_text("getByAltText", text),
                "title" => self.by_text("getByTitle", text),
                _ => self.locator(step),
            },
            Step::Role(query) => self.role(query),
            Step::Frame => self.property("contentFrame"),
            _ if first => self.locator(step),
            Step::Nth(0) => self.property("first"),
            Step::Nth(-1) => self.property("last"),
            Step::Nth(index) => self.call("nth", &[Argument::Word(index.to_string())], Vec::new()),
            Step::Visible(visible) => self.call("filter", &[], vec![("visible", Argument::Bool(*visible))]),
            Step::HasText(text) => self.filter_text("hasText", text, step),
            Step::HasNotText(text) => self.filter_text("hasNotText", text, step),
            Step::Has(inner) => self.call("filter", &[], vec![("has", self.inner(inner))]),
            Step::HasNot(inner) => self.call("filter", &[], vec![("hasNot", self.inner(inner))]),
            Step::And(inner) => self.call("and", &[self.inner(inner)], Vec::new()),
            Step::Or(inner) => self.call("or", &[self.inner(inner)], Vec::new()),
            Step::Chain(inner) => self.call("locator", &[self.inner(inner)], Vec::new()),
            Step::Css(_) | Step::XPath(_) | Step::OwnText(_) => self.locator(step),
        }
    }

    fn locator(self, step: &Step) -> String {
        self.call("locator", &[Argument::Text(step.to_string())], Vec::new())
    }

    fn inner(self, selector: &Selector) -> Argument {
        Argument::Word(format!("page.{}", selector.code(self)))
    }

    fn by_text(self, method: &str, text: &TextMatch) -> String {
        let exact = matches!(text, TextMatch::Exact(_));
        let options = if exact { vec![("exact", Argument::Bool(true))] } else { Vec::new() };
        self.call(method, &[of_text(text)], options)
    }

    /// The filters know no exact text; only the string form can say it.
    fn filter_text(self, option: &'static str, text: &TextMatch, step: &Step) -> String {
        if matches!(text, TextMatch::Exact(_)) {
            return self.locator(step);
        }
        self.call("filter", &[], vec![(option, of_text(text))])
    }

    fn role(self, query: &RoleQuery) -> String {
        let mut options = Vec::new();
        let exact = [&query.name, &query.description].into_iter().flatten().any(is_exact);
        for (option, value) in [("name", &query.name), ("description", &query.description)] {
            options.extend(value.as_ref().map(|value| (option, of_name(value, exact))));
        }
        if exact {
            options.push(("exact", Argument::Bool(true)));
        }
        for (option, value) in [("checked", query.checked), ("pressed", query.pressed)] {
            options.extend(value.map(|value| (option, of_tristate(value))));
        }
        for (option, value) in
            [("disabled", query.disabled), ("expanded", query.expanded), ("selected", query.selected)]
        {
            options.extend(value.map(|value| (option, Argument::Bool(value))));
        }
        options.extend(query.level.map(|level| ("level", Argument::Word(level.to_string()))));
        options.extend(query.include_hidden.then_some(("includeHidden", Argument::Bool(true))));
        self.call("getByRole", &[Argument::Text(query.role.clone())], options)
    }

    /// Python has these without brackets.
    fn property(self, name: &str) -> String {
        match self {
            Self::TypeScript => format!("{name}()"),
            Self::Python => snake(name),
        }
    }

    fn call(self, method: &str, positional: &[Argument], named: Vec<(&str, Argument)>) -> String {
        let mut arguments: Vec<String> = positional.iter().map(|argument| self.argument(argument)).collect();
        let named = named.into_iter().map(|(name, value)| match self {
            Self::TypeScript => format!("{name}: {}", self.argument(&value)),
            Self::Python => format!("{}={}", snake(name), self.argument(&value)),
        });
        let named: Vec<String> = named.collect();
        match self {
            Self::TypeScript if named.is_empty() => {}
            Self::TypeScript => arguments.push(format!("{{ {} }}", named.join(", "))),
            Self::Python => arguments.extend(named),
        }
        let name = match (self, method) {
            (Self::TypeScript, _) => method.to_owned(),
            // Keywords of Python.
            (Self::Python, "and" | "or") => format!("{method}_"),
            (Self::Python, _) => snake(method),
        };
        format!("{name}({})", arguments.join(", "))
    }

    fn argument(self, argument: &Argument) -> String {
        match (self, argument) {
            (_, Argument::Word(word)) => word.clone(),
            (Self::TypeScript, Argument::Bool(value)) => value.to_string(),
            (Self::Python, Argument::Bool(true)) => "True".to_owned(),
            (Self::Python, Argument::Bool(false)) => "False".to_owned(),
            (Self::TypeScript, Argument::Text(text)) => quoted(text, '\''),
            (Self::Python, Argument::Text(text)) => quoted(text, '"'),
            (Self::TypeScript, Argument::Regex(source, flags)) => format!("/{source}/{flags}"),
            (Self::Python, Argument::Regex(source, flags)) => python_regex(source, flags),
        }
    }
}

fn of_text(text: &TextMatch) -> Argument {
    match text {
        TextMatch::Substring(text) | TextMatch::Exact(text) => Argument::Text(text.clone()),
        TextMatch::Regex(regex) => of_regex(regex),
    }
}

fn of_regex(regex: &Regex) -> Argument {
    Argument::Regex(regex.source().to_owned(), regex.flags().to_owned())
}

fn is_exact(name: &NameMatch) -> bool {
    matches!(name, NameMatch::Text { operator: NameOperator::Equals, ignore_case: false, .. })
}

/// `getByRole` knows contained and exact; the other operators of `role=` become regular expressions.
fn of_name(name: &NameMatch, exact: bool) -> Argument {
    let (operator, text, ignore_case) = match name {
        NameMatch::Regex(regex) => return of_regex(regex),
        NameMatch::Text { operator, text, ignore_case } => (*operator, text, *ignore_case),
    };
    let plain = match operator {
        NameOperator::Equals => !ignore_case,
        NameOperator::Contains => ignore_case && !exact,
        _ => false,
    };
    if plain {
        return Argument::Text(text.clone());
    }
    let escaped = escaped_for_regex(text);
    let source = match operator {
        NameOperator::Equals => format!("^{escaped}$"),
        NameOperator::Contains => escaped,
        NameOperator::StartsWith => format!("^{escaped}"),
        NameOperator::EndsWith => format!("{escaped}$"),
        NameOperator::Word => format!("(^|\\s){escaped}(\\s|$)"),
        NameOperator::Dash => format!("^{escaped}(-|$)"),
    };
    Argument::Regex(source, if ignore_case { "i" } else { "" }.to_owned())
}

fn of_tristate(state: Tristate) -> Argument {
    match state {
        Tristate::True => Argument::Bool(true),
        Tristate::False => Argument::Bool(false),
        Tristate::Mixed => Argument::Text("mixed".to_owned()),
    }
}

fn escaped_for_regex(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if ".*+?^${}()|[]\\/".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A string literal that TypeScript and Python read alike.
pub(crate) fn quoted(text: &str, quote: char) -> String {
    let mut literal = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if c == quote => literal.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(literal, "\\u{:04x}", u32::from(c));
            }
            c => literal.push(c),
        }
    }
    literal.push(quote);
    literal
}

fn python_regex(source: &str, flags: &str) -> String {
    // Between slashes the slash is escaped; Python has none.
    let source = source.replace("\\/", "/");
    let literal = if source.contains('"') { quoted(&source, '"') } else { format!("r\"{source}\"") };
    let names = flags.chars().filter_map(|flag| match flag {
        'i' => Some("re.IGNORECASE"),
        'm' => Some("re.MULTILINE"),
        's' => Some("re.DOTALL"),
        _ => None,
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        format!("re.compile({literal})")
    } else {
        format!("re.compile({literal}, {})", names.join(" | "))
    }
}

pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
