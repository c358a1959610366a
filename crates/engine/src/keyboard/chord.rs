//! A chord: keys held together, as in `Control+Shift+K`.

use std::str::FromStr;

use crate::backend::{InputEvent, Key, Modifiers};

use super::layout;

/// Modifiers and the key that is pressed with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    held: Vec<Key>,
    key: Press,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Press {
    Key {
        key: Key,
        shift: bool,
    },
    /// A character without a key.
    Text(String),
}

/// A chord that no keyboard has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChordRefused {
    /// There is no such key.
    #[error("there is no key {name:?}{}", nearest.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default())]
    UnknownKey {
        /// As it was written.
        name: String,
        /// One that resembles it.
        nearest: Option<&'static str>,
    },
    /// What comes before a plus must be a modifier.
    #[error("{name:?} can't be held; only Control, Shift, Alt, Meta and ControlOrMeta can")]
    NotAModifier {
        /// As it was written.
        name: String,
    },
    /// Nothing was written.
    #[error("no key was given")]
    Empty,
}

impl FromStr for Chord {
    type Err = ChordRefused;

    fn from_str(text: &str) -> Result<Self, ChordRefused> {
        // A plus at the end is the key itself: `Control++`, `+`.
        let (modifiers, key) = match text.strip_suffix('+') {
            Some("") => ("", "+"),
            Some(rest) => (rest.strip_suffix('+').unwrap_or(rest), "+"),
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        let held = modifiers.split('+').filter(|name| !name.is_empty()).map(modifier);
        Ok(Self { held: held.collect::<Result<_, _>>()?, key: press(key)? })
    }
}

fn modifier(name: &str) -> Result<Key, ChordRefused> {
    let name = name.trim();
    let real = if name.eq_ignore_ascii_case("ControlOrMeta") { control_or_meta() } else { name };
    let key = layout::named(real).filter(|key| key.location == 1);
    key.ok_or_else(|| ChordRefused::NotAModifier { name: name.to_owned() })
}

/// What editing shortcuts are made with here.
fn control_or_meta() -> &'static str {
    if cfg!(target_os = "macos") { "Meta" } else { "Control" }
}

fn is_letter(key: &Key) -> bool {
    matches!(*key.key.as_bytes(), [letter] if letter.is_ascii_alphabetic())
}

fn press(name: &str) -> Result<Press, ChordRefused> {
    let mut characters = name.chars();
    match (characters.next(), characters.next()) {
        (None, _) => return Err(ChordRefused::Empty),
        (Some(only), None) => {
            return Ok(match layout::of_character(only) {
                Some(stroke) => Press::Key { key: stroke.key, shift: stroke.shift },
                None => Press::Text(only.to_string()),
            });
        }
        _ => {}
    }
    let real = if name.eq_ignore_ascii_case("ControlOrMeta") { control_or_meta() } else { name.trim() };
    layout::named(real).map(|key| Press::Key { key, shift: false }).ok_or_else(|| {
        let near = |known: &&str| known.to_ascii_lowercase().starts_with(&name.to_ascii_lowercase());
        ChordRefused::UnknownKey { name: name.to_owned(), nearest: layout::names().find(near) }
    })
}

impl Chord {
    /// What a hand does: holds the modifiers, presses the key, lets everything go in reverse.
    pub fn events(&self) -> Vec<InputEvent> {
        let mut events = Vec::new();
        let mut modifiers = Modifiers::default();
        for key in &self.held {
            set(&mut modifiers, key, true);
            events.push(InputEvent::KeyDown { key: key.clone(), repeat: false, modifiers });
        }
        match &self.key {
            Press::Key { key, shift } => {
                let mut pressed = modifiers;
                // `Control+A` is how people write a shortcut that has no Shift in it.
                let shortcut = modifiers.control || modifiers.alt || modifiers.meta;
                pressed.shift |= *shift && !(shortcut && is_letter(key));
                set(&mut pressed, key, true);
                let key = self.shortened(key, pressed);
                events.push(InputEvent::KeyDown { key: key.clone(), repeat: false, modifiers: pressed });
                events.push(InputEvent::KeyUp { key, modifiers });
            }
            Press::Text(text) => events.push(InputEvent::Text(text.clone())),
        }
        for key in self.held.iter().rev() {
            set(&mut modifiers, key, false);
            events.push(InputEvent::KeyUp { key: key.clone(), modifiers });
        }
        events
    }

    /// A key that is pressed with Control, Alt or Meta writes nothing; with Shift a letter is the upper one.
    fn shortened(&self, key: &Key, modifiers: Modifiers) -> Key {
        let mut key = key.clone();
        if modifiers.control || modifiers.alt || modifiers.meta {
            key.text = None;
        } else if modifiers.shift
            && let [letter] = *key.key.as_bytes()
            && letter.is_ascii_lowercase()
        {
            key.key = key.key.to_ascii_uppercase();
            key.text = Some(key.key.clone());
        }
        key
    }
}

fn set(modifiers: &mut Modifiers, key: &Key, held: bool) {
    match key.key.as_str() {
        "Alt" => modifiers.alt = held,
        "Control" => modifiers.control = held,
        "Meta" => modifiers.meta = held,
        "Shift" => modifiers.shift = held,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<String> {
        let chord: Chord = text.parse().unwrap();
        let name = |key: &Key| format!("{}{}", key.key, key.text.as_deref().map_or("", |_| "=text"));
        chord
            .events()
            .iter()
            .map(|event| match event {
                InputEvent::KeyDown { key, .. } => format!("+{}", name(key)),
                InputEvent::KeyUp { key, .. } => format!("-{}", key.key),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn a_chord_is_held_pressed_and_let_go_in_reverse() {
        assert_eq!(events("Control+Shift+k"), ["+Control", "+Shift", "+k", "-k", "-Shift", "-Control"]);
        assert_eq!(events("Enter"), ["+Enter=text", "-Enter"]);
        assert_eq!(events("a"), ["+a=text", "-a"]);
    }

    #[test]
    fn shift_writes_the_upper_letter_and_control_writes_nothing() {
        assert_eq!(events("Shift+a"), ["+Shift", "+A=text", "-A", "-Shift"]);
        assert_eq!(events("Control+a"), ["+Control", "+a", "-a", "-Control"]);
    }

    #[test]
    fn a_shortcut_that_is_written_with_an_upper_letter_has_no_shift() {
        let held = |text: &str| match &text.parse::<Chord>().unwrap().events()[1] {
            InputEvent::KeyDown { modifiers, .. } => (modifiers.control, modifiers.shift),
            other => panic!("{other:?}"),
        };
        assert_eq!(held("Control+A"), (true, false));
        assert!(events("Control+Shift+A").contains(&"+Shift".to_owned()));
    }

    #[test]
    fn a_plus_can_be_the_key() {
        assert_eq!(events("+"), ["++=text", "-+"]);
        assert_eq!(events("Control++"), ["+Control", "++", "-+", "-Control"]);
    }

    #[test]
    fn what_no_keyboard_has_is_refused_with_the_nearest() {
        let refused = "Arrow".parse::<Chord>().unwrap_err();
        assert!(refused.to_string().contains("did you mean \"ArrowLeft\"?"), "{refused}");
        assert!(matches!("Enter+a".parse::<Chord>(), Err(ChordRefused::NotAModifier { .. })));
        assert_eq!("".parse::<Chord>(), Err(ChordRefused::Empty));
        assert_eq!("😀".parse::<Chord>().unwrap().events(), [InputEvent::Text("😀".to_owned())]);
    }
}
