//! Handing input to a page, and asking what came of it.

use std::time::Duration;

use base::{CallScope, Deadline};
use serde_json::json;

use super::diary::Diary;
use super::held::letting_go;
use super::prepare::{Prepared, time_left};
use crate::backend::{BackendError, FrameId, InputEvent};
use crate::drawn::Drawn;
use crate::failed::Failed;
use crate::injected::watch_token;
use crate::page::{Interruption, Page, State};
use crate::settle::Report;
use crate::target::Target;

/// How long an action waits until what is held has been let go of.
const LETTING_GO: Duration = Duration::from_secs(1);

/// What became of an action's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It went where it should, or the page is busy with what it caused.
    Done,
    /// It went elsewhere and was stopped; the action is to be tried again.
    Missed,
}

/// Where input went that did not go to its element.
#[derive(Debug, Default)]
pub(super) struct Astray {
    /// There, and it was stopped.
    pub(super) missed: Option<String>,
    /// There, and it could not be stopped.
    pub(super) loose: Option<String>,
    /// Nowhere in the frame that it was meant for.
    pub(super) unseen: bool,
}

impl Page {
    /// Hands input to the page. What the input itself causes (a dialog, a new document, the page's end) is no failure,
    /// but leaves nobody to ask: false then.
    pub(super) async fn deliver(&self, events: Vec<InputEvent>, scope: &CallScope) -> Result<bool, Failed> {
        answered(self.attempt(scope, self.backend().input(events)).await)
    }

    /// Like [`Page::deliver`], with the button or the keys held for a while between two parts. What is held when that ends
    /// early is let go of.
    pub(super) async fn deliver_slowly(
        &self,
        parts: Vec<Vec<InputEvent>>,
        delay: Duration,
        scope: &CallScope,
    ) -> Result<bool, Failed> {
        let mut begun = 0;
        let delivered = self.deliver_in_turn(&parts, delay, &mut begun, scope).await;
        let (begun, left) = parts.split_at(begun);
        self.let_go(letting_go(&begun.concat(), left.concat())).await;
        delivered
    }

    async fn deliver_in_turn(
        &self,
        parts: &[Vec<InputEvent>],
        delay: Duration,
        begun: &mut usize,
        scope: &CallScope,
    ) -> Result<bool, Failed> {
        for part in parts {
            if *begun > 0 {
                scope.race(tokio::time::sleep(delay)).await.map_err(Interruption::from)?;
            }
            // What is not asked of a page that is held up was not begun.
            if let Some(why) = self.state().interruption() {
                return answered(Err::<(), _>(why));
            }
            *begun += 1;
            if !self.deliver(part.clone(), scope).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lets go of what is held, whatever became of the action. A page that can't take it any more holds nothing; one that
    /// takes it later than anybody waits for does so before the hand moves again.
    pub(super) async fn let_go(&self, released: Vec<InputEvent>) {
        if !released.is_empty() {
            let backend = self.backend().clone();
            let letting_go = tokio::spawn(async move { backend.input(released).await });
            let _ = Deadline::after(LETTING_GO).race(letting_go).await;
        }
    }

    /// Asks whether the input went to the element, and keeps for settling what is still to come.
    pub(super) async fn verdict(
        &self,
        target: &Target,
        prepared: &Prepared,
        diary: &mut Diary,
        scope: &CallScope,
    ) -> Result<Outcome, Failed> {
        let Astray { missed, unseen, .. } = self.aftermath(&prepared.frame, scope).await?;
        match missed {
            Some(by) => diary.missed(&prepared.acted.element, by),
            // A frame of another process that was just scrolled may be drawn where it was before: input goes past it.
            None if unseen && diary.may_be_lost() => self.drawn(&prepared.frame, Drawn::Now, scope).await?,
            None => return Ok(Outcome::Done),
        }
        if time_left(scope).is_zero() { Err(diary.refusal(target, scope)) } else { Ok(Outcome::Missed) }
    }

    /// What received the input instead of the element, if the guard saw that.
    pub(super) async fn aftermath(&self, frame: &FrameId, scope: &CallScope) -> Result<Astray, Failed> {
        let verdict = self.ask(frame, "verdict", json!({ "watch": watch_token() }), scope);
        let leaving = |state: &State| state.frames.top().pending.is_some().then_some(());
        let report: Result<Report, Interruption> = tokio::select! {
            biased;
            report = verdict => report,
            // A page that is on its way elsewhere may not answer before it is there; settling follows it.
            Ok(()) = self.wait_for(scope, leaving) => return Ok(Astray::default()),
        };
        let Ok(report) = report else {
            answered(report)?;
            return Ok(Astray::default());
        };
        let (missed, loose) = (report.missed.clone(), report.loose.clone());
        let mut state = self.state();
        // What is acted on in a frame may have its effect in the page around it, which has not been asked.
        let whole = frame == state.frames.main();
        let astray = Astray { missed, loose, unseen: report.unseen && !whole };
        state.hand.report = Some(report).filter(|_| whole);
        Ok(astray)
    }
}

/// Whether the page can be asked further; false when what was done took it away.
pub(super) fn answered<T>(answer: Result<T, Interruption>) -> Result<bool, Failed> {
    use BackendError::{DialogOpen, DocumentGone, FrameGone, PageGone};
    match answer {
        Ok(_) => Ok(true),
        Err(
            Interruption::Dialog(_)
            | Interruption::Closed
            | Interruption::Backend(DialogOpen | DocumentGone | FrameGone | PageGone),
        ) => Ok(false),
        Err(why) => Err(why.into()),
    }
}
