//! What a hand does, as the browser's input events. Everything goes to the page's topmost session: the browser finds the
//! frame below the point, and the one that has the focus, in whatever process they are.

use engine::backend::{BackendError, InputEvent, Key, Modifiers, MouseButton, Point};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use wire::cdp::types::input;
use wire::cdp::{Batch, CallError};

use super::page::Page;
use super::refusal::Place;

type Done = BoxFuture<'static, Result<(), CallError>>;

impl Page {
    /// Sends all events in one write, and waits until the page has had every one.
    pub(super) async fn hand(&self, events: &[InputEvent]) -> Result<(), BackendError> {
        let send = || {
            let mut batch = self.session.batch();
            let done: Vec<Done> = events.iter().flat_map(|event| add(&mut batch, event)).collect();
            batch.send();
            futures_util::future::try_join_all(done).map_ok(drop)
        };
        // A drag that was given up lets go of the button first.
        let _turn = self.hands.lock().await;
        self.while_alive(Place::Page, send).await
    }
}

fn add(batch: &mut Batch<'_>, event: &InputEvent) -> Vec<Done> {
    let mut mouse = |command: input::DispatchMouseEvent| vec![batch.add(&command).map_ok(drop).boxed()];
    match event {
        InputEvent::Move { at, held, modifiers } => mouse(moved(*at, *held, *modifiers)),
        InputEvent::Down { at, button, clicks, modifiers } => {
            mouse(button_event(input::MouseEventType::Pressed, *at, *button, *clicks, *modifiers))
        }
        InputEvent::Up { at, button, clicks, modifiers } => {
            mouse(button_event(input::MouseEventType::Released, *at, *button, *clicks, *modifiers))
        }
        InputEvent::Wheel { at, dx, dy, modifiers } => mouse(input::DispatchMouseEvent {
            delta_x: Some(*dx),
            delta_y: Some(*dy),
            modifiers: Some(mask(*modifiers)),
            ..input::DispatchMouseEvent::new(input::MouseEventType::Wheel, at.x, at.y)
        }),
        InputEvent::KeyDown { key, repeat, modifiers } => {
            vec![batch.add(&key_down(key, *repeat, *modifiers)).map_ok(drop).boxed()]
        }
        InputEvent::KeyUp { key, modifiers } => {
            vec![batch.add(&key_event(input::KeyEventType::Up, key, *modifiers)).map_ok(drop).boxed()]
        }
        InputEvent::Text(text) => {
            vec![batch.add(&input::InsertText::new(text.as_str())).map_ok(drop).boxed()]
        }
        InputEvent::Tap { at, modifiers } => {
            let finger = input::TouchPoint::new(at.x, at.y);
            let touches =
                [(input::TouchEventType::Start, vec![finger]), (input::TouchEventType::End, Vec::new())];
            let commands = touches.map(|(kind, points)| input::DispatchTouchEvent {
                modifiers: Some(mask(*modifiers)),
                ..input::DispatchTouchEvent::new(kind, points)
            });
            commands.iter().map(|command| batch.add(command).map_ok(drop).boxed()).collect()
        }
    }
}

/// The mouse moves.
pub(super) fn moved(at: Point, held: Option<MouseButton>, modifiers: Modifiers) -> input::DispatchMouseEvent {
    input::DispatchMouseEvent {
        button: Some(held.map_or(input::MouseButton::None, button)),
        buttons: Some(held.map_or(0, bit)),
        modifiers: Some(mask(modifiers)),
        ..input::DispatchMouseEvent::new(input::MouseEventType::Moved, at.x, at.y)
    }
}

/// A button goes down or up.
pub(super) fn button_event(
    kind: input::MouseEventType,
    at: Point,
    pressed: MouseButton,
    clicks: u32,
    modifiers: Modifiers,
) -> input::DispatchMouseEvent {
    let down = kind == input::MouseEventType::Pressed;
    input::DispatchMouseEvent {
        button: Some(button(pressed)),
        buttons: Some(if down { bit(pressed) } else { 0 }),
        click_count: Some(i64::from(clicks)),
        modifiers: Some(mask(modifiers)),
        ..input::DispatchMouseEvent::new(kind, at.x, at.y)
    }
}

/// A key that writes something is a `keyDown` with its text; any other is a `rawKeyDown`.
fn key_down(key: &Key, repeat: bool, modifiers: Modifiers) -> input::DispatchKeyEvent {
    let shortcut = modifiers.control || modifiers.meta || (modifiers.alt && cfg!(not(target_os = "macos")));
    // Enter writes a carriage return, whatever else a line's end may be.
    let text = key.text.as_ref().filter(|_| !shortcut).map(|text| text.replace('\n', "\r"));
    let kind = if text.is_some() { input::KeyEventType::Down } else { input::KeyEventType::RawDown };
    input::DispatchKeyEvent {
        unmodified_text: text.clone(),
        text,
        auto_repeat: Some(repeat),
        ..key_event(kind, key, modifiers)
    }
}

fn key_event(kind: input::KeyEventType, key: &Key, modifiers: Modifiers) -> input::DispatchKeyEvent {
    /// `KeyboardEvent.DOM_KEY_LOCATION_NUMPAD`.
    const NUMPAD: u32 = 3;
    input::DispatchKeyEvent {
        key: Some(key.key.clone()),
        code: Some(key.code.clone()),
        windows_virtual_key_code: Some(i64::from(key.key_code)),
        native_virtual_key_code: Some(i64::from(key.key_code)),
        location: Some(i64::from(key.location)),
        is_keypad: Some(key.location == NUMPAD),
        modifiers: Some(mask(modifiers)),
        ..input::DispatchKeyEvent::new(kind)
    }
}

/// Alt 1, Control 2, Meta 4, Shift 8.
pub(super) fn mask(modifiers: Modifiers) -> i64 {
    let bits = [(modifiers.alt, 1), (modifiers.control, 2), (modifiers.meta, 4), (modifiers.shift, 8)];
    bits.iter().filter(|(held, _)| *held).map(|(_, bit)| bit).sum()
}

fn button(button: MouseButton) -> input::MouseButton {
    match button {
        MouseButton::Left => input::MouseButton::Left,
        MouseButton::Right => input::MouseButton::Right,
        MouseButton::Middle => input::MouseButton::Middle,
    }
}

/// Left 1, right 2, middle 4 (UI Events, `MouseEvent.buttons`).
fn bit(button: MouseButton) -> i64 {
    match button {
        MouseButton::Left => 1,
        MouseButton::Right => 2,
        MouseButton::Middle => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: Option<&str>) -> Key {
        let text = text.map(str::to_owned);
        Key { key: "a".to_owned(), code: "KeyA".to_owned(), key_code: 65, location: 0, text }
    }

    #[test]
    fn a_shortcut_writes_nothing() {
        let control = Modifiers { control: true, ..Modifiers::default() };
        assert_eq!(key_down(&key(Some("a")), false, control).r#type, input::KeyEventType::RawDown);
        assert_eq!(key_down(&key(Some("a")), false, Modifiers::default()).text.as_deref(), Some("a"));
    }

    #[test]
    fn held_keys_are_bits() {
        let all = Modifiers { alt: true, control: true, meta: true, shift: true };
        assert_eq!((mask(all), mask(Modifiers::default())), (15, 0));
    }
}
