//! The canonical string of a selector: parses back to the same value, and Playwright understands it too.

use std::fmt;

use super::ast::{Regex, Selector, Step, TextMatch};
use super::engines::ATTRIBUTE_ENGINES;
use super::quote::{to_css, to_json};
use super::role::{NameMatch, RoleQuery};

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps().iter().enumerate() {
            if index > 0 {
                f.write_str(" >> ")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Css(list) => write!(f, "{list}"),
            Self::XPath(path) => write!(f, "xpath={path}"),
            Self::Text(TextMatch::Substring(text)) if is_plain(text) => write!(f, "text={text}"),
            Self::Text(TextMatch::Regex(regex)) => write!(f, "text={regex}"),
            Self::Text(text) => write!(f, "internal:text={}", flagged(text)),
            Self::OwnText(text) => write!(f, "text={}", to_css(text)),
            Self::Attribute(name, TextMatch::Exact(value))
                if ATTRIBUTE_ENGINES.contains(&name.name()) && is_plain(value) =>
            {
                write!(f, "{}={value}", name.name())
            }
            Self::Attribute(name, value) => write!(f, "internal:attr=[{}={}]", name.name(), bracketed(value)),
            Self::TestId(value) => write!(f, "internal:testid=[data-testid={}]", bracketed(value)),
            Self::Role(query) => write!(f, "role={query}"),
            Self::Label(text) => write!(f, "internal:label={}", flagged(text)),
            Self::Nth(index) => write!(f, "nth={index}"),
            Self::Visible(visible) => write!(f, "visible={visible}"),
            Self::HasText(text) => write!(f, "internal:has-text={}", flagged(text)),
            Self::HasNotText(text) => write!(f, "internal:has-not-text={}", flagged(text)),
            Self::Has(inner) => write!(f, "internal:has={}", to_json(&inner.to_string())),
            Self::HasNot(inner) => write!(f, "internal:has-not={}", to_json(&inner.to_string())),
            Self::And(inner) => write!(f, "internal:and={}", to_json(&inner.to_string())),
            Self::Or(inner) => write!(f, "internal:or={}", to_json(&inner.to_string())),
            Self::Chain(inner) => write!(f, "internal:chain={}", to_json(&inner.to_string())),
            Self::Frame => f.write_str("internal:control=enter-frame"),
        }
    }
}

/// Whether a text can stand without quotes.
fn is_plain(text: &str) -> bool {
    let literal = text.starts_with(['"', '\'', '/']);
    !text.is_empty()
        && !literal
        && text.trim() == text
        && !text.contains(">>")
        && !text.contains(char::is_control)
}

fn flagged(text: &TextMatch) -> String {
    match text {
        TextMatch::Substring(text) => to_json(text) + "i",
        TextMatch::Exact(text) => to_json(text) + "s",
        TextMatch::Regex(regex) => regex.to_string(),
    }
}

fn bracketed(text: &TextMatch) -> String {
    match text {
        TextMatch::Substring(text) => to_css(text) + "i",
        TextMatch::Exact(text) => to_css(text) + "s",
        TextMatch::Regex(regex) => regex.to_string(),
    }
}

impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/{}", self.source(), self.flags())
    }
}

impl fmt::Display for RoleQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.role)?;
        for (attribute, value) in [("name", &self.name), ("description", &self.description)] {
            match value {
                None => {}
                Some(NameMatch::Regex(regex)) => write!(f, "[{attribute}={regex}]")?,
                Some(NameMatch::Text { operator, text, ignore_case }) => {
                    let flag = if *ignore_case { "i" } else { "" };
                    write!(f, "[{attribute}{}{}{flag}]", operator.sign(), to_css(text))?;
                }
            }
        }
        for (state, value) in [("checked", self.checked), ("pressed", self.pressed)] {
            if let Some(value) = value {
                write!(f, "[{state}={}]", value.word())?;
            }
        }
        for (state, value) in
            [("disabled", self.disabled), ("expanded", self.expanded), ("selected", self.selected)]
        {
            if let Some(value) = value {
                write!(f, "[{state}={value}]")?;
            }
        }
        if let Some(level) = self.level {
            write!(f, "[level={level}]")?;
        }
        if self.include_hidden {
            f.write_str("[include-hidden=true]")?;
        }
        Ok(())
    }
}
