//! What a hand does, as the actions of a keyboard, a mouse, a wheel and a finger. Firefox hands them to the process of the
//! frame that they are addressed to, and no further: so they are addressed to the frame of that process at the point, or to the
//! one that has the focus.

use engine::backend::{BackendError, FrameId, InputEvent, MouseButton, Point, World};
use serde_json::{Value, json};
use wire::bidi::types::input::PerformActions;

use super::elements::{context, handle};
use super::keys;
use super::page::Page;
use super::spot::Spot;

/// Writes a text as if it were pasted without a clipboard. Answers whether the focus is in a frame below instead. Firefox's own
/// command asks nobody before, and editors that keep a state of their own go by that question (Input Events, `beforeinput`).
const INSERT: &str = "text => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    if (focused && 'contentWindow' in focused) return focused;
    const selection = getSelection();
    const targetRanges = focused?.isContentEditable && selection.rangeCount ? [new StaticRange(selection.getRangeAt(0))] : [];
    const question = new InputEvent('beforeinput', {
        inputType: 'insertText', data: text, targetRanges, bubbles: true, cancelable: true, composed: true, view: window,
    });
    const wanted = !focused || focused.dispatchEvent(question);
    return wanted && document.execCommand('insertText', false, text) || null;
}";

/// Where the mouse is, in the pixels of the frame that it is in.
#[derive(Debug, Default)]
pub(super) struct Hand {
    frame: Option<FrameId>,
    at: Option<(f64, f64)>,
}

/// The devices, in the order in which they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Device {
    Keyboard,
    Mouse,
    Wheel,
    Finger,
}

const DEVICES: &[Device] = &[Device::Keyboard, Device::Mouse, Device::Wheel, Device::Finger];

impl Device {
    /// A device and what it does, tick by tick.
    fn source(self, actions: &[Value]) -> Value {
        let pointer = |id: &str| json!({ "type": "pointer", "id": id, "parameters": { "pointerType": id }, "actions": actions });
        match self {
            Self::Keyboard => json!({ "type": "key", "id": "keyboard", "actions": actions }),
            Self::Mouse => pointer("mouse"),
            Self::Wheel => json!({ "type": "wheel", "id": "wheel", "actions": actions }),
            Self::Finger => pointer("touch"),
        }
    }
}

/// What is done, one thing after the other.
#[derive(Debug, Default)]
pub(super) struct Actions(Vec<(Device, Value)>);

impl Actions {
    fn add(&mut self, device: Device, action: Value) {
        self.0.push((device, action));
    }

    pub(super) fn move_to(&mut self, hand: &mut Hand, at: Point) {
        self.add(Device::Mouse, json!({ "type": "pointerMove", "x": at.x, "y": at.y, "duration": 0 }));
        hand.at = Some((at.x, at.y));
    }

    /// Presses or lets go of a button, where the mouse is or after it has come there.
    pub(super) fn press(&mut self, hand: &mut Hand, at: Point, button: MouseButton, down: bool) {
        if hand.at != Some((at.x, at.y)) {
            self.move_to(hand, at);
        }
        let kind = if down { "pointerDown" } else { "pointerUp" };
        self.add(Device::Mouse, json!({ "type": kind, "button": button_number(button) }));
    }

    fn key(&mut self, key: &engine::backend::Key, down: bool) -> Result<(), BackendError> {
        let kind = if down { "keyDown" } else { "keyUp" };
        self.add(Device::Keyboard, json!({ "type": kind, "value": keys::name(key)? }));
        Ok(())
    }

    fn turn(&mut self, at: Point, dx: f64, dy: f64) {
        let (x, y) = (whole(at.x), whole(at.y));
        let action = json!({ "type": "scroll", "x": x, "y": y, "deltaX": whole(dx), "deltaY": whole(dy) });
        self.add(Device::Wheel, action);
    }

    fn tap(&mut self, at: Point) {
        self.add(Device::Finger, json!({ "type": "pointerMove", "x": at.x, "y": at.y, "duration": 0 }));
        self.add(Device::Finger, json!({ "type": "pointerDown", "button": 0 }));
        self.add(Device::Finger, json!({ "type": "pointerUp", "button": 0 }));
    }

    /// Each thing is one tick, in which the other devices rest.
    fn sources(self) -> Vec<Value> {
        let used = DEVICES.iter().filter(|device| self.0.iter().any(|(used, _)| used == *device));
        let source = |device: &Device| {
            let rest = || json!({ "type": "pause", "duration": 0 });
            let action =
                |(used, action): &(Device, Value)| if used == device { action.clone() } else { rest() };
            device.source(&self.0.iter().map(action).collect::<Vec<_>>())
        };
        used.map(source).collect()
    }
}

impl Page {
    /// Does it all, and waits until the page has had everything.
    pub(super) async fn hand(&self, events: &[InputEvent]) -> Result<(), BackendError> {
        // A drag that was given up lets go of the button first.
        let mut hand = self.hands.lock().await;
        let spot = match place(events) {
            Some(at) => self.spot_of(at).await?,
            None => Spot { frame: self.focused().await?, ..self.top_spot() },
        };
        if hand.frame.as_ref() != Some(&spot.frame) {
            *hand = Hand { frame: Some(spot.frame.clone()), at: None };
        }
        let mut actions = Actions::default();
        for event in events {
            match event {
                InputEvent::Move { at, .. } => actions.move_to(&mut hand, spot.inside(*at)),
                InputEvent::Down { at, button, .. } => {
                    actions.press(&mut hand, spot.inside(*at), *button, true);
                }
                InputEvent::Up { at, button, .. } => {
                    actions.press(&mut hand, spot.inside(*at), *button, false);
                }
                InputEvent::Wheel { at, dx, dy, .. } => actions.turn(spot.inside(*at), *dx, *dy),
                InputEvent::KeyDown { key, .. } => actions.key(key, true)?,
                InputEvent::KeyUp { key, .. } => actions.key(key, false)?,
                InputEvent::Tap { at, .. } => actions.tap(spot.inside(*at)),
                InputEvent::Text(text) => {
                    self.perform(&spot.frame, std::mem::take(&mut actions)).await?;
                    self.insert(text).await?;
                }
            }
        }
        self.perform(&spot.frame, actions).await
    }

    pub(super) async fn perform(&self, frame: &FrameId, actions: Actions) -> Result<(), BackendError> {
        if actions.0.is_empty() {
            return Ok(());
        }
        let performed = self.call(&PerformActions::new(context(frame), actions.sources())).await;
        match performed {
            // What was done has led to another document; that is what a click is for.
            Err(BackendError::DocumentGone) if !self.has_ended() => Ok(()),
            performed => performed.map(drop),
        }
    }

    /// Writes a text where the focus is.
    async fn insert(&self, text: &str) -> Result<(), BackendError> {
        let mut frame = self.main_frame.clone();
        let text = json!({ "type": "string", "value": text });
        // As many frames as can lie in one another.
        while let Some(below) = self.insert_in(&frame, &text).await? {
            frame = below;
        }
        Ok(())
    }

    async fn insert_in(&self, frame: &FrameId, text: &Value) -> Result<Option<FrameId>, BackendError> {
        let answer = self.call_in(frame, World::Utility, INSERT, vec![text.clone()]).await?;
        let element = answer.result.and_then(|answer| answer.shared_id);
        match element {
            Some(id) => self.frame_in(&handle(frame, &id)).await,
            None => Ok(None),
        }
    }
}

/// Where on the page something is done, if that is of any matter.
fn place(events: &[InputEvent]) -> Option<Point> {
    events.iter().find_map(|event| match event {
        InputEvent::Move { at, .. }
        | InputEvent::Down { at, .. }
        | InputEvent::Up { at, .. }
        | InputEvent::Wheel { at, .. }
        | InputEvent::Tap { at, .. } => Some(*at),
        _ => None,
    })
}

/// Left 0, middle 1, right 2 (UI Events, `MouseEvent.button`).
fn button_number(button: MouseButton) -> u32 {
    match button {
        MouseButton::Left => 0,
        MouseButton::Middle => 1,
        MouseButton::Right => 2,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_rest_while_another_does_something() {
        let (mut actions, mut hand) = (Actions::default(), Hand::default());
        let key = engine::backend::Key {
            key: "Shift".to_owned(),
            code: "ShiftLeft".to_owned(),
            key_code: 16,
            location: 1,
            text: None,
        };
        actions.key(&key, true).unwrap();
        actions.press(&mut hand, Point { x: 1.0, y: 2.0 }, MouseButton::Right, true);
        actions.key(&key, false).unwrap();
        let sources = actions.sources();
        let kinds = |source: &Value| -> Vec<String> {
            let all = source["actions"].as_array().unwrap();
            all.iter().map(|action| action["type"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(kinds(&sources[0]), ["keyDown", "pause", "pause", "keyUp"]);
        assert_eq!(kinds(&sources[1]), ["pause", "pointerMove", "pointerDown", "pause"]);
        assert_eq!(sources[1]["actions"][2]["button"], 2);
    }
}
