//! The call syntax: `page.getByRole('button', { name: 'Save' }).first()`, in TypeScript and in Python spelling.
//!
//! It is read, not run: only calls that make locators are known, and their arguments are literals or locators.

mod builder;
mod literal;
mod methods;

pub(super) use methods::names as method_names;

use super::ast::Step;
use super::chain;
use super::cursor::Cursor;
use super::refusal::{Reason, SelectorRefused};
use literal::Value;

/// A call's arguments: what stands by position, and what is named (in `{ … }` or as Python's keywords).
#[derive(Debug, Default)]
struct Arguments {
    positional: Vec<(usize, Value)>,
    named: Vec<Named>,
}

/// One named argument, its name in TypeScript spelling.
#[derive(Debug)]
struct Named {
    at: usize,
    name: String,
    value: Value,
}

/// Whether the text is a call and not a selector string: a name, or names joined by dots, and an opening bracket.
pub(super) fn looks_like_call(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    skip_await(&mut cursor);
    loop {
        if name(&mut cursor).is_empty() {
            return false;
        }
        cursor.skip_space();
        if cursor.looking_at("(") {
            return true;
        }
        if !cursor.eat(".") {
            return false;
        }
    }
}

/// The steps of a whole text in call syntax. What follows a `>>` is a selector string again.
pub(super) fn parse(text: &str) -> Result<Vec<Step>, SelectorRefused> {
    let mut cursor = Cursor::new(text);
    skip_await(&mut cursor);
    let mut steps = locator(&mut cursor)?;
    cursor.skip_space();
    cursor.eat(";");
    cursor.skip_space();
    if cursor.eat(">>") {
        steps.extend(chain::rest(&mut cursor)?);
    }
    if cursor.is_done() { Ok(steps) } else { Err(cursor.expected("`.` and a method, or the end")) }
}

fn skip_await(cursor: &mut Cursor<'_>) {
    if cursor.looking_at("await ") {
        cursor.eat("await");
        cursor.skip_space();
    }
}

/// A locator: calls joined by dots, with or without the page in front.
fn locator(cursor: &mut Cursor<'_>) -> Result<Vec<Step>, SelectorRefused> {
    for owner in ["this.", "self."] {
        cursor.eat(owner);
    }
    if cursor.looking_at("page.") || cursor.looking_at("page\n") || cursor.looking_at("page ") {
        cursor.eat("page");
        dot(cursor);
    }
    let mut steps = Vec::new();
    loop {
        let start = cursor.at();
        let name = name(cursor);
        if name.is_empty() {
            return Err(cursor.expected("a locator such as getByRole('…')"));
        }
        let called = cursor.looking_at("(");
        let arguments = if called { arguments(cursor)? } else { Arguments::default() };
        methods::apply(cursor, &mut steps, methods::Call { at: start, name, called, arguments })?;
        if !dot(cursor) {
            return Ok(steps);
        }
    }
}

/// Steps over the dot before the next method, if there is one; line breaks may surround it.
fn dot(cursor: &mut Cursor<'_>) -> bool {
    let before = cursor.at();
    cursor.skip_space();
    let found = cursor.eat(".");
    if found {
        cursor.skip_space();
    } else {
        cursor.go_to(before);
    }
    found
}

fn name<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.take_while(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

fn arguments(cursor: &mut Cursor<'_>) -> Result<Arguments, SelectorRefused> {
    let open = cursor.at();
    cursor.eat("(");
    let mut arguments = Arguments::default();
    items(cursor, open, '(', ")", |cursor| {
        if cursor.looking_at("{") {
            return object(cursor, &mut arguments.named);
        }
        match keyword(cursor) {
            Some((at, name)) => push_named(cursor, &mut arguments.named, at, name),
            None => {
                let at = cursor.at();
                arguments.positional.extend(literal::read(cursor)?.map(|value| (at, value)));
                Ok(())
            }
        }
    })?;
    Ok(arguments)
}

/// `{ name: 'Save', exact: true }`
fn object(cursor: &mut Cursor<'_>, named: &mut Vec<Named>) -> Result<(), SelectorRefused> {
    let open = cursor.at();
    cursor.eat("{");
    items(cursor, open, '{', "}", |cursor| {
        let at = cursor.at();
        let key = match cursor.peek() {
            Some('"' | '\'') => literal::string(cursor)?,
            _ => name(cursor).to_owned(),
        };
        if key.is_empty() {
            return Err(cursor.expected("an option's name"));
        }
        cursor.skip_space();
        cursor.expect(":", "`:` and the option's value")?;
        push_named(cursor, named, at, &key)
    })
}

fn push_named(
    cursor: &mut Cursor<'_>,
    named: &mut Vec<Named>,
    at: usize,
    name: &str,
) -> Result<(), SelectorRefused> {
    cursor.skip_space();
    named.extend(literal::read(cursor)?.map(|value| Named { at, name: camel(name), value }));
    Ok(())
}

/// Python's `name=`, if one stands here.
fn keyword<'a>(cursor: &mut Cursor<'a>) -> Option<(usize, &'a str)> {
    let at = cursor.at();
    let mut ahead = cursor.clone();
    let name = name(&mut ahead);
    ahead.skip_space();
    let found = !name.is_empty() && ahead.eat("=");
    found.then(|| {
        *cursor = ahead;
        (at, name)
    })
}

/// Items separated by commas up to `close`; a comma may stand behind the last.
fn items(
    cursor: &mut Cursor<'_>,
    open: usize,
    sign: char,
    close: &str,
    mut item: impl FnMut(&mut Cursor<'_>) -> Result<(), SelectorRefused>,
) -> Result<(), SelectorRefused> {
    loop {
        cursor.skip_space();
        if cursor.eat(close) {
            return Ok(());
        }
        if cursor.is_done() {
            return Err(cursor.refuse_at(open, Reason::Unclosed { sign }));
        }
        item(cursor)?;
        cursor.skip_space();
        if !cursor.eat(",") && !cursor.looking_at(close) && !cursor.is_done() {
            return Err(cursor.expected("`,` or the closing bracket"));
        }
    }
}

/// `has_text` as `hasText`.
fn camel(name: &str) -> String {
    let mut words = name.split('_').filter(|word| !word.is_empty());
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        camel.push_str(&first.to_uppercase());
        camel.push_str(rest);
    }
    camel
}
