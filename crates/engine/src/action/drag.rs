//! Dragging within the page, and dropping from outside of it.

use std::time::Duration;

use base::CallScope;

use super::Acted;
use super::deliver::{Astray, Outcome, answered};
use super::diary::Diary;
use super::modifiers::{letting_go, pressing};
use super::prepare::{Aim, Prepared, time_left};
use crate::backend::{Dropped, Modifiers, Point};
use crate::failed::Failed;
use crate::page::{Interruption, Page};
use crate::target::Target;

const NEEDS: &[&str] = &["visible", "stable", "hit"];
/// Moves between the two ends: pages look at the way, not only at its end.
const STEPS: u32 = 5;
/// A drag begins when the mouse has moved this far.
const START: f64 = 6.0;
/// How long the way from one end to the other may take while its ends are guarded.
const WAY: Duration = Duration::from_secs(10);

/// What was dragged where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dragged {
    /// What was dragged.
    pub from: Acted,
    /// To where.
    pub to: Acted,
    /// Over what the mouse was let go, if that was something else: the page follows the mouse by itself then, and only
    /// it knows whether that matters.
    pub over: Option<String>,
}

impl Page {
    /// Drags one element to another, with keys held.
    ///
    /// Both must be in view at the same time, because the page does not scroll under a dragging hand here.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn drag(
        &self,
        from: &Target,
        to: &Target,
        held: Modifiers,
        scope: &CallScope,
    ) -> Result<Dragged, Failed> {
        let mut diary = Diary::new();
        loop {
            match self.drag_once(from, to, held, &mut diary, scope).await {
                Ok(Some(dragged)) => return Ok(dragged),
                Ok(None) if !time_left(scope).is_zero() => {}
                // That the time was up says less than what it was lost with.
                Ok(None) | Err(Failed::Interrupted(Interruption::TimedOut)) => {
                    return Err(diary.refusal(to, scope));
                }
                Err(why) => return Err(why),
            }
        }
    }

    /// One drag; nothing if one of its ends was missed, and the page had nothing of it.
    async fn drag_once(
        &self,
        from: &Target,
        to: &Target,
        held: Modifiers,
        diary: &mut Diary,
        scope: &CallScope,
    ) -> Result<Option<Dragged>, Failed> {
        let (start, end) = self.both_in_view(from, to, diary, scope).await?;
        let mut over = None;
        if self.drag_between(&start, &end, held, scope).await? {
            // Without a document of its own to ask, the beginning is judged with the end.
            if start.frame != end.frame && self.verdict(from, &start, diary, scope).await? == Outcome::Missed
            {
                return Ok(None);
            }
            let Astray { missed, loose, .. } = self.aftermath(&end.frame, scope).await?;
            if let Some(by) = missed {
                diary.missed(&end.acted.element, by);
                return Ok(None);
            }
            over = loose;
        }
        Ok(Some(Dragged { from: start.acted, to: end.acted, over }))
    }

    /// Moves the mouse from one end to the other, and lets go of everything. Whether the page can be asked about it.
    async fn drag_between(
        &self,
        start: &Prepared,
        end: &Prepared,
        held: Modifiers,
        scope: &CallScope,
    ) -> Result<bool, Failed> {
        let pressed = pressing(held);
        if !pressed.is_empty() && !self.deliver(pressed, scope).await? {
            return Ok(false);
        }
        let dragging = self.backend().drag(path(start.point, end.point), held);
        let dragged = self.attempt(scope, dragging).await;
        self.let_go(letting_go(held)).await;
        answered(dragged)
    }

    /// Waits for both ends. What brings the second into view may take the first out of it: then the first is brought
    /// back, and the second must have stayed.
    async fn both_in_view(
        &self,
        from: &Target,
        to: &Target,
        diary: &mut Diary,
        scope: &CallScope,
    ) -> Result<(Prepared, Prepared), Failed> {
        let lift = Aim { needs: NEEDS, guard: Some("lift"), delay: WAY, ..Aim::default() };
        let drop = Aim { guard: Some("drop"), ..lift.clone() };
        let mut start = self.prepare(from, &lift, diary, scope).await?;
        loop {
            let end = self.prepare(to, &drop, diary, scope).await?;
            let again = self.prepare(from, &lift, diary, scope).await?;
            if again.point == start.point {
                let settled = self.prepare(to, &drop, diary, scope).await?;
                if settled.point == end.point {
                    return Ok((again, settled));
                }
            }
            start = again;
            if time_left(scope).is_zero() {
                let why = "can't be in view together with where it is dragged to; make the viewport larger";
                return Err(Failed::Unfit { element: start.acted.element, why: why.to_owned() });
            }
        }
    }

    /// Drops files or data on an element, as if they came from outside of the browser.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn drop_on(
        &self,
        target: &Target,
        dropped: Dropped,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        let aim = Aim { needs: NEEDS, guard: Some("drop"), ..Aim::default() };
        let mut diary = Diary::new();
        loop {
            let prepared = self.prepare(target, &aim, &mut diary, scope).await?;
            let dropping = self.backend().drop_from_outside(prepared.point, dropped.clone());
            let done = !answered(self.attempt(scope, dropping).await)?
                || self.verdict(target, &prepared, &mut diary, scope).await? == Outcome::Done;
            if done {
                return Ok(prepared.acted);
            }
        }
    }
}

/// From one point to the other: a first small move that starts the drag, the way, and a rest at its end.
fn path(from: Point, to: Point) -> Vec<Point> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy);
    let part = |share: f64| Point { x: from.x + dx * share, y: from.y + dy * share };
    let first = if length > START { part(START / length) } else { Point { x: from.x + START, y: from.y } };
    let way = (1..=STEPS).map(|step| part(f64::from(step) / f64::from(STEPS)));
    [from, first].into_iter().chain(way).chain([to]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_starts_small_goes_in_steps_and_rests_at_its_end() {
        let path = path(Point { x: 0.0, y: 0.0 }, Point { x: 100.0, y: 0.0 });
        let xs: Vec<f64> = path.iter().map(|point| point.x).collect();
        assert_eq!(xs, [0.0, 6.0, 20.0, 40.0, 60.0, 80.0, 100.0, 100.0]);
    }
}
