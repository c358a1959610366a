//! Keys and chords: from what an agent writes (`Enter`, `Control+A`, `é`) to what a hand does.
//!
//! The layout is the US one, which is what tests are written against; a character that it has no key for is written
//! as an input method would.

mod chord;
mod layout;

pub use chord::{Chord, ChordRefused};

use crate::backend::{InputEvent, Modifiers};

/// The events that write `text` key by key: a key where the layout has one, plain text where it has none.
pub fn typed(text: &str, held: Modifiers) -> Vec<InputEvent> {
    let mut events = Vec::new();
    for character in text.chars() {
        match layout::of_character(character) {
            Some(stroke) => {
                let modifiers = Modifiers { shift: held.shift || stroke.shift, ..held };
                events.push(InputEvent::KeyDown { key: stroke.key.clone(), repeat: false, modifiers });
                events.push(InputEvent::KeyUp { key: stroke.key, modifiers });
            }
            None => events.push(InputEvent::Text(character.to_string())),
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        typed(text, Modifiers::default())
            .into_iter()
            .map(|event| match event {
                InputEvent::KeyDown { key, modifiers, .. } => {
                    format!("{}{} {}", if modifiers.shift { "shift " } else { "" }, key.key, key.code)
                }
                InputEvent::KeyUp { key, .. } => format!("up {}", key.key),
                InputEvent::Text(text) => format!("text {text}"),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn characters_are_the_keys_that_write_them_and_others_are_text() {
        assert_eq!(keys("a"), ["a KeyA", "up a"]);
        assert_eq!(keys("A"), ["shift A KeyA", "up A"]);
        assert_eq!(keys("!"), ["shift ! Digit1", "up !"]);
        assert_eq!(keys("\n"), ["Enter Enter", "up Enter"]);
        assert_eq!(keys("é😀"), ["text é", "text 😀"]);
    }
}
