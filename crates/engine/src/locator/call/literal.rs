//! What can be an argument: strings, regular expressions, numbers, booleans, and other locators.

use super::locator;
use crate::locator::ast::{Regex, Step};
use crate::locator::cursor::Cursor;
use crate::locator::refusal::{Reason, SelectorRefused};

/// An argument's value.
#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    Regex(Regex),
    Number(i32),
    Bool(bool),
    Locator(Vec<Step>),
}

/// The value that begins here; nothing for `undefined`, `null` and `None`.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Option<Value>, SelectorRefused> {
    for absent in ["undefined", "null", "None"] {
        if word(cursor, absent) {
            return Ok(None);
        }
    }
    for (name, value) in [("true", true), ("True", true), ("false", false), ("False", false)] {
        if word(cursor, name) {
            return Ok(Some(Value::Bool(value)));
        }
    }
    let value = match cursor.peek() {
        Some('"' | '\'' | '`') => Value::Text(string(cursor)?),
        Some('/') => Value::Regex(cursor.regex()?),
        Some(c) if c == '-' || c.is_ascii_digit() => number(cursor)?,
        Some('r' | 'R') if is_raw_string(cursor) => Value::Text(raw_string(cursor)?),
        _ if cursor.eat("re.compile") => Value::Regex(python_regex(cursor)?),
        _ if cursor.eat("new RegExp") || cursor.eat("RegExp") => Value::Regex(constructed(cursor)?),
        Some(c) if c.is_alphabetic() || c == '_' || c == '$' => Value::Locator(locator(cursor)?),
        _ => return Err(cursor.expected("a string, a regular expression, a number or a locator")),
    };
    Ok(Some(value))
}

fn word(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let ends = cursor.rest().strip_prefix(word).is_some_and(|rest| {
        rest.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_' && next != '.')
    });
    ends && cursor.eat(word)
}

fn number(cursor: &mut Cursor<'_>) -> Result<Value, SelectorRefused> {
    let start = cursor.at();
    cursor.eat("-");
    cursor.take_while(|c| c.is_ascii_digit());
    let number = cursor.since(start).parse().map(Value::Number);
    number.map_err(|_| {
        cursor.refuse_at(
            start,
            Reason::Expected { what: "a whole number", found: format!("`{}`", cursor.since(start)) },
        )
    })
}

/// A string of JavaScript (ECMA-262 12.9.4) or Python, which agree on the escapes that matter.
pub(super) fn string(cursor: &mut Cursor<'_>) -> Result<String, SelectorRefused> {
    let start = cursor.at();
    let quote = cursor.next();
    let mut value = String::new();
    loop {
        match cursor.next() {
            None => return Err(cursor.refuse_at(start, Reason::Unclosed { sign: quote.unwrap_or('"') })),
            Some('\\') => value.extend(escape(cursor)),
            Some('$') if quote == Some('`') && cursor.looking_at("{") => {
                return Err(cursor.expected("a literal text; the value of a `${…}` is not known here"));
            }
            Some(c) if Some(c) == quote => return Ok(value),
            Some(c) => value.push(c),
        }
    }
}

fn escape(cursor: &mut Cursor<'_>) -> Option<char> {
    match cursor.next()? {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'v' => Some('\u{b}'),
        '0' => Some('\0'),
        '\n' => None,
        'x' => code(cursor, 2),
        'u' if cursor.eat("{") => {
            let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
            cursor.eat("}");
            u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
        }
        'u' => code(cursor, 4),
        c => Some(c),
    }
}

fn code(cursor: &mut Cursor<'_>, length: usize) -> Option<char> {
    let mut code = 0;
    for _ in 0..length {
        code = code * 16 + cursor.peek()?.to_digit(16)?;
        cursor.next();
    }
    Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn is_raw_string(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.rest().as_bytes(), [_, b'"' | b'\'', ..])
}

/// Python's `r"…"`: a backslash stands for itself.
fn raw_string(cursor: &mut Cursor<'_>) -> Result<String, SelectorRefused> {
    cursor.next();
    let start = cursor.at() + 1;
    cursor.skip_string()?;
    let quoted = cursor.since(start);
    Ok(quoted[..quoted.len() - 1].to_owned())
}

/// Behind `re.compile`: `("source", re.IGNORECASE | re.M)`.
fn python_regex(cursor: &mut Cursor<'_>) -> Result<Regex, SelectorRefused> {
    let start = cursor.at();
    cursor.expect("(", "`(`")?;
    let mut source = any_string(cursor)?;
    cursor.skip_space();
    let mut flags = String::new();
    if cursor.eat(",") {
        let names = cursor.take_while(|c| c != ')');
        for name in names.split('|') {
            match name.trim().trim_start_matches("re.") {
                "I" | "IGNORECASE" => flags.push('i'),
                "M" | "MULTILINE" => flags.push('m'),
                "S" | "DOTALL" => flags.push('s'),
                "U" | "UNICODE" | "" => {}
                _ => return Err(cursor.refuse_at(start, Reason::BadRegex { text: names.trim().to_owned() })),
            }
        }
    }
    cursor.expect(")", "`)`")?;
    if let Some(rest) = source.strip_prefix("(?i)") {
        source = rest.to_owned();
        flags.push('i');
    }
    Regex::new(&source, &flags).ok_or_else(|| cursor.refuse_at(start, Reason::BadRegex { text: source }))
}

/// Behind `new RegExp`: `('source', 'flags')`.
fn constructed(cursor: &mut Cursor<'_>) -> Result<Regex, SelectorRefused> {
    let start = cursor.at();
    cursor.expect("(", "`(`")?;
    let source = any_string(cursor)?;
    cursor.skip_space();
    let flags = if cursor.eat(",") { any_string(cursor)? } else { String::new() };
    cursor.skip_space();
    cursor.expect(")", "`)`")?;
    Regex::new(&source, &flags).ok_or_else(|| cursor.refuse_at(start, Reason::BadRegex { text: source }))
}

fn any_string(cursor: &mut Cursor<'_>) -> Result<String, SelectorRefused> {
    cursor.skip_space();
    match cursor.peek() {
        Some('"' | '\'' | '`') => string(cursor),
        Some('r' | 'R') if is_raw_string(cursor) => raw_string(cursor),
        _ => Err(cursor.expected("a string")),
    }
}
