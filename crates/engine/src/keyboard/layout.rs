//! The US keyboard: every key with what a page is told of it (UI Events, `key`, `code` and legacy `keyCode`).

use crate::backend::Key;

/// A key and whether Shift must be held for the character that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stroke {
    pub(super) key: Key,
    pub(super) shift: bool,
}

/// A key that writes characters: its code, its legacy number, what it writes plainly and with Shift.
struct Writing(&'static str, u32, char, char);

const WRITING: &[Writing] = &[
    Writing("Backquote", 192, '`', '~'),
    Writing("Digit1", 49, '1', '!'),
    Writing("Digit2", 50, '2', '@'),
    Writing("Digit3", 51, '3', '#'),
    Writing("Digit4", 52, '4', '$'),
    Writing("Digit5", 53, '5', '%'),
    Writing("Digit6", 54, '6', '^'),
    Writing("Digit7", 55, '7', '&'),
    Writing("Digit8", 56, '8', '*'),
    Writing("Digit9", 57, '9', '('),
    Writing("Digit0", 48, '0', ')'),
    Writing("Minus", 189, '-', '_'),
    Writing("Equal", 187, '=', '+'),
    Writing("BracketLeft", 219, '[', '{'),
    Writing("BracketRight", 221, ']', '}'),
    Writing("Backslash", 220, '\\', '|'),
    Writing("Semicolon", 186, ';', ':'),
    Writing("Quote", 222, '\'', '"'),
    Writing("Comma", 188, ',', '<'),
    Writing("Period", 190, '.', '>'),
    Writing("Slash", 191, '/', '?'),
    Writing("Space", 32, ' ', ' '),
];

/// A key that does something: its name, its code, its legacy number, its place on the keyboard, what it writes.
struct Doing(&'static str, &'static str, u32, u32, Option<&'static str>);

const DOING: &[Doing] = &[
    Doing("Enter", "Enter", 13, 0, Some("\r")),
    Doing("Tab", "Tab", 9, 0, None),
    Doing("Backspace", "Backspace", 8, 0, None),
    Doing("Delete", "Delete", 46, 0, None),
    Doing("Escape", "Escape", 27, 0, None),
    Doing("Insert", "Insert", 45, 0, None),
    Doing("ArrowLeft", "ArrowLeft", 37, 0, None),
    Doing("ArrowUp", "ArrowUp", 38, 0, None),
    Doing("ArrowRight", "ArrowRight", 39, 0, None),
    Doing("ArrowDown", "ArrowDown", 40, 0, None),
    Doing("Home", "Home", 36, 0, None),
    Doing("End", "End", 35, 0, None),
    Doing("PageUp", "PageUp", 33, 0, None),
    Doing("PageDown", "PageDown", 34, 0, None),
    Doing("CapsLock", "CapsLock", 20, 0, None),
    Doing("NumLock", "NumLock", 144, 0, None),
    Doing("ScrollLock", "ScrollLock", 145, 0, None),
    Doing("PrintScreen", "PrintScreen", 44, 0, None),
    Doing("Pause", "Pause", 19, 0, None),
    Doing("ContextMenu", "ContextMenu", 93, 0, None),
    Doing("Shift", "ShiftLeft", 16, 1, None),
    Doing("Control", "ControlLeft", 17, 1, None),
    Doing("Alt", "AltLeft", 18, 1, None),
    Doing("Meta", "MetaLeft", 91, 1, None),
];

/// Other names that agents write for keys.
const ALIASES: &[(&str, &str)] = &[
    ("Return", "Enter"),
    ("Esc", "Escape"),
    ("Del", "Delete"),
    ("Ins", "Insert"),
    ("Left", "ArrowLeft"),
    ("Up", "ArrowUp"),
    ("Right", "ArrowRight"),
    ("Down", "ArrowDown"),
    ("PgUp", "PageUp"),
    ("PgDn", "PageDown"),
    ("Ctrl", "Control"),
    ("Option", "Alt"),
    ("Cmd", "Meta"),
    ("Command", "Meta"),
    ("Win", "Meta"),
    ("Super", "Meta"),
    ("Spacebar", "Space"),
];

/// The key that writes `character`, if the layout has one.
pub(super) fn of_character(character: char) -> Option<Stroke> {
    match character {
        '\n' | '\r' => return named("Enter").map(|key| Stroke { key, shift: false }),
        '\t' => return named("Tab").map(|key| Stroke { key, shift: false }),
        _ => {}
    }
    if character.is_ascii_alphabetic() {
        let upper = character.to_ascii_uppercase();
        return Some(Stroke {
            key: writing(&format!("Key{upper}"), u32::from(upper), character),
            shift: character.is_ascii_uppercase(),
        });
    }
    let Writing(code, number, plain, _) =
        WRITING.iter().find(|key| key.2 == character || key.3 == character)?;
    Some(Stroke { key: writing(code, *number, character), shift: character != *plain })
}

fn writing(code: &str, key_code: u32, character: char) -> Key {
    Key {
        key: character.to_string(),
        code: code.to_owned(),
        key_code,
        location: 0,
        text: Some(character.to_string()),
    }
}

/// The key of this name, code or alias: `Enter`, `KeyA`, `F5`, `Esc`. Case counts only where it must.
pub(super) fn named(name: &str) -> Option<Key> {
    let name =
        ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map_or(name, |(_, real)| real);
    let doing = DOING.iter().find(|key| key.0.eq_ignore_ascii_case(name) || key.1.eq_ignore_ascii_case(name));
    if let Some(Doing(key, code, key_code, location, text)) = doing {
        return Some(Key {
            key: (*key).to_owned(),
            code: (*code).to_owned(),
            key_code: *key_code,
            location: *location,
            text: text.map(str::to_owned),
        });
    }
    function_key(name).or_else(|| by_code(name))
}

fn function_key(name: &str) -> Option<Key> {
    let number: u32 =
        name.strip_prefix(['F', 'f'])?.parse().ok().filter(|number| (1..=24).contains(number))?;
    let name = format!("F{number}");
    Some(Key { key: name.clone(), code: name, key_code: 111 + number, location: 0, text: None })
}

/// A writing key by its code: `KeyA`, `Digit1`, `Space`.
fn by_code(code: &str) -> Option<Key> {
    if let Some(letter) = code.strip_prefix("Key").filter(|letter| letter.len() == 1) {
        return of_character(letter.chars().next()?.to_ascii_lowercase()).map(|stroke| stroke.key);
    }
    let found = WRITING.iter().find(|key| key.0.eq_ignore_ascii_case(code))?;
    of_character(found.2).map(|stroke| stroke.key)
}

/// Every name that can be suggested for a slip.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DOING.iter().map(|key| key.0).chain(WRITING.iter().map(|key| key.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_its_key() {
        for character in ' '..='~' {
            let stroke = of_character(character).unwrap_or_else(|| panic!("{character:?}"));
            assert_eq!(stroke.key.text, Some(character.to_string()));
        }
    }

    #[test]
    fn keys_are_found_by_name_code_and_alias() {
        let code = |name: &str| named(name).map(|key| key.code);
        assert_eq!(code("Enter").as_deref(), Some("Enter"));
        assert_eq!(code("return").as_deref(), Some("Enter"));
        assert_eq!(code("KeyA").as_deref(), Some("KeyA"));
        assert_eq!(code("F12").as_deref(), Some("F12"));
        assert_eq!(code("space").as_deref(), Some("Space"));
        assert_eq!(code("F25"), None);
        assert_eq!(code("Bogus"), None);
    }
}
