//! The page as an agent sees it.

use engine::snapshot::SnapshotOptions;
use schemars::JsonSchema;
use serde::Deserialize;

use super::aftermath::{about, seen};
use super::args::{At, On};
use super::failed::Deed;
use super::report::{Report, SNAPSHOT_BUDGET};
use super::visit::{How, visit};
use super::{LOOKS, PAGE_TOOL};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool};

pub(crate) static SNAPSHOT: Tool = Tool {
    name: "snapshot",
    playwright: Some("browser_snapshot"),
    description: "The page or an element as an accessibility tree with refs. Seldom needed: actions answer with what \
                  changed in it.",
    input: input_of::<Take>,
    hints: LOOKS,
    handler: |call| Box::pin(snapshot(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Take {
    #[serde(flatten)]
    at: At,
    depth: Option<usize>,
    boxes: Option<bool>,
    filename: Option<String>,
    #[serde(flatten)]
    _on: On,
}

async fn snapshot(call: Call) -> Result<Reply, Failure> {
    let args: Take = call.args.parse()?;
    let target = args.at.maybe()?;
    let how = How::queued(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let (depth, boxes) = (args.depth, args.boxes.unwrap_or(false));
        let options = SnapshotOptions { target, depth, boxes, budget: Some(SNAPSHOT_BUDGET) };
        let snapshot = match page.snapshot(&options, &visit.scope).await {
            Ok(snapshot) => snapshot,
            Err(why) => return Err(visit.failed_at(&page, why, options.target.as_ref(), Deed::Look).await),
        };
        let mut report = Report { page: Some(about(&visit, &page, None).await), ..Report::default() };
        match &args.filename {
            Some(name) => {
                let path = visit.files.save_as(name, snapshot.whole().as_bytes()).await?;
                report.result = Some(format!("The snapshot is in {path}"));
            }
            None => report.view = Some(seen(&visit, &snapshot).await),
        }
        report.reply(&visit).await
    })
    .await
}
