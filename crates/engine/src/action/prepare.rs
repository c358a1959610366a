//! Waiting until a user could act on an element, and knowing where.
//!
//! One question does it all in the page (injected/prepare.js). It waits there for a slice of the time, so that a lost
//! answer costs little; here it is asked again until the call's time is up, in whatever document the target leads to by
//! then.

use std::time::Duration;

use base::CallScope;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Acted;
use super::diary::{Blocked, Diary, Entry};
use super::through::Passage;
use crate::backend::{BackendError, FrameId, Point};
use crate::drawn::Drawn;
use crate::failed::Failed;
use crate::injected::watch_token;
use crate::locate::{Located, Place};
use crate::page::{Interruption, Page};
use crate::target::Target;

/// A wait in the page is asked for again after this long.
const SLICE: Duration = Duration::from_secs(1);
/// Kept for the last answer, so that the reason of a refusal is told.
const ANSWERING: Duration = Duration::from_millis(100);

/// What an action needs of its element.
#[derive(Debug, Clone, Default)]
pub(crate) struct Aim {
    /// What must hold: `visible`, `enabled`, `editable`, `stable`, `hit`.
    pub(crate) needs: &'static [&'static str],
    /// The kinds of field that it fits, if it is for fields.
    pub(crate) kinds: Option<&'static [&'static str]>,
    /// Where on the element.
    pub(crate) position: Option<Point>,
    /// Nothing need hold.
    pub(crate) force: bool,
    /// Which of the action's events are guarded.
    pub(crate) guard: Option<&'static str>,
    /// How long a button is held.
    pub(crate) delay: Duration,
    /// The label is clicked where the control can't be seen.
    pub(crate) press: bool,
    /// What is done at once in the page.
    pub(crate) then: Option<Value>,
}

/// An element that is ready to be acted on.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) frame: FrameId,
    /// In the viewport of the topmost frame.
    pub(crate) point: Point,
    pub(crate) acted: Acted,
    pub(crate) field: Field,
}

/// What the page says about a field.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Field {
    pub(crate) kind: String,
    pub(crate) empty: bool,
    pub(crate) values: Vec<String>,
}

/// What `injected.prepare` answers.
#[derive(Debug, Deserialize)]
struct Answer {
    ready: Option<Ready>,
    blocked: Option<Blocked>,
    unfit: Option<String>,
    #[serde(default)]
    preview: String,
    #[serde(default)]
    diary: Vec<Entry>,
    #[serde(flatten)]
    located: Located,
}

#[derive(Debug, Deserialize)]
struct Ready {
    preview: String,
    selector: String,
    point: Option<Point>,
    #[serde(default)]
    field: Field,
}

impl Aim {
    fn question(&self, place: &Place, wait: Duration, suspicious: bool) -> Value {
        json!({
            "at": place.at,
            "wait": wait.as_millis(),
            "needs": self.needs,
            "kinds": self.kinds,
            "position": self.position,
            "force": self.force,
            "guard": self.guard,
            "delay": self.delay.as_millis(),
            "press": self.press,
            "scroll": true,
            "then": self.then,
            "watch": watch_token(),
            "suspicious": suspicious,
        })
    }
}

impl Page {
    /// Waits until `target` is as `aim` needs it.
    pub(super) async fn prepare(
        &self,
        target: &Target,
        aim: &Aim,
        diary: &mut Diary,
        scope: &CallScope,
    ) -> Result<Prepared, Failed> {
        loop {
            match self.prepare_once(target, aim, diary, scope).await {
                Ok(Some(prepared)) => {
                    self.state().hand.acted = Some(prepared.frame.clone());
                    return Ok(prepared);
                }
                Err(Failed::Interrupted(Interruption::TimedOut)) => return Err(diary.refusal(target, scope)),
                Ok(None) if time_left(scope).is_zero() => return Err(diary.refusal(target, scope)),
                Ok(None)
                | Err(Failed::Interrupted(Interruption::Backend(
                    BackendError::DocumentGone | BackendError::FrameGone,
                ))) => {}
                Err(why) => return Err(why),
            }
        }
    }

    /// One slice of waiting; nothing if it was in vain.
    async fn prepare_once(
        &self,
        target: &Target,
        aim: &Aim,
        diary: &mut Diary,
        scope: &CallScope,
    ) -> Result<Option<Prepared>, Failed> {
        let place = self.place(target, scope).await?;
        let left = time_left(scope);
        let question = aim.question(&place, slice(left), diary.is_suspicious());
        let asked = Instant::now();
        let answer: Answer = self.ask(&place.frame, "prepare", question, scope).await?;
        diary.extend(asked, answer.diary);
        if let Some(ready) = answer.ready {
            return self.reached(place.frame, ready, aim, diary, scope).await;
        }
        if let Some(why) = answer.unfit {
            return Err(Failed::Unfit { element: answer.preview, why });
        }
        if let Some(blocked) = answer.blocked {
            diary.blocked(answer.preview, blocked.into());
            return Ok(None);
        }
        if answer.located.none {
            diary.absent();
            return Ok(None);
        }
        Err(answer.located.failure(target).unwrap_or(Failed::Interrupted(Interruption::TimedOut)))
    }

    /// The element is ready in its frame; now the frames around it.
    async fn reached(
        &self,
        frame: FrameId,
        ready: Ready,
        aim: &Aim,
        diary: &mut Diary,
        scope: &CallScope,
    ) -> Result<Option<Prepared>, Failed> {
        let reach = aim.needs.contains(&"hit") && !aim.force;
        let passage = if reach { Passage::Reach } else { Passage::Reckon };
        let point = ready.point.unwrap_or(Point { x: 0.0, y: 0.0 });
        match self.to_the_top(&frame, point, &ready.selector, passage, scope).await? {
            Ok((point, locator)) => {
                self.drawn(&frame, Drawn::Once, scope).await?;
                let acted = Acted { element: ready.preview, locator };
                Ok(Some(Prepared { frame, point, acted, field: ready.field }))
            }
            Err((element, blocked)) => {
                let obstacle = blocked.into();
                diary.note(format!("its frame {obstacle}"));
                diary.blocked(element, obstacle);
                Ok(None)
            }
        }
    }
}

/// How long to wait in the page: towards the end in ever shorter slices, so that on a busy machine too the last answer but
/// one is in time.
fn slice(left: Duration) -> Duration {
    if left < ANSWERING { left } else { SLICE.min(left / 2) }
}

/// What is left of the call for waiting.
pub(super) fn time_left(scope: &CallScope) -> Duration {
    scope.deadline().remaining().saturating_sub(ANSWERING)
}
