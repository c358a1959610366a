//! Hovering.

use base::CallScope;

use super::Acted;
use super::click::moved;
use super::deliver::Outcome;
use super::diary::Diary;
use super::modifiers::holding;
use super::prepare::Aim;
use crate::backend::{Modifiers, Point};
use crate::failed::Failed;
use crate::page::Page;
use crate::target::Target;

/// What is disabled can be hovered: its tooltip tells why.
const NEEDS: &[&str] = &["visible", "stable", "hit"];

impl Page {
    /// Moves the mouse over an element.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn hover(
        &self,
        target: &Target,
        position: Option<Point>,
        modifiers: Modifiers,
        force: bool,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        let aim = Aim { needs: NEEDS, position, force, guard: Some("hover"), ..Aim::default() };
        let mut diary = Diary::new();
        loop {
            let prepared = self.prepare(target, &aim, &mut diary, scope).await?;
            let events = holding(modifiers, vec![moved(prepared.point, modifiers)]);
            let done = !self.deliver(events, scope).await?
                || self.verdict(target, &prepared, &mut diary, scope).await? == Outcome::Done;
            if done {
                return Ok(prepared.acted);
            }
        }
    }
}
