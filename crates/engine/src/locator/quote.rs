//! Strings in quotes, read and written: with CSS escapes in selectors, with JSON's in Playwright's `internal:` engines.

use super::cursor::Cursor;
use super::refusal::{Reason, SelectorRefused};

/// Reads a CSS string (CSS Syntax 4.3.5), the opening quote being next. A raw line break is kept, unlike in CSS.
pub(super) fn css_string(cursor: &mut Cursor<'_>) -> Result<String, SelectorRefused> {
    let start = cursor.at();
    let quote = cursor.next();
    let mut value = String::new();
    loop {
        match cursor.next() {
            None => return Err(cursor.refuse_at(start, Reason::Unclosed { sign: quote.unwrap_or('"') })),
            Some('\\') => value.extend(css_escape(cursor)),
            Some(c) if Some(c) == quote => return Ok(value),
            Some(c) => value.push(c),
        }
    }
}

/// What stands for a backslash and what follows it (CSS Syntax 4.3.7): up to six hex digits and a space, or the character itself.
fn css_escape(cursor: &mut Cursor<'_>) -> Option<char> {
    let mut digits = String::new();
    while digits.len() < 6
        && let Some(digit) = cursor.peek().filter(char::is_ascii_hexdigit)
    {
        digits.push(digit);
        cursor.next();
    }
    if digits.is_empty() {
        return cursor.next().filter(|c| *c != '\n');
    }
    if cursor.peek().is_some_and(char::is_whitespace) {
        cursor.next();
    }
    let code = u32::from_str_radix(&digits, 16).unwrap_or(0);
    Some(char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// The text as a CSS string in double quotes.
pub(super) fn to_css(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' | '\r' | '\u{c}' => quoted.push_str(&format!("\\{:x} ", u32::from(c))),
            '\0' => quoted.push(char::REPLACEMENT_CHARACTER),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Reads a JSON string, the opening quote being next.
pub(super) fn json_string(cursor: &mut Cursor<'_>) -> Result<String, SelectorRefused> {
    let start = cursor.at();
    cursor.skip_string()?;
    serde_json::from_str(cursor.since(start)).map_err(|_| {
        cursor.refuse_at(start, Reason::BadBody { engine: "internal:…", takes: "a JSON string" })
    })
}

/// The text as a JSON string.
pub(super) fn to_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
