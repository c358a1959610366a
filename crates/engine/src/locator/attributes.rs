//! Conditions in square brackets, as `role=` and Playwright's attribute engines have them: `[name="Save"i][level=2]`.

use super::ast::Regex;
use super::cursor::Cursor;
use super::quote;
use super::refusal::{Reason, SelectorRefused};

/// One bracket.
#[derive(Debug)]
pub(super) struct Bracket {
    /// Where its name stands, for refusals.
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) value: BracketValue,
}

#[derive(Debug)]
pub(super) enum BracketValue {
    /// `[checked]`
    Absent,
    /// `[level=2]`, `[checked=mixed]`
    Bare(String),
    /// `[name^="Save"i]`
    Text { operator: &'static str, text: String, flag: Option<char> },
    /// `[name=/save/i]`
    Regex(Regex),
}

/// The brackets that follow each other here, up to the end of the text.
pub(super) fn brackets(cursor: &mut Cursor<'_>) -> Result<Vec<Bracket>, SelectorRefused> {
    let mut found = Vec::new();
    loop {
        cursor.skip_space();
        if cursor.is_done() {
            return Ok(found);
        }
        found.push(bracket(cursor)?);
    }
}

fn bracket(cursor: &mut Cursor<'_>) -> Result<Bracket, SelectorRefused> {
    let start = cursor.at();
    cursor.expect("[", "`[`")?;
    cursor.skip_space();
    let at = cursor.at();
    let name = cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')).to_owned();
    if name.is_empty() {
        return Err(cursor.expected("an attribute's name"));
    }
    cursor.skip_space();
    let operator = ["=", "*=", "^=", "$=", "~=", "|="].into_iter().find(|sign| cursor.eat(sign));
    let value = match operator {
        None => BracketValue::Absent,
        Some(operator) => {
            cursor.skip_space();
            value(cursor, operator)?
        }
    };
    cursor.skip_space();
    if cursor.is_done() {
        return Err(cursor.refuse_at(start, Reason::Unclosed { sign: '[' }));
    }
    cursor.expect("]", "`]`")?;
    Ok(Bracket { at, name, value })
}

fn value(cursor: &mut Cursor<'_>, operator: &'static str) -> Result<BracketValue, SelectorRefused> {
    match cursor.peek() {
        Some('"' | '\'') => {
            let text = quote::css_string(cursor)?;
            cursor.skip_space();
            let flag = ['i', 's'].into_iter().find(|flag| {
                cursor.peek().is_some_and(|next| next.eq_ignore_ascii_case(flag)) && cursor.next().is_some()
            });
            Ok(BracketValue::Text { operator, text, flag })
        }
        Some('/') if operator == "=" => Ok(BracketValue::Regex(cursor.regex()?)),
        _ => {
            let bare = cursor.take_while(|c| !matches!(c, ']' | '[' | '"' | '\'')).trim().to_owned();
            if bare.is_empty() { Err(cursor.expected("a value")) } else { Ok(BracketValue::Bare(bare)) }
        }
    }
}
