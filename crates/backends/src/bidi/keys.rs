//! Keys by the names that the protocol has for them (WebDriver, section 15.5.2, "Keyboard actions").

use engine::backend::{BackendError, Key};

/// `KeyboardEvent.location` of the right one of two, and of the number pad.
const RIGHT: u32 = 2;
const PAD: u32 = 3;

/// Keys that write nothing, with the private character that stands for each. The first that fits: one for a place comes
/// before the one for any.
const KEYS: &[(&str, Option<u32>, char)] = &[
    ("Cancel", None, '\u{E001}'),
    ("Help", None, '\u{E002}'),
    ("Backspace", None, '\u{E003}'),
    ("Tab", None, '\u{E004}'),
    ("Clear", None, '\u{E005}'),
    ("Enter", Some(PAD), '\u{E007}'),
    ("Enter", None, '\u{E006}'),
    ("Shift", Some(RIGHT), '\u{E050}'),
    ("Shift", None, '\u{E008}'),
    ("Control", Some(RIGHT), '\u{E051}'),
    ("Control", None, '\u{E009}'),
    ("Alt", Some(RIGHT), '\u{E052}'),
    ("Alt", None, '\u{E00A}'),
    ("Pause", None, '\u{E00B}'),
    ("Escape", None, '\u{E00C}'),
    (" ", None, ' '),
    ("PageUp", Some(PAD), '\u{E054}'),
    ("PageUp", None, '\u{E00E}'),
    ("PageDown", Some(PAD), '\u{E055}'),
    ("PageDown", None, '\u{E00F}'),
    ("End", Some(PAD), '\u{E056}'),
    ("End", None, '\u{E010}'),
    ("Home", Some(PAD), '\u{E057}'),
    ("Home", None, '\u{E011}'),
    ("ArrowLeft", Some(PAD), '\u{E058}'),
    ("ArrowLeft", None, '\u{E012}'),
    ("ArrowUp", Some(PAD), '\u{E059}'),
    ("ArrowUp", None, '\u{E013}'),
    ("ArrowRight", Some(PAD), '\u{E05A}'),
    ("ArrowRight", None, '\u{E014}'),
    ("ArrowDown", Some(PAD), '\u{E05B}'),
    ("ArrowDown", None, '\u{E015}'),
    ("Insert", Some(PAD), '\u{E05C}'),
    ("Insert", None, '\u{E016}'),
    ("Delete", Some(PAD), '\u{E05D}'),
    ("Delete", None, '\u{E017}'),
    ("0", Some(PAD), '\u{E01A}'),
    ("1", Some(PAD), '\u{E01B}'),
    ("2", Some(PAD), '\u{E01C}'),
    ("3", Some(PAD), '\u{E01D}'),
    ("4", Some(PAD), '\u{E01E}'),
    ("5", Some(PAD), '\u{E01F}'),
    ("6", Some(PAD), '\u{E020}'),
    ("7", Some(PAD), '\u{E021}'),
    ("8", Some(PAD), '\u{E022}'),
    ("9", Some(PAD), '\u{E023}'),
    ("*", Some(PAD), '\u{E024}'),
    ("+", Some(PAD), '\u{E025}'),
    (",", Some(PAD), '\u{E026}'),
    ("-", Some(PAD), '\u{E027}'),
    (".", Some(PAD), '\u{E028}'),
    ("/", Some(PAD), '\u{E029}'),
    ("F1", None, '\u{E031}'),
    ("F2", None, '\u{E032}'),
    ("F3", None, '\u{E033}'),
    ("F4", None, '\u{E034}'),
    ("F5", None, '\u{E035}'),
    ("F6", None, '\u{E036}'),
    ("F7", None, '\u{E037}'),
    ("F8", None, '\u{E038}'),
    ("F9", None, '\u{E039}'),
    ("F10", None, '\u{E03A}'),
    ("F11", None, '\u{E03B}'),
    ("F12", None, '\u{E03C}'),
    ("Meta", Some(RIGHT), '\u{E053}'),
    ("Meta", None, '\u{E03D}'),
];

/// The protocol's name for a key.
pub(super) fn name(key: &Key) -> Result<String, BackendError> {
    let fits = |(name, place, _): &&(&str, Option<u32>, char)| {
        *name == key.key && place.is_none_or(|place| place == key.location)
    };
    if let Some((_, _, stands)) = KEYS.iter().find(fits) {
        return Ok(stands.to_string());
    }
    if key.key.chars().count() == 1 {
        return Ok(key.key.clone());
    }
    Err(BackendError::Unsupported {
        what: "this key",
        instead: "use a key that writes, an arrow, Enter, Tab, Escape, F1 to F12 or a modifier",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str, location: u32) -> Key {
        Key { key: key.to_owned(), code: String::new(), key_code: 0, location, text: None }
    }

    #[test]
    fn keys_have_their_names_by_place() {
        assert_eq!(name(&key("Enter", 0)).unwrap(), "\u{E006}");
        assert_eq!(name(&key("Enter", 3)).unwrap(), "\u{E007}");
        assert_eq!(name(&key("Shift", 1)).unwrap(), "\u{E008}");
        assert_eq!(name(&key("ä", 0)).unwrap(), "ä");
        assert!(matches!(name(&key("AudioVolumeUp", 0)), Err(BackendError::Unsupported { .. })));
    }
}
