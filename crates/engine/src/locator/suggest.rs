//! What to write instead of what was refused.

use super::call::method_names;
use super::css::{JQUERY, near_extension};
use super::engines;
use super::refusal::Reason;
use super::roles;

/// The advice for a refusal, if there is any beyond the refusal itself.
pub(super) fn for_reason(reason: &Reason) -> Option<String> {
    match reason {
        Reason::Empty => Some("write CSS, text=…, role=…, //xpath or getByRole('…')".to_owned()),
        Reason::Unclosed { sign } => Some(format!("close it with `{}`", closing(*sign))),
        Reason::UnknownEngine { name } => Some(for_engine(name)),
        Reason::UnknownPseudoClass { name } => for_pseudo_class(name),
        Reason::LayoutPseudoClass { .. } => {
            Some("describe the element by its role, label or container instead, such as :has()".to_owned())
        }
        Reason::PseudoElement { .. } => Some("address the element that it belongs to".to_owned()),
        Reason::UnknownRole { name } => for_role(name),
        Reason::UnknownMethod { name } => for_method(name),
        Reason::BadRegex { .. } => Some("a text that begins with a slash goes in quotes".to_owned()),
        Reason::NotEqual => Some("write `:not([name=\"value\"])`".to_owned()),
        Reason::CaptureWithoutEngine { name } => Some(format!("write `*css={name}` to capture it")),
        Reason::Expected { what: "a name", found } if found.contains(|c: char| c.is_ascii_digit()) => {
            Some("an id or class that begins with a digit is `[id=\"1…\"]` or `[class~=\"1…\"]`".to_owned())
        }
        Reason::Expected { what: "a CSS selector", found } if found == "`<`" => {
            Some("write the tag's name without angle brackets".to_owned())
        }
        _ => None,
    }
}

fn closing(sign: char) -> char {
    match sign {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        quote => quote,
    }
}

fn for_engine(name: &str) -> String {
    let attribute = ["name", "class", "type", "href", "value", "for", "src", "aria-label", "data-cy"];
    if name == "aria-ref" || name == "ref" {
        return "pass the snapshot's ref as `ref`, not as a selector".to_owned();
    }
    if let Some(plain) = name.strip_suffix(":light") {
        return format!("write `{plain}=`: open shadow roots are always searched");
    }
    if name == "placeholder" || name == "alt" || name == "title" || name == "label" {
        return format!(
            "write getBy{}('…')",
            if name == "alt" { "AltText".to_owned() } else { capital(name) }
        );
    }
    if attribute.contains(&name) || name.starts_with("data-") || name.starts_with("aria-") {
        return format!("for an attribute write `[{name}=\"…\"]`");
    }
    let known = engines::names();
    match nearest(name, known.clone()) {
        Some(engine) => format!("did you mean `{engine}=`?"),
        None => format!(
            "engines are {}; a text with `=` in it is text=\"…\"",
            known.collect::<Vec<_>>().join(", ")
        ),
    }
}

fn for_pseudo_class(name: &str) -> Option<String> {
    let jquery =
        JQUERY.iter().find(|(jquery, _)| *jquery == name).map(|(_, instead)| format!("write {instead}"));
    jquery.or_else(|| {
        near_extension(name).map(|extension| format!("write `:{extension}{}`", arguments(extension)))
    })
}

fn arguments(extension: &str) -> &'static str {
    match extension {
        "visible" => "",
        "nth-match" => "(selector, n)",
        _ => "(\"…\")",
    }
}

fn for_role(name: &str) -> Option<String> {
    let meant = roles::MEANT.iter().find(|(word, _)| *word == name).map(|(_, role)| *role);
    match meant.or_else(|| nearest(name, roles::ALL.iter().copied())) {
        Some(advice) if advice.contains(' ') => Some(advice.to_owned()),
        Some(role) => Some(format!("did you mean `{role}`?")),
        None => Some("for an element by tag write CSS".to_owned()),
    }
}

fn for_method(name: &str) -> Option<String> {
    match name {
        "$" | "$$" | "jQuery" | "querySelector" | "querySelectorAll" | "cy" | "document" => {
            Some("write the CSS selector itself".to_owned())
        }
        "getByClass" | "getByClassName" | "getById" | "getByCss" | "getBySelector" | "getByXPath" => {
            Some("write locator('…') with the CSS or XPath".to_owned())
        }
        _ => nearest(name, method_names()).map(|method| format!("did you mean `{method}`?")),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

/// The known word that a misspelt one is closest to, unless none is close.
fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let close = |candidate: &&str| strsim::damerau_levenshtein(word, candidate) <= 1 + word.len() / 5;
    known.filter(close).min_by_key(|candidate| strsim::damerau_levenshtein(word, candidate))
}
