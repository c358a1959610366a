//! From what an agent addressed to an element in a frame.

use std::time::Duration;

use base::{CallScope, Deadline};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::backend::{BackendError, FrameId, Handle, Question};
use crate::failed::{Failed, Match, RefGone};
use crate::locator::Selector;
use crate::page::{Interruption, Page};
use crate::target::Target;

/// The document of an element, and what the injected script there calls it: the `at` of a question.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) frame: FrameId,
    pub(crate) at: Value,
}

/// What `injected.locate` answers.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Located {
    pub(crate) held: Option<u64>,
    pub(crate) none: bool,
    pub(crate) many: usize,
    pub(crate) matches: Vec<Match>,
    pub(crate) gone: Option<RefGone>,
}

impl Located {
    /// Why there is no element, if there is none.
    pub(crate) fn failure(self, target: &Target) -> Option<Failed> {
        let target = target.to_string();
        if let Some(why) = self.gone {
            Some(Failed::StaleRef { reference: target, why })
        } else if self.many > 0 {
            Some(Failed::NotUnique { target, count: self.many, matches: self.matches })
        } else {
            self.none.then_some(Failed::NotFound { target })
        }
    }
}

/// A wait in the page is asked for again after this long, so that a lost answer costs no more.
const SLICE: Duration = Duration::from_secs(1);
/// Kept for the answer of the last wait, so that a page that says "there is none" is told apart from one that says nothing.
const ANSWERING: Duration = Duration::from_millis(50);

impl Page {
    /// The document that `target` leads into, and its element's name there. Frames on the way are waited for; the
    /// element itself is not looked for.
    pub(crate) async fn place(&self, target: &Target, scope: &CallScope) -> Result<Place, Failed> {
        self.place_within(target, scope.deadline(), scope).await
    }

    /// Like [`Page::place`], with patience for frames that are not there only until then.
    pub(crate) async fn place_within(
        &self,
        target: &Target,
        patience: Deadline,
        scope: &CallScope,
    ) -> Result<Place, Failed> {
        match target {
            Target::Ref(reference) => {
                let frame = self.state().frames.by_number(reference.frame()).cloned();
                let at = json!({ "ref": reference.as_str() });
                let gone = || Failed::StaleRef { reference: target.to_string(), why: RefGone::Frame };
                frame.map(|frame| Place { frame, at }).ok_or_else(gone)
            }
            Target::Selector(selector) => {
                let mut documents = selector.by_document();
                let last = documents.pop().unwrap_or_else(|| selector.clone());
                let mut frame = self.main_frame();
                for door in documents {
                    frame = self.inside(&frame, door, patience, scope).await?;
                }
                Ok(Place { frame, at: json!({ "selector": last }) })
            }
        }
    }

    /// The frame behind a frame element.
    async fn inside(
        &self,
        frame: &FrameId,
        door: Selector,
        patience: Deadline,
        scope: &CallScope,
    ) -> Result<FrameId, Failed> {
        let target = Target::Selector(door.clone());
        let place = Place { frame: frame.clone(), at: json!({ "selector": door }) };
        loop {
            let element = self.node_at(&place, &target, patience, scope).await?;
            let inside = self.attempt(scope, self.backend().content_frame(&element)).await;
            self.backend().release(element);
            match inside {
                Ok(Some(frame)) => return Ok(frame),
                // The element is looked for anew in what came after its document.
                Err(Interruption::Backend(BackendError::DocumentGone)) => continue,
                inside => inside?,
            };
            // One that was removed meanwhile has no document; one that is still there is no frame.
            match self.locate_within(&place, &target, Deadline::after(Duration::ZERO), scope).await {
                Err(Failed::NotFound { .. }) if !patience.has_passed() => {}
                Err(failed) => return Err(failed),
                Ok(_) => {
                    let why = "is no frame; address an iframe before contentFrame()".to_owned();
                    return Err(Failed::Unfit { element: target.to_string(), why });
                }
            }
        }
    }

    /// The element that `target` addresses, when it is there.
    pub(crate) async fn node(&self, target: &Target, scope: &CallScope) -> Result<Handle, Failed> {
        loop {
            let place = self.place(target, scope).await?;
            match self.node_at(&place, target, scope.deadline(), scope).await {
                // The way through the frames is gone again, and found anew if there is one.
                Err(Failed::Interrupted(Interruption::Backend(BackendError::FrameGone)))
                    if matches!(target, Target::Selector(_)) => {}
                found => return found,
            }
        }
    }

    async fn node_at(
        &self,
        place: &Place,
        target: &Target,
        patience: Deadline,
        scope: &CallScope,
    ) -> Result<Handle, Failed> {
        loop {
            let held = self.locate_within(place, target, patience, scope).await?;
            let node = self.backend().ask_for_node(&place.frame, &Question::new("held", held));
            match self.attempt(scope, node).await {
                Ok(Some(node)) => return Ok(node),
                Ok(None) | Err(Interruption::Backend(BackendError::DocumentGone)) => {}
                Err(why) => return Err(why.into()),
            }
        }
    }

    /// Waits until the element is there and gives its number in the injected script.
    pub(crate) async fn locate(
        &self,
        place: &Place,
        target: &Target,
        scope: &CallScope,
    ) -> Result<u64, Failed> {
        self.locate_within(place, target, scope.deadline(), scope).await
    }

    /// Like [`Page::locate`], with patience for an element that is not there only until then.
    async fn locate_within(
        &self,
        place: &Place,
        target: &Target,
        patience: Deadline,
        scope: &CallScope,
    ) -> Result<u64, Failed> {
        let mut last: Option<Located> = None;
        let nothing = Failed::Interrupted(Interruption::TimedOut);
        loop {
            let left = patience.remaining().saturating_sub(ANSWERING);
            // The first look waits for nothing: however late later answers come, there is one to tell.
            let wait = if last.is_some() { left.min(SLICE) } else { Duration::ZERO };
            let question = json!({ "at": place.at, "wait": wait.as_millis() });
            let located: Located = match self.ask(&place.frame, "locate", question, scope).await {
                Err(Interruption::Backend(BackendError::DocumentGone)) => continue,
                Err(Interruption::TimedOut) => {
                    return Err(last.and_then(|last| last.failure(target)).unwrap_or(nothing));
                }
                answer => answer?,
            };
            if let Some(held) = located.held {
                return Ok(held);
            }
            if !located.none || left.is_zero() {
                return Err(located.failure(target).unwrap_or(nothing));
            }
            last = Some(located);
        }
    }

    /// The topmost frame.
    pub(crate) fn main_frame(&self) -> FrameId {
        self.state().frames.main().clone()
    }

    /// Asks the injected script in `frame`, and reads its answer.
    pub(crate) async fn ask<T: for<'de> Deserialize<'de>>(
        &self,
        frame: &FrameId,
        method: &'static str,
        argument: Value,
        scope: &CallScope,
    ) -> Result<T, Interruption> {
        let question = Question { method, argument };
        let answer = self.attempt(scope, self.backend().ask(frame, &question)).await?;
        serde_json::from_str(answer.get()).map_err(|error| {
            let reason = format!("its answer can't be read: {error}");
            Interruption::Backend(BackendError::Refused { request: method.to_owned(), reason })
        })
    }
}
