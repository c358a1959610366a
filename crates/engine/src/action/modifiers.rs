//! Keys that are held while the mouse does something: real keys, pressed before and let go after.

use crate::backend::{InputEvent, Key, Modifiers};

/// A key, and how it shows among the modifiers.
type Held = (Key, fn(&mut Modifiers, bool));

/// The events between the pressing and the letting go of `held`.
pub(super) fn holding(held: Modifiers, events: Vec<InputEvent>) -> Vec<InputEvent> {
    let mut all = pressing(held);
    all.extend(events);
    all.extend(letting_go(held));
    all
}

/// The pressing of `held`.
pub(super) fn pressing(held: Modifiers) -> Vec<InputEvent> {
    let mut now = Modifiers::default();
    let press = |(key, set): Held| {
        set(&mut now, true);
        InputEvent::KeyDown { key, repeat: false, modifiers: now }
    };
    keys(held).into_iter().map(press).collect()
}

/// The letting go of `held`, the last one first.
pub(super) fn letting_go(held: Modifiers) -> Vec<InputEvent> {
    let mut now = held;
    let let_go = |(key, set): Held| {
        set(&mut now, false);
        InputEvent::KeyUp { key, modifiers: now }
    };
    keys(held).into_iter().rev().map(let_go).collect()
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
