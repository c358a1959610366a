//! Keys that are held while the mouse does something: real keys, pressed before and let go after.

use crate::backend::{InputEvent, Key, Modifiers};

/// A key, and how it shows among the modifiers.
type Held = (Key, fn(&mut Modifiers, bool));

/// The events between the pressing and the letting go of `held`.
pub(super) fn holding(held: Modifiers, events: Vec<InputEvent>) -> Vec<InputEvent> {
    let keys = keys(held);
    let mut all = Vec::new();
    let mut now = Modifiers::default();
    for (key, set) in &keys {
        set(&mut now, true);
        all.push(InputEvent::KeyDown { key: key.clone(), repeat: false, modifiers: now });
    }
    all.extend(events);
    for (key, set) in keys.iter().rev() {
        set(&mut now, false);
        all.push(InputEvent::KeyUp { key: key.clone(), modifiers: now });
    }
    all
}

fn keys(held: Modifiers) -> Vec<Held> {
    let key = |name: &str, key_code| Key {
        key: name.to_owned(),
        code: format!("{name}Left"),
        key_code,
        location: 1,
        text: None,
    };
    let mut keys: Vec<Held> = Vec::new();
    if held.alt {
        keys.push((key("Alt", 18), |modifiers, held| modifiers.alt = held));
    }
    if held.control {
        keys.push((key("Control", 17), |modifiers, held| modifiers.control = held));
    }
    if held.meta {
        keys.push((key("Meta", 91), |modifiers, held| modifiers.meta = held));
    }
    if held.shift {
        keys.push((key("Shift", 16), |modifiers, held| modifiers.shift = held));
    }
    keys
}
