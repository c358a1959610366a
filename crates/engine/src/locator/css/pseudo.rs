//! Pseudo-classes: Playwright's become values, the browser's stay text, jQuery's and the layout ones are refused.

use super::parse::{ident, list};
use super::{Compound, PseudoClass};
use crate::locator::ast::Regex;
use crate::locator::cursor::Cursor;
use crate::locator::quote;
use crate::locator::refusal::{Reason, SelectorRefused};

/// Pseudo-classes that browsers lack and this crate has, for "did you mean".
const EXTENSIONS: &[&str] = &["has-text", "text", "text-is", "text-matches", "visible", "nth-match"];

/// Playwright's pseudo-classes that depend on where elements are painted.
const LAYOUT: &[&str] = &["right-of", "left-of", "above", "below", "near"];

/// jQuery's pseudo-classes, and what to write instead.
pub(in crate::locator) const JQUERY: &[(&str, &str)] = &[
    ("contains", "`:has-text(\"…\")`, or `:text(\"…\")` for the smallest element"),
    ("icontains", "`:has-text(\"…\")`"),
    ("eq", "` >> nth=N` behind the selector"),
    ("first", "` >> nth=0` behind the selector"),
    ("last", "` >> nth=-1` behind the selector"),
    ("even", "`:nth-child(odd)`, which counts from one"),
    ("odd", "`:nth-child(even)`, which counts from one"),
    ("lt", "` >> nth=N` behind the selector"),
    ("gt", "` >> nth=N` behind the selector"),
    ("hidden", "`:not(:visible)`"),
    ("input", "`:is(input, textarea, select, button)`"),
    ("button", "`:is(button, input[type=button])`, or `role=button`"),
    ("submit", "`[type=submit]`"),
    ("reset", "`[type=reset]`"),
    ("checkbox", "`[type=checkbox]`, or `role=checkbox`"),
    ("radio", "`[type=radio]`, or `role=radio`"),
    ("text-contains", "`:has-text(\"…\")`"),
    ("password", "`[type=password]`"),
    ("file", "`[type=file]`"),
    ("image", "`[type=image]`"),
    ("selected", "`:checked`"),
    ("header", "`:is(h1, h2, h3, h4, h5, h6)`, or `role=heading`"),
    ("parent", "`:not(:empty)`"),
    ("light", "leave it out: open shadow roots are always searched"),
];

/// Reads the pseudo-class at the colon into `compound`.
pub(super) fn read(cursor: &mut Cursor<'_>, compound: &mut Compound) -> Result<(), SelectorRefused> {
    let start = cursor.at();
    cursor.next();
    if cursor.eat(":") {
        let name = ident(cursor).unwrap_or_default().to_owned();
        return Err(cursor.refuse_at(start, Reason::PseudoElement { name }));
    }
    let name = ident(cursor).ok_or_else(|| cursor.expected("a pseudo-class"))?;
    let call = cursor.eat("(");
    let extension = match (name, call) {
        ("is" | "where" | "matches" | "any", true) => PseudoClass::Is(list(cursor)?),
        ("not", true) => PseudoClass::Not(list(cursor)?),
        ("has", true) => PseudoClass::Has(list(cursor)?),
        ("nth-match", true) => nth_match(cursor)?,
        ("has-text", true) => PseudoClass::HasText(text(cursor, "has-text")?),
        ("text", true) => PseudoClass::Text(text(cursor, "text")?),
        ("text-is", true) => PseudoClass::TextIs(text(cursor, "text-is")?),
        ("text-matches", true) => PseudoClass::TextMatches(regex(cursor)?),
        ("visible", false) => PseudoClass::Visible,
        ("scope", false) => PseudoClass::Scope,
        _ => return native(cursor, start, name, call, compound),
    };
    if call {
        cursor.skip_space();
        close(cursor, start)?;
    }
    compound.pseudo.push(extension);
    Ok(())
}

/// One that the browser knows, or nobody does.
fn native(
    cursor: &mut Cursor<'_>,
    start: usize,
    name: &str,
    call: bool,
    compound: &mut Compound,
) -> Result<(), SelectorRefused> {
    let name = name.to_owned();
    if call && LAYOUT.contains(&name.as_str()) {
        return Err(cursor.refuse_at(start, Reason::LayoutPseudoClass { name }));
    }
    let misspelt = EXTENSIONS.contains(&name.as_str()) || near_extension(&name).is_some();
    if misspelt || JQUERY.iter().any(|(jquery, _)| *jquery == name) {
        return Err(cursor.refuse_at(start, Reason::UnknownPseudoClass { name }));
    }
    if call {
        skip_arguments(cursor, start)?;
        close(cursor, start)?;
    }
    compound.native.push_str(cursor.since(start));
    Ok(())
}

/// The extension that a name without standing was probably meant to be: `:hastext`, `:hasText`, `:text_is`.
pub(in crate::locator) fn near_extension(name: &str) -> Option<&'static str> {
    let bare = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
    EXTENSIONS.iter().copied().find(|extension| bare(extension) == bare(name))
}

fn close(cursor: &mut Cursor<'_>, start: usize) -> Result<(), SelectorRefused> {
    if cursor.is_done() {
        return Err(cursor.refuse_at(start, Reason::Unclosed { sign: '(' }));
    }
    cursor.expect(")", "`)`")
}

fn skip_arguments(cursor: &mut Cursor<'_>, start: usize) -> Result<(), SelectorRefused> {
    let mut depth = 0usize;
    loop {
        match cursor.peek() {
            None => return Err(cursor.refuse_at(start, Reason::Unclosed { sign: '(' })),
            Some('"' | '\'') => {
                cursor.skip_string()?;
                continue;
            }
            Some('(') => depth += 1,
            Some(')') if depth == 0 => return Ok(()),
            Some(')') => depth -= 1,
            Some(_) => {}
        }
        cursor.next();
    }
}

/// A text argument. Without quotes, all up to the closing bracket is meant.
fn text(cursor: &mut Cursor<'_>, name: &'static str) -> Result<String, SelectorRefused> {
    cursor.skip_space();
    if let Some('"' | '\'') = cursor.peek() {
        return quote::css_string(cursor);
    }
    let start = cursor.at();
    skip_arguments(cursor, start.saturating_sub(1))?;
    let text = cursor.since(start).trim();
    if text.is_empty() {
        return Err(cursor.refuse_at(start, Reason::BadArgument { name, takes: "a text in quotes" }));
    }
    Ok(text.to_owned())
}

/// `"source"` or `"source", "flags"`, or a regular expression between slashes.
fn regex(cursor: &mut Cursor<'_>) -> Result<Regex, SelectorRefused> {
    const TAKES: &str = "a regular expression in quotes and, in a second string, its flags";
    cursor.skip_space();
    let start = cursor.at();
    if cursor.looking_at("/") {
        return cursor.regex();
    }
    if !matches!(cursor.peek(), Some('"' | '\'')) {
        return Err(cursor.refuse(Reason::BadArgument { name: "text-matches", takes: TAKES }));
    }
    let source = quote::css_string(cursor)?;
    cursor.skip_space();
    let mut flags = String::new();
    if cursor.eat(",") {
        cursor.skip_space();
        if !matches!(cursor.peek(), Some('"' | '\'')) {
            return Err(cursor.refuse(Reason::BadArgument { name: "text-matches", takes: TAKES }));
        }
        flags = quote::css_string(cursor)?;
    }
    Regex::new(&source, &flags)
        .ok_or_else(|| cursor.refuse_at(start, Reason::BadRegex { text: cursor.since(start).to_owned() }))
}

/// `list, n`: the comma before the number is the list's to stumble over, so the list is read up to the last comma.
fn nth_match(cursor: &mut Cursor<'_>) -> Result<PseudoClass, SelectorRefused> {
    const TAKES: &str = "a selector and a number from 1";
    let start = cursor.at();
    skip_arguments(cursor, start.saturating_sub(1))?;
    let end = cursor.at();
    let refused = || Reason::BadArgument { name: "nth-match", takes: TAKES };
    let (selector, number) =
        cursor.since(start).rsplit_once(',').ok_or_else(|| cursor.refuse_at(start, refused()))?;
    let number = number.trim().parse().ok().filter(|number| *number > 0);
    let number = number.ok_or_else(|| cursor.refuse_at(start + selector.len() + 1, refused()))?;
    let list = list(&mut cursor.within(start, start + selector.len()))?;
    cursor.go_to(end);
    Ok(PseudoClass::NthMatch(list, number))
}
