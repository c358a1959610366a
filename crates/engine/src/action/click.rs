//! Clicking.

use base::CallScope;

use super::deliver::Outcome;
use super::diary::Diary;
use super::modifiers::holding;
use super::prepare::{Aim, Prepared};
use super::{Acted, Click};
use crate::backend::{InputEvent, Modifiers, Point};
use crate::failed::Failed;
use crate::page::Page;
use crate::target::Target;

const NEEDS: &[&str] = &["visible", "enabled", "stable", "hit"];

impl Page {
    /// Clicks.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn click(&self, target: &Target, how: &Click, scope: &CallScope) -> Result<Acted, Failed> {
        self.click_as(target, how, Aim::default(), scope).await
    }

    /// Clicks on what `aim` makes of the target; what a click needs is added to it.
    pub(super) async fn click_as(
        &self,
        target: &Target,
        how: &Click,
        aim: Aim,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        let aim = Aim {
            needs: NEEDS,
            position: how.position,
            force: how.force,
            guard: Some("press"),
            delay: how.delay,
            ..aim
        };
        let mut diary = Diary::new();
        loop {
            let prepared = self.prepare(target, &aim, &mut diary, scope).await?;
            if self.click_at(target, &prepared, how, &mut diary, scope).await? == Outcome::Done {
                return Ok(prepared.acted);
            }
        }
    }

    async fn click_at(
        &self,
        target: &Target,
        prepared: &Prepared,
        how: &Click,
        diary: &mut Diary,
        scope: &CallScope,
    ) -> Result<Outcome, Failed> {
        let events = holding(how.modifiers, clicks(prepared.point, how));
        let parts = if how.delay.is_zero() { vec![events] } else { held_parts(events) };
        if self.deliver_slowly(parts, how.delay, scope).await? {
            self.verdict(target, prepared, diary, scope).await
        } else {
            Ok(Outcome::Done)
        }
    }
}

fn clicks(at: Point, how: &Click) -> Vec<InputEvent> {
    let Click { button, modifiers, .. } = *how;
    let mut events = vec![moved(at, modifiers)];
    for clicks in 1..=how.count {
        events.push(InputEvent::Down { at, button, clicks, modifiers });
        events.push(InputEvent::Up { at, button, clicks, modifiers });
    }
    events
}

/// Moves the mouse with no button held.
pub(super) fn moved(at: Point, modifiers: Modifiers) -> InputEvent {
    InputEvent::Move { at, held: None, modifiers }
}

/// The events cut after each press of the button, where it is held.
fn held_parts(events: Vec<InputEvent>) -> Vec<Vec<InputEvent>> {
    let mut parts = vec![Vec::new()];
    for event in events {
        let pressed = matches!(event, InputEvent::Down { .. });
        if let Some(part) = parts.last_mut() {
            part.push(event);
        }
        if pressed {
            parts.push(Vec::new());
        }
    }
    parts
}
