//! What a hand holds when it is interrupted.

use crate::backend::{InputEvent, MouseButton};

/// Something that is down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held<'a> {
    Button(MouseButton),
    /// By its `code`: left and right have the same name.
    Key(&'a str),
}

impl<'a> Held<'a> {
    fn pressed(event: &'a InputEvent) -> Option<Self> {
        match event {
            InputEvent::Down { button, .. } => Some(Self::Button(*button)),
            InputEvent::KeyDown { key, .. } => Some(Self::Key(&key.code)),
            _ => None,
        }
    }

    fn released(event: &'a InputEvent) -> Option<Self> {
        match event {
            InputEvent::Up { button, .. } => Some(Self::Button(*button)),
            InputEvent::KeyUp { key, .. } => Some(Self::Key(&key.code)),
            _ => None,
        }
    }
}

/// What of `left`, which is not done any more, lets go of what `done` has pressed.
pub(super) fn letting_go(done: &[InputEvent], left: Vec<InputEvent>) -> Vec<InputEvent> {
    let mut held: Vec<Held<'_>> = Vec::new();
    for event in done {
        held.extend(Held::pressed(event));
        held.retain(|held| Some(*held) != Held::released(event));
    }
    let lets_go = |event: &InputEvent| {
        let count = held.len();
        held.retain(|held| Some(*held) != Held::released(event));
        held.len() < count
    };
    left.into_iter().filter(lets_go).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::modifiers::holding;
    use crate::backend::{Modifiers, Point};

    #[test]
    fn what_is_down_is_let_go_of_once_and_nothing_else() {
        let (at, modifiers) = (Point { x: 1.0, y: 2.0 }, Modifiers { shift: true, ..Modifiers::default() });
        let click = |clicks| {
            let button = MouseButton::Left;
            [
                InputEvent::Down { at, button, clicks, modifiers },
                InputEvent::Up { at, button, clicks, modifiers },
            ]
        };
        let events = holding(modifiers, [click(1), click(2)].concat());
        let after = |done: usize| letting_go(&events[..done], events[done..].to_vec());
        let (up, key_up) = (events[2].clone(), events[5].clone());
        assert_eq!(after(0), []);
        assert_eq!(after(2), [up, key_up.clone()]);
        assert_eq!(after(3), [key_up]);
        assert_eq!(after(6), []);
    }
}
