//! Dragging. The automation session's mouse moves begin no drag of the browser's own, so one that a page wants is played by
//! events that a script makes (drag.js), in every frame that it comes through; without one it is a plain gesture of the mouse.

use engine::backend::{BackendError, Dropped, FrameId, Modifiers, MouseButton, Point};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::files::read_files;
use super::page::Page;
use crate::dragged::keys;

const LEFT: MouseButton = MouseButton::Left;

const PLAY: &str = include_str!("drag.js");

/// What a page lets be dragged.
#[derive(Debug, Deserialize)]
struct Cargo {
    data: Value,
    allowed: Value,
}

/// A drag that a page began.
#[derive(Debug)]
struct Drag {
    cargo: Cargo,
    keys: Value,
    /// Where it began.
    source: FrameId,
    /// Where it is.
    over: FrameId,
    /// The frames that it came through.
    through: Vec<FrameId>,
}

impl Page {
    /// Drags to the end, or to where the caller gives up; in any case it lets go before the next hand moves.
    pub(super) async fn drag_along(
        &self,
        path: Vec<Point>,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        let hands = self.hands.clone().lock_owned().await;
        let page = self.me.upgrade().ok_or(BackendError::PageGone)?;
        let given_up = CancellationToken::new();
        let _giving_up = given_up.clone().drop_guard();
        let dragging = tokio::spawn(async move {
            let dragged = page.drag_until(&path, modifiers, &given_up).await;
            drop(hands);
            dragged
        });
        dragging.await.unwrap_or(Err(BackendError::PageGone))
    }

    async fn drag_until(
        &self,
        path: &[Point],
        modifiers: Modifiers,
        given_up: &CancellationToken,
    ) -> Result<(), BackendError> {
        let Some(mut at) = path.first().copied() else { return Ok(()) };
        self.mouse("Move", at, None, modifiers).await?;
        let pressed = self.mouse("Down", at, Some(LEFT), modifiers).await;
        let begun = match pressed {
            Ok(()) => self.begin_drag(at, modifiers).await,
            Err(error) => Err(error),
        };
        let way = path.iter().skip(1).chain(path.last());
        let (drag, dragged) = match begun {
            Ok(Some(mut drag)) => {
                let dragged = self.play_drag(&mut drag, way, &mut at, given_up).await;
                (Some(drag), dragged)
            }
            Ok(None) => (None, self.move_along(way, &mut at, modifiers, given_up).await),
            Err(error) => (None, Err(error)),
        };
        let released = self.mouse("Up", at, Some(LEFT), modifiers).await;
        for frame in drag.iter().flat_map(|drag| &drag.through) {
            // Of a document that is gone there is nothing to take back.
            let _ = self.play(frame, "rest", at, Value::Null).await;
        }
        dragged.and(released)
    }

    async fn move_along(
        &self,
        way: impl Iterator<Item = &Point>,
        at: &mut Point,
        modifiers: Modifiers,
        given_up: &CancellationToken,
    ) -> Result<(), BackendError> {
        for next in way {
            if given_up.is_cancelled() {
                break;
            }
            *at = *next;
            self.mouse("Move", *at, Some(LEFT), modifiers).await?;
        }
        Ok(())
    }

    /// Whether the page lets something be dragged that lies at a point.
    async fn begin_drag(&self, at: Point, modifiers: Modifiers) -> Result<Option<Drag>, BackendError> {
        let keys = keys(modifiers);
        let (source, inside) = self.spot_of(at).await?;
        let told = self.play(&source, "begin", inside, json!({ "keys": keys })).await?;
        let cargo: Option<Cargo> = serde_json::from_str(told.get()).ok().flatten();
        let over = source.clone();
        Ok(cargo.map(|cargo| Drag { cargo, keys, through: vec![source.clone()], source, over }))
    }

    /// From the press to the last point, or to the one at which it is given up.
    async fn play_drag(
        &self,
        drag: &mut Drag,
        way: impl Iterator<Item = &Point>,
        at: &mut Point,
        given_up: &CancellationToken,
    ) -> Result<(), BackendError> {
        let given = json!({ "keys": drag.keys, "data": drag.cargo.data, "allowed": drag.cargo.allowed });
        for next in way {
            if given_up.is_cancelled() {
                break;
            }
            *at = *next;
            let (over, inside) = self.spot_of(*at).await?;
            self.play(&drag.source, "move", inside, given.clone()).await?;
            if over != drag.over {
                self.play(&drag.over, "leave", inside, given.clone()).await?;
                drag.over = over.clone();
                drag.through.push(over);
            }
            self.play(&drag.over, "over", inside, given.clone()).await?;
        }
        let (_, inside) = self.spot_of(*at).await?;
        // Nothing is dropped where a drag is given up.
        let last = if given_up.is_cancelled() { "leave" } else { "drop" };
        let effect = match self.play(&drag.over, last, inside, given).await {
            // The drop led to another document.
            Err(BackendError::DocumentGone | BackendError::FrameGone) => return Ok(()),
            effect => effect?,
        };
        let effect: Option<String> = serde_json::from_str(effect.get()).ok().flatten();
        let effect = effect.unwrap_or_else(|| "none".to_owned());
        match self.play(&drag.source, "end", inside, json!({ "keys": drag.keys, "effect": effect })).await {
            Err(BackendError::DocumentGone | BackendError::FrameGone) => Ok(()),
            ended => ended.map(drop),
        }
    }

    /// Plays a part of a drag in a frame, at a point of its own.
    async fn play(
        &self,
        frame: &FrameId,
        part: &str,
        at: Point,
        given: Value,
    ) -> Result<Box<RawValue>, BackendError> {
        let realm = self.realm(frame).await?;
        let objects = self.objects(&realm).await?;
        let arguments = [json!(part), json!(at.x), json!(at.y), given].map(|value| json!({ "value": value }));
        self.call_on(&realm, &objects.script, PLAY, &arguments, true).await
    }

    pub(super) async fn drop_at(&self, at: Point, dropped: Dropped) -> Result<(), BackendError> {
        let files = read_files(dropped.files).await?;
        let (frame, inside) = self.spot_of(at).await?;
        let given = json!({ "keys": keys(Modifiers::default()), "files": files, "data": dropped.data });
        self.play(&frame, "outside", inside, given).await.map(drop)
    }
}
