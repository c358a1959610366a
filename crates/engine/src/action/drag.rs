//! Dragging within the page, and dropping from outside of it.

use base::CallScope;

use super::Acted;
use super::deliver::answered;
use super::diary::Diary;
use super::prepare::{Aim, Prepared, time_left};
use crate::backend::{Dropped, Modifiers, Point};
use crate::failed::Failed;
use crate::page::Page;
use crate::target::Target;

const NEEDS: &[&str] = &["visible", "stable", "hit"];
/// Moves between the two ends: pages look at the way, not only at its end.
const STEPS: u32 = 5;
/// A drag begins when the mouse has moved this far.
const START: f64 = 6.0;

impl Page {
    /// Drags one element to another.
    ///
    /// Both must be in view at the same time, because the page does not scroll under a dragging hand here.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn drag(
        &self,
        from: &Target,
        to: &Target,
        scope: &CallScope,
    ) -> Result<(Acted, Acted), Failed> {
        let (start, end) = self.both_in_view(from, to, scope).await?;
        let dragging = self.backend().drag(path(start.point, end.point), Modifiers::default());
        let dragged = self.attempt(scope, dragging).await;
        if answered(dragged)? {
            self.aftermath(&end.frame, scope).await?;
        }
        Ok((start.acted, end.acted))
    }

    /// Waits for both ends. What brings the second into view may take the first out of it: then the first is brought
    /// back, and the second must have stayed.
    async fn both_in_view(
        &self,
        from: &Target,
        to: &Target,
        scope: &CallScope,
    ) -> Result<(Prepared, Prepared), Failed> {
        let aim = Aim { needs: NEEDS, ..Aim::default() };
        let mut diary = Diary::new();
        let mut start = self.prepare(from, &aim, &mut diary, scope).await?;
        loop {
            let end = self.prepare(to, &aim, &mut diary, scope).await?;
            let again = self.prepare(from, &aim, &mut diary, scope).await?;
            if again.point == start.point {
                let settled = self.prepare(to, &aim, &mut diary, scope).await?;
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
        let aim = Aim { needs: NEEDS, ..Aim::default() };
        let prepared = self.prepare(target, &aim, &mut Diary::new(), scope).await?;
        let dropping = self.backend().drop_from_outside(prepared.point, dropped);
        let dropped = self.attempt(scope, dropping).await;
        if answered(dropped)? {
            self.aftermath(&prepared.frame, scope).await?;
        }
        Ok(prepared.acted)
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
