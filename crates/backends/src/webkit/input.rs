//! What a hand does, one event after the other: the session takes the next only when the page has had the last.
//!
//! The session answers a stroke only when the window is painted, and the page does before that. So the last release is not
//! waited for: what is asked then comes to the page right behind it, and its answer waits for the session's (`after_release`).

use std::sync::atomic::Ordering;

use engine::backend::{BackendError, InputEvent, Modifiers, MouseButton, Point};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::keys;
use super::page::Page;
use crate::doors::FOCUSED_DOOR;

/// Has the mouse do one thing.
const STROKE: &str = "Automation.performMouseInteraction";

/// What the session remembers of earlier input: it is told states, and makes events of what changed.
#[derive(Debug, Default)]
pub(super) struct Hands {
    pub(super) keys: keys::Held,
    /// How far the wheel was turned in all.
    wheel: (f64, f64),
    /// Where the last button went down, to the pixel.
    last: Option<Point>,
    /// By how much the click under way is beside its point.
    beside: f64,
}

impl Hands {
    /// Where a button goes down. The browser counts clicks by time and place: one that is to be the first in a row, where
    /// the last one was, is told from it by a pixel.
    fn press(&mut self, at: Point, clicks: u32) -> Point {
        if clicks <= 1 {
            let same = |beside: f64| {
                self.last.is_some_and(|last| {
                    last.x.floor() == (at.x + beside).floor() && last.y.floor() == at.y.floor()
                })
            };
            self.beside = if same(0.0) { 1.0 } else { 0.0 };
        }
        let at = self.moved(at);
        self.last = Some(at);
        at
    }

    /// Where the mouse is while the button is down.
    fn moved(&self, at: Point) -> Point {
        Point { x: at.x + self.beside, y: at.y }
    }
}

impl Page {
    /// Does it all once it has begun, also when nobody waits for it any more: what was pressed would stay so, and the next
    /// input would meet the rest of this. Comes back when all is done but the answer to a last release.
    pub(super) async fn hand(&self, events: Vec<InputEvent>) -> Result<(), BackendError> {
        let mut hands = self.hands.clone().lock_owned().await;
        let page = self.me.upgrade().ok_or(BackendError::PageGone)?;
        let (sent, released) = oneshot::channel();
        let moving = tokio::spawn(async move {
            let moved = page.make(&mut hands, &events, sent).await;
            if let Err(error) = &moved {
                tracing::debug!(component = "webkit", event = "input_failed", %error);
                hands.keys = keys::Held::default();
            }
            page.releasing.store(false, Ordering::SeqCst);
            moved
        });
        tokio::select! {
            biased;
            moved = moving => moved.unwrap_or(Err(BackendError::PageGone)),
            Ok(()) = released => Ok(()),
        }
    }

    /// What `asked` answers, but not before a release that was under way at its beginning is over: what a click led to is
    /// told by then.
    pub(super) async fn after_release<T>(&self, asked: impl Future<Output = T>) -> T {
        let releasing = self.releasing.load(Ordering::SeqCst);
        let answer = asked.await;
        if releasing {
            drop(self.hands.lock().await);
        }
        answer
    }

    async fn make(
        &self,
        hands: &mut Hands,
        events: &[InputEvent],
        sent: oneshot::Sender<()>,
    ) -> Result<(), BackendError> {
        let mut steps: Vec<Value> = Vec::new();
        let mut strokes: Vec<Value> = Vec::new();
        for event in events {
            if !matches!(event, InputEvent::KeyDown { .. } | InputEvent::KeyUp { .. }) {
                self.press_keys(std::mem::take(&mut steps)).await?;
            }
            // Of moves that wait for each other the browser takes the last alone: one begins anew.
            if !matches!(event, InputEvent::Down { .. } | InputEvent::Up { .. }) {
                self.stroke(std::mem::take(&mut strokes)).await?;
            }
            match event {
                InputEvent::KeyDown { key, repeat, .. } => steps.extend(hands.keys.down(key, *repeat)),
                InputEvent::KeyUp { key, .. } => steps.push(hands.keys.up(key)),
                InputEvent::Move { at, held, modifiers } => {
                    strokes.push(stroke("Move", *at, *held, *modifiers));
                }
                InputEvent::Down { at, button, clicks, modifiers } => {
                    strokes.push(stroke("Down", hands.press(*at, *clicks), Some(*button), *modifiers));
                }
                InputEvent::Up { at, button, modifiers, .. } => {
                    strokes.push(stroke("Up", hands.moved(*at), Some(*button), *modifiers));
                }
                InputEvent::Wheel { at, dx, dy, .. } => {
                    hands.wheel = (hands.wheel.0 + dx, hands.wheel.1 + dy);
                    self.turn_wheel(*at, hands.wheel).await?;
                }
                InputEvent::Text(text) => self.write(text).await?,
                InputEvent::Tap { .. } => {
                    return Err(BackendError::Unsupported {
                        what: "touch",
                        instead: "click instead, or use Chromium",
                    });
                }
            }
        }
        self.press_keys(steps).await?;
        let release = strokes.pop_if(|last| last["interaction"] == "Up");
        self.stroke(strokes).await?;
        if let Some(release) = release {
            self.releasing.store(true, Ordering::SeqCst);
            let tell = || _ = sent.send(());
            delivered(self.automate_in_a_row(STROKE, &[release], tell).await)?;
        }
        self.chooser_told().await;
        Ok(())
    }

    /// Has the mouse do one thing.
    pub(super) async fn mouse(
        &self,
        interaction: &str,
        at: Point,
        button: Option<MouseButton>,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        self.stroke(vec![stroke(interaction, at, button, modifiers)]).await
    }

    /// Has the mouse do these things, one right after the other: the page tells that it has had a move only when it draws its
    /// next frame, which a hand that presses a button then does not wait for.
    async fn stroke(&self, strokes: Vec<Value>) -> Result<(), BackendError> {
        delivered(self.automate_in_a_row(STROKE, &strokes, || {}).await)
    }

    async fn turn_wheel(&self, at: Point, turned: (f64, f64)) -> Result<(), BackendError> {
        let state = json!({
            "sourceId": "wheel",
            "location": { "x": at.x.floor(), "y": at.y.floor() },
            "delta": { "width": turned.0.round(), "height": turned.1.round() },
        });
        self.sequence("Wheel", "wheel", vec![json!({ "states": [state] })]).await?;
        // The page scrolls in its next frames.
        self.frames_pass().await
    }

    async fn press_keys(&self, states: Vec<Value>) -> Result<(), BackendError> {
        if states.is_empty() {
            return Ok(());
        }
        let steps = states.into_iter().map(|state| json!({ "states": [state] })).collect();
        self.sequence("Keyboard", keys::SOURCE, steps).await
    }

    async fn sequence(&self, kind: &str, source: &str, steps: Vec<Value>) -> Result<(), BackendError> {
        let act = |handle: &str| {
            json!({
                "handle": handle,
                "inputSources": [{ "sourceId": source, "sourceType": kind }],
                "steps": steps,
            })
        };
        delivered(self.automate("Automation.performInteractionSequence", act).await.map(drop))
    }

    async fn frames_pass(&self) -> Result<(), BackendError> {
        let wait =
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))";
        let waited = self.evaluate_function(&self.main_frame, wait, Vec::new());
        match base::Deadline::after(std::time::Duration::from_millis(300)).race(waited).await {
            Ok(Err(error @ (BackendError::BrowserGone(_) | BackendError::PageGone))) => Err(error),
            _ => Ok(()),
        }
    }

    /// Writes a text where the focus is, as an input method does.
    async fn write(&self, text: &str) -> Result<(), BackendError> {
        let mut frame = self.main_frame.clone();
        // Down into the frame that has the focus.
        loop {
            let realm = self.realm(&frame).await?;
            let found = self.expression(&realm, &format!("({FOCUSED_DOOR})()")).await?;
            let Some(door) = super::evaluate::node(&frame, "the focus", found)? else { break };
            let within = self.frame_in(&door).await?;
            self.let_go(&door);
            let Some(within) = within else { break };
            frame = within;
        }
        let function = "text => { document.execCommand('insertText', false, text); }";
        let argument = vec![engine::backend::Argument::Json(json!(text))];
        self.evaluate_function(&frame, function, argument).await.map(drop)
    }
}

/// What was delivered; a dialog that it opens is no fault of its.
fn delivered(answer: Result<(), BackendError>) -> Result<(), BackendError> {
    match answer {
        Err(BackendError::Refused { reason, .. }) if reason.starts_with("UnexpectedAlertOpen") => Ok(()),
        answer => answer,
    }
}

/// One thing that the mouse does, with a button or without.
fn stroke(interaction: &str, at: Point, button: Option<MouseButton>, modifiers: Modifiers) -> Value {
    let button = match button {
        None => "None",
        Some(MouseButton::Left) => "Left",
        Some(MouseButton::Right) => "Right",
        Some(MouseButton::Middle) => "Middle",
    };
    json!({
        "position": { "x": at.x.floor().max(0.0), "y": at.y.floor().max(0.0) },
        "button": button, "interaction": interaction, "modifiers": names(modifiers),
    })
}

pub(super) fn names(modifiers: Modifiers) -> Vec<&'static str> {
    let all = [
        (modifiers.alt, "Alt"),
        (modifiers.control, "Control"),
        (modifiers.meta, "Meta"),
        (modifiers.shift, "Shift"),
    ];
    all.into_iter().filter(|(held, _)| *held).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_first_clicks_in_one_place_are_no_double_click() {
        let (mut hands, at) = (Hands::default(), Point { x: 5.0, y: 5.0 });
        assert_eq!(hands.press(at, 1).x, 5.0);
        assert_eq!(hands.press(at, 2).x, 5.0);
        assert_eq!(hands.press(at, 1).x, 6.0);
        assert_eq!(hands.press(at, 2).x, 6.0);
        assert_eq!(hands.press(at, 1).x, 5.0);
    }
}
