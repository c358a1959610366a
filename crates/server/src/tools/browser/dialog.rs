//! Answering a dialog of the page.

use engine::codegen::Statement;
use schemars::JsonSchema;
use serde::Deserialize;

use super::PAGE_TOOL;
use super::aftermath::{self, Look};
use super::args::On;
use super::failed::kind;
use super::report::Report;
use super::visit::{How, visit};
use crate::tools::arguments::INVALID_INPUT;
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool};

pub(crate) static HANDLE_DIALOG: Tool = Tool {
    name: "handle_dialog",
    playwright: Some("browser_handle_dialog"),
    description: "Answers the alert, confirm, prompt or beforeunload dialog that is open.",
    input: input_of::<HandleDialog>,
    handler: |call| Box::pin(handle_dialog(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct HandleDialog {
    accept: bool,
    prompt_text: Option<String>,
    #[serde(flatten)]
    _on: On,
}

/// Not in the session's row: whoever is before it there may wait for this very answer.
async fn handle_dialog(call: Call) -> Result<Reply, Failure> {
    let args: HandleDialog = call.args.parse()?;
    let how = How::urgent(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let before = visit.session.context().moment();
        let mark = page.mark();
        let answered = page.answer_dialog(args.accept, args.prompt_text.as_deref(), &visit.scope).await;
        let Some(dialog) = answered.map_err(|why| visit.interrupted(why))? else {
            return Err(Failure::new(INVALID_INPUT, "no dialog is open")
                .suggest("go on; nothing waits for an answer"));
        };
        let settled = page.settle(&mark, &visit.late).await;
        let report = aftermath::settled(&visit, &before, Look::Page, settled).await;
        let done = if args.accept { "accepted" } else { "dismissed" };
        let result = format!("The {} dialog was {done}.", kind(&dialog));
        let code = Statement::Dialog { accept: args.accept, text: args.prompt_text };
        let report = Report { result: Some(result), ..report };
        report.with_code([code], visit.options.browser.codegen).reply(&visit).await
    })
    .await
}
