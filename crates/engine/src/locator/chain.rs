//! Selector strings: parts joined by `>>`, each an engine's name and its body, or CSS or XPath without a name.

use super::ast::{Selector, Step};
use super::cursor::Cursor;
use super::engines::{CSS, ENGINES, Engine, OWN_TEXT, Shape, XPATH};
use super::refusal::{Reason, SelectorRefused};

/// The steps of a selector string.
pub(super) fn parse(text: &str) -> Result<Vec<Step>, SelectorRefused> {
    let mut cursor = Cursor::new(text);
    cursor.skip_space();
    if cursor.is_done() {
        return Err(cursor.refuse(Reason::Empty));
    }
    rest(&mut cursor)
}

/// The steps from here to the end of the text.
pub(super) fn rest(cursor: &mut Cursor<'_>) -> Result<Vec<Step>, SelectorRefused> {
    let mut steps = Vec::new();
    let mut captured = None;
    loop {
        cursor.skip_space();
        let start = cursor.at();
        let (engine, capture) = engine(cursor)?;
        if capture && captured.replace(steps.len()).is_some() {
            return Err(cursor.refuse_at(start, Reason::CapturedTwice));
        }
        steps.push(part(cursor, engine)?);
        if !cursor.eat(">>") {
            break;
        }
    }
    let Some(index) = captured.filter(|index| index + 1 < steps.len()) else {
        return Ok(steps);
    };
    // `*a >> b` finds the `a` that has a `b`: the same as `a` filtered by `has: b`.
    let below = Selector::inner(steps.split_off(index + 1)).map_err(|reason| cursor.refuse(reason))?;
    steps.push(Step::Has(below));
    Ok(steps)
}

/// The engine of the part that begins here, and whether `*` captures it. The cursor is left at the body.
fn engine(cursor: &mut Cursor<'_>) -> Result<(&'static Engine, bool), SelectorRefused> {
    let start = cursor.at();
    let capture = cursor.eat("*");
    let name = cursor.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'));
    if !name.is_empty() && cursor.eat("=") {
        let known = ENGINES.iter().find(|engine| engine.name == name);
        let unknown = || cursor.refuse_at(start, Reason::UnknownEngine { name: name.to_owned() });
        return known.map(|engine| (engine, capture)).ok_or_else(unknown);
    }
    if capture && !name.is_empty() && !name.starts_with(':') {
        return Err(cursor.refuse_at(start, Reason::CaptureWithoutEngine { name: name.to_owned() }));
    }
    cursor.go_to(start);
    if cursor.looking_at("..")
        || cursor.looking_at("./")
        || cursor.rest().trim_start_matches('(').starts_with('/')
    {
        return Ok((&XPATH, false));
    }
    if quoted_whole(cursor) {
        return Ok((&OWN_TEXT, false));
    }
    Ok((&CSS, false))
}

/// Whether the part that begins here is one string in quotes, which stands for its text.
fn quoted_whole(cursor: &Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    if !matches!(ahead.peek(), Some('"' | '\'')) || ahead.skip_string().is_err() {
        return false;
    }
    ahead.skip_space();
    ahead.is_done() || ahead.looking_at(">>")
}

fn part(cursor: &mut Cursor<'_>, engine: &Engine) -> Result<Step, SelectorRefused> {
    let start = cursor.at();
    skip_body(cursor, engine.shape)?;
    let written = cursor.since(start);
    let leading = written.len() - written.trim_start().len();
    let mut body = cursor.within(start + leading, start + written.trim_end().len().max(leading));
    let step = (engine.read)(&mut body)?;
    if body.is_done() { Ok(step) } else { Err(body.expected("`>>` or the end")) }
}

/// Goes to the `>>` behind the body, or to the end: a `>>` inside quotes, brackets or a regular expression is not it.
fn skip_body(cursor: &mut Cursor<'_>, shape: Shape) -> Result<(), SelectorRefused> {
    cursor.skip_space();
    if shape == Shape::Text {
        skip_leading_literal(cursor);
    }
    let mut open: Vec<(char, usize)> = Vec::new();
    while let Some(c) = cursor.peek() {
        match (shape, c) {
            (_, '>') if open.is_empty() && cursor.looking_at(">>") => break,
            (Shape::Css | Shape::Brackets | Shape::XPath, '"' | '\'') => {
                cursor.skip_string()?;
                continue;
            }
            (Shape::Css, '\\') => {
                cursor.next();
            }
            (Shape::Css | Shape::Brackets, '(' | '[') => open.push((c, cursor.at())),
            (Shape::Css | Shape::Brackets, ')' | ']') => {
                open.pop();
            }
            (Shape::Brackets, '=') if cursor.looking_at("=/") => {
                cursor.next();
                cursor.regex()?;
                continue;
            }
            _ => {}
        }
        cursor.next();
    }
    match open.pop() {
        Some((sign, at)) => Err(cursor.refuse_at(at, Reason::Unclosed { sign })),
        None => Ok(()),
    }
}

/// Steps over a string or regular expression at the head of a text body; what looks like one and is not stays text.
fn skip_leading_literal(cursor: &mut Cursor<'_>) {
    let mut ahead = cursor.clone();
    let literal = match ahead.peek() {
        Some('"' | '\'') => ahead.skip_string().is_ok(),
        Some('/') => ahead.regex().is_ok(),
        _ => false,
    };
    if literal {
        *cursor = ahead;
    }
}
