//! What is in the page: whether an element is there (A4.5), and its source or text (A4.6).

use engine::ContentKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::args::{At, On};
use super::failed::Deed;
use super::report::Report;
use super::visit::{How, visit};
use super::{LOOKS, PAGE_TOOL};
use crate::tools::schema::{input_of, output_of};
use crate::tools::{Call, Failure, Reply, Tool};

pub(crate) static EXISTS: Tool = Tool {
    name: "exists",
    description: "Whether elements match now, how many, and how many can be seen. Does not wait.",
    input: input_of::<Exists>,
    output: Some(output_of::<Existing>),
    hints: LOOKS,
    handler: |call| Box::pin(exists(call)),
    ..PAGE_TOOL
};

pub(crate) static GET_CONTENT: Tool = Tool {
    name: "get_content",
    description: "The HTML or the visible text of the page or of an element.",
    input: input_of::<GetContent>,
    hints: LOOKS,
    handler: |call| Box::pin(get_content(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Exists {
    #[serde(flatten)]
    at: At,
    #[serde(flatten)]
    _on: On,
}

/// The answer of `exists`.
#[derive(Debug, Serialize, JsonSchema)]
struct Existing {
    exists: bool,
    count: usize,
    visible: usize,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct GetContent {
    #[serde(flatten)]
    at: At,
    /// Default: html.
    format: Option<Format>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    Html,
    Text,
}

async fn exists(call: Call) -> Result<Reply, Failure> {
    let args: Exists = call.args.parse()?;
    let target = args.at.target()?;
    let how = How::queued(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let count = page.count(&target, &visit.scope).await.map_err(|why| visit.failed(why, Deed::Look))?;
        Ok(Reply::json(&Existing { exists: count.total > 0, count: count.total, visible: count.visible })?)
    })
    .await
}

async fn get_content(call: Call) -> Result<Reply, Failure> {
    let args: GetContent = call.args.parse()?;
    let target = args.at.maybe()?;
    let kind = match args.format.unwrap_or(Format::Html) {
        Format::Html => ContentKind::Html,
        Format::Text => ContentKind::Text,
    };
    let how = How::queued(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let content = page.content(target.as_ref(), kind, &visit.scope).await;
        match content {
            Ok(content) => Report::of(content).reply(&visit).await,
            Err(why) => Err(visit.failed_at(&page, why, target.as_ref(), Deed::Look).await),
        }
    })
    .await
}
