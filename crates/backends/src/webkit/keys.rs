//! Keys as the automation session knows them: those that write nothing by name, the others by what they write.

use engine::backend::Key;
use serde_json::{Value, json};

/// The one keyboard.
pub(super) const SOURCE: &str = "keyboard";

/// The keys that are down.
#[derive(Debug, Default)]
pub(super) struct Held {
    named: Vec<&'static str>,
    writing: Option<String>,
}

impl Held {
    /// A key goes down: the states that the session makes the event of. A key that repeats is let go first: the session
    /// knows no other way to say so.
    pub(super) fn down(&mut self, key: &Key, repeat: bool) -> Vec<Value> {
        let mut states = Vec::new();
        if repeat {
            states.push(self.up(key));
        }
        match name(key) {
            Some(name) if !self.named.contains(&name) => self.named.push(name),
            Some(_) => {}
            None => self.writing = Some(written(key)),
        }
        states.push(self.state());
        states
    }

    /// A key goes up.
    pub(super) fn up(&mut self, key: &Key) -> Value {
        match name(key) {
            Some(name) => self.named.retain(|held| *held != name),
            None => self.writing = None,
        }
        self.state()
    }

    fn state(&self) -> Value {
        let mut state = json!({ "sourceId": SOURCE });
        if !self.named.is_empty() {
            state["pressedVirtualKeys"] = json!(self.named);
        }
        if let Some(writing) = &self.writing {
            state["pressedCharKey"] = json!(writing);
        }
        state
    }
}

fn written(key: &Key) -> String {
    key.text.clone().filter(|text| !text.is_empty()).unwrap_or_else(|| key.key.clone())
}

/// `KeyboardEvent.code` first: it tells left from right, and the keypad's keys.
const NAMES: &[(&str, &str)] = &[
    ("ShiftLeft", "Shift"),
    ("ShiftRight", "ShiftRight"),
    ("ControlLeft", "Control"),
    ("ControlRight", "ControlRight"),
    ("AltLeft", "Alternate"),
    ("AltRight", "AlternateRight"),
    ("MetaLeft", "Meta"),
    ("MetaRight", "MetaRight"),
    ("Shift", "Shift"),
    ("Control", "Control"),
    ("Alt", "Alternate"),
    ("Meta", "Meta"),
    ("Backspace", "Backspace"),
    ("Tab", "Tab"),
    ("Enter", "Enter"),
    ("NumpadEnter", "Enter"),
    ("Pause", "Pause"),
    ("Escape", "Escape"),
    ("PageUp", "PageUp"),
    ("PageDown", "PageDown"),
    ("End", "End"),
    ("Home", "Home"),
    ("ArrowLeft", "LeftArrow"),
    ("ArrowUp", "UpArrow"),
    ("ArrowRight", "RightArrow"),
    ("ArrowDown", "DownArrow"),
    ("Insert", "Insert"),
    ("Delete", "Delete"),
    ("Help", "Help"),
    ("Cancel", "Cancel"),
    ("Clear", "Clear"),
    ("Space", "Space"),
    ("Numpad0", "NumberPad0"),
    ("Numpad1", "NumberPad1"),
    ("Numpad2", "NumberPad2"),
    ("Numpad3", "NumberPad3"),
    ("Numpad4", "NumberPad4"),
    ("Numpad5", "NumberPad5"),
    ("Numpad6", "NumberPad6"),
    ("Numpad7", "NumberPad7"),
    ("Numpad8", "NumberPad8"),
    ("Numpad9", "NumberPad9"),
    ("NumpadMultiply", "NumberPadMultiply"),
    ("NumpadAdd", "NumberPadAdd"),
    ("NumpadSubtract", "NumberPadSubtract"),
    ("NumpadDecimal", "NumberPadDecimal"),
    ("NumpadDivide", "NumberPadDivide"),
    ("F1", "Function1"),
    ("F2", "Function2"),
    ("F3", "Function3"),
    ("F4", "Function4"),
    ("F5", "Function5"),
    ("F6", "Function6"),
    ("F7", "Function7"),
    ("F8", "Function8"),
    ("F9", "Function9"),
    ("F10", "Function10"),
    ("F11", "Function11"),
    ("F12", "Function12"),
];

fn name(key: &Key) -> Option<&'static str> {
    let named = |word: &str| NAMES.iter().find(|(known, _)| *known == word).map(|(_, name)| *name);
    // A key that writes a letter is no name, whatever it is called.
    let by_code = named(&key.code).filter(|_| !key.code.is_empty());
    by_code.or_else(|| named(&key.key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str, code: &str, text: Option<&str>) -> Key {
        let (key, code, text) = (key.to_owned(), code.to_owned(), text.map(str::to_owned));
        Key { key, code, key_code: 0, location: 0, text }
    }

    #[test]
    fn a_shortcut_is_its_key_while_the_others_are_held() {
        let mut held = Held::default();
        held.down(&key("Control", "ControlLeft", None), false);
        let state = held.down(&key("a", "KeyA", None), false).pop().unwrap();
        assert_eq!(
            state,
            json!({ "sourceId": SOURCE, "pressedVirtualKeys": ["Control"], "pressedCharKey": "a" })
        );
        held.up(&key("a", "KeyA", None));
        assert_eq!(held.up(&key("Control", "ControlLeft", None)), json!({ "sourceId": SOURCE }));
    }

    #[test]
    fn a_key_that_repeats_is_let_go_and_pressed_again() {
        let mut held = Held::default();
        let a = key("a", "KeyA", Some("a"));
        assert_eq!(held.down(&a, false).len(), 1);
        assert_eq!(held.down(&a, true).len(), 2);
    }
}
