//! The grammar of Selectors 4 as far as it must be understood: lists, combinators, compounds, attributes.

use super::pseudo;
use super::{Combinator, Complex, Compound, CssList};
use crate::locator::cursor::Cursor;
use crate::locator::quote;
use crate::locator::refusal::{Reason, SelectorRefused};

/// A list up to the end of the text or to a closing bracket that was not opened inside it.
pub(in crate::locator) fn list(cursor: &mut Cursor<'_>) -> Result<CssList, SelectorRefused> {
    let mut alternatives = vec![complex(cursor)?];
    while cursor.eat(",") {
        alternatives.push(complex(cursor)?);
    }
    Ok(CssList(alternatives))
}

fn complex(cursor: &mut Cursor<'_>) -> Result<Complex, SelectorRefused> {
    cursor.skip_space();
    let mut sign = combinator(cursor).unwrap_or(Combinator::None);
    let mut parts = Vec::new();
    loop {
        parts.push((sign, compound(cursor)?));
        let spaced = cursor.skip_space();
        sign = match combinator(cursor) {
            Some(sign) => sign,
            None if ends(cursor) => return Ok(Complex(parts)),
            None if spaced => Combinator::Descendant,
            None => return Err(cursor.expected("a combinator, a comma or the end")),
        };
    }
}

fn ends(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.peek(), None | Some(',' | ')'))
}

fn combinator(cursor: &mut Cursor<'_>) -> Option<Combinator> {
    let sign = match cursor.peek()? {
        '>' => Combinator::Child,
        '+' => Combinator::NextSibling,
        '~' => Combinator::LaterSibling,
        _ => return None,
    };
    cursor.next();
    cursor.skip_space();
    Some(sign)
}

fn compound(cursor: &mut Cursor<'_>) -> Result<Compound, SelectorRefused> {
    let start = cursor.at();
    let mut compound = Compound { native: type_name(cursor), pseudo: Vec::new() };
    while let Some(sign) = cursor.peek() {
        match sign {
            '#' | '.' => {
                cursor.next();
                let name = ident(cursor).ok_or_else(|| cursor.expected("a name"))?;
                compound.native.push(sign);
                compound.native.push_str(name);
            }
            '[' => attribute(cursor, &mut compound.native)?,
            ':' => pseudo::read(cursor, &mut compound)?,
            _ => break,
        }
    }
    if cursor.at() == start { Err(cursor.expected("a CSS selector")) } else { Ok(compound) }
}

/// A tag name or `*`, with its namespace if any; empty if there is none.
fn type_name(cursor: &mut Cursor<'_>) -> String {
    let start = cursor.at();
    if !cursor.eat("*") {
        let _ = ident(cursor);
    }
    if cursor.looking_at("|") && !cursor.looking_at("|=") {
        cursor.next();
        if !cursor.eat("*") {
            let _ = ident(cursor);
        }
    }
    cursor.since(start).to_owned()
}

/// A name as CSS has them (CSS Syntax 4.3.11), escapes left as they are: the browser reads them again.
pub(super) fn ident<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let start = cursor.at();
    let first = cursor.peek()?;
    if first.is_ascii_digit() {
        return None;
    }
    loop {
        match cursor.peek() {
            Some(c) if c.is_ascii_alphanumeric() || c == '-' || c == '_' || !c.is_ascii() => {
                cursor.next();
            }
            Some('\\') => {
                cursor.next();
                let hex = cursor.take_while(|c| c.is_ascii_hexdigit());
                // A hex escape takes one space with it; any other escape is the character itself.
                if hex.is_empty() || cursor.peek() == Some(' ') {
                    cursor.next();
                }
            }
            _ => break,
        }
    }
    let name = cursor.since(start);
    // "-" alone, or "-" and a digit, is no name.
    let tail = name.strip_prefix('-').unwrap_or(name);
    let sound = !tail.is_empty() && !tail.starts_with(|c: char| c.is_ascii_digit());
    if !sound {
        cursor.go_to(start);
    }
    sound.then_some(name)
}

/// `[name]` or `[name="value" i]`. A value without quotes may be more than a name: users write `[tabindex=0]` and `[href=/a]`.
fn attribute(cursor: &mut Cursor<'_>, native: &mut String) -> Result<(), SelectorRefused> {
    let start = cursor.at();
    cursor.next();
    cursor.skip_space();
    let name_at = cursor.at();
    let prefixed = cursor.eat("*|") || cursor.eat("|");
    let named = ident(cursor).is_some();
    if !prefixed && cursor.looking_at("|") && !cursor.looking_at("|=") {
        cursor.next();
        let _ = ident(cursor);
    }
    if !named {
        return Err(cursor.expected("an attribute's name"));
    }
    native.push('[');
    native.push_str(cursor.since(name_at));
    cursor.skip_space();
    if let Some(operator) = ["=", "~=", "|=", "^=", "$=", "*="].into_iter().find(|sign| cursor.eat(sign)) {
        cursor.skip_space();
        let value = match cursor.peek() {
            Some('"' | '\'') => quote::css_string(cursor)?,
            _ => bare_value(cursor)?,
        };
        native.push_str(operator);
        native.push_str(&quote::to_css(&value));
        cursor.skip_space();
        if let Some(flag) = ["i", "I", "s", "S"].into_iter().find(|flag| cursor.eat(flag)) {
            native.push(' ');
            native.push_str(&flag.to_ascii_lowercase());
            cursor.skip_space();
        }
    } else if let Some("!") = cursor.rest().get(..1) {
        return Err(cursor.refuse(Reason::NotEqual));
    }
    if cursor.is_done() {
        return Err(cursor.refuse_at(start, Reason::Unclosed { sign: '[' }));
    }
    cursor.expect("]", "an operator or `]`")?;
    native.push(']');
    Ok(())
}

fn bare_value(cursor: &mut Cursor<'_>) -> Result<String, SelectorRefused> {
    let start = cursor.at();
    let value = cursor.take_while(|c| c != ']' && c != '"' && c != '\'' && !c.is_whitespace());
    if value.is_empty() || value.starts_with('=') {
        cursor.go_to(start);
        return Err(cursor.expected("a value"));
    }
    let mut quoted = Cursor::new(value);
    let mut plain = String::new();
    while let Some(c) = quoted.next() {
        plain.extend(if c == '\\' { quoted.next() } else { Some(c) });
    }
    Ok(plain)
}
