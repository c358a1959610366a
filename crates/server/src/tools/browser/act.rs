//! An action on the page in front, and what it caused.

use std::time::Duration;

use engine::codegen::Statement;
use engine::page::{Interruption, Page};
use engine::{Failed, Target};

use super::aftermath::{self, Look};
use super::failed::{Deed, dialog_open};
use super::report::Report;
use super::visit::{How, Visit, visit};
use crate::tools::{Call, Failure, Reply};

/// What an action has to tell besides what it caused.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) result: Option<String>,
    pub(super) code: Vec<Statement>,
}

impl Done {
    /// The action as a line of code.
    pub(super) fn code(statement: Statement) -> Self {
        Self { result: None, code: vec![statement] }
    }
}

/// An action that came to nothing.
#[derive(Debug)]
pub(super) struct Undone {
    why: Failed,
    /// What it was to be done to.
    target: Option<Target>,
    /// Which part of it, when it has several.
    part: Option<String>,
}

impl Undone {
    /// What it was to be done to.
    pub(super) fn on(target: &Target, why: Failed) -> Self {
        Self { why, target: Some(target.clone()), part: None }
    }

    /// The part of the action that came to nothing.
    pub(super) fn part(self, part: String) -> Self {
        Self { part: Some(part), ..self }
    }
}

impl From<Failed> for Undone {
    fn from(why: Failed) -> Self {
        Self { why, target: None, part: None }
    }
}

/// Runs `action` on the page in front, waits until the page has settled, and tells what came of it.
pub(super) async fn act<W>(
    call: Call,
    deed: Deed,
    action: impl FnOnce(Visit, Page) -> W + Send,
) -> Result<Reply, Failure>
where
    W: Future<Output = Result<Done, Undone>> + Send,
{
    let usual = call.services.options.browser.action_limit;
    act_within(call, usual, deed, action).await
}

/// The same, for an action that takes longer by its nature.
pub(super) async fn act_within<W>(
    call: Call,
    usual: Duration,
    deed: Deed,
    action: impl FnOnce(Visit, Page) -> W + Send,
) -> Result<Reply, Failure>
where
    W: Future<Output = Result<Done, Undone>> + Send,
{
    visit(call, How::queued(usual), |visit| async move {
        let page = visit.page().await?;
        if let Some(Interruption::Dialog(dialog)) = page.state().interruption() {
            return Err(dialog_open(&dialog));
        }
        let before = visit.session.context().moment();
        let mark = page.mark();
        let done = match action(visit.clone(), page.clone()).await {
            Ok(done) => done,
            // A dialog that opens and a tab that closes are what the action did.
            Err(Undone {
                why: Failed::Interrupted(Interruption::Dialog(_) | Interruption::Closed), ..
            }) => Done::default(),
            Err(Undone { why, target, part }) => {
                let failure = visit.failed_at(&page, why, target.as_ref(), deed).await;
                return Err(part.into_iter().fold(failure, |failure, part| failure.detail("part", part)));
            }
        };
        let settled = page.settle(&mark, &visit.late).await;
        let report = Box::pin(aftermath::settled(&visit, &before, Look::Page, settled)).await;
        let report = Report { result: done.result, ..report };
        report.with_code(done.code, visit.options.browser.codegen).reply(&visit).await
    })
    .await
}
