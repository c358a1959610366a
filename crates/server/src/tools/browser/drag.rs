//! Dragging one element to another, and dropping something from outside.

use std::collections::BTreeMap;

use engine::action::Dragged;
use engine::backend::Dropped;
use engine::codegen::{Statement, while_holding};
use schemars::JsonSchema;
use serde::Deserialize;

use super::PAGE_TOOL;
use super::act::{Done, Undone, act};
use super::args::{At, On, one_of};
use super::click::{Modifier, modifiers};
use super::failed::Deed;
use super::files::Files;
use super::upload::existing;
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool, invalid};

pub(crate) static DRAG: Tool = Tool {
    name: "drag",
    playwright: Some("browser_drag"),
    description: "Drags one element to another.",
    input: input_of::<Drag>,
    aliases: &[("startTarget", "startSelector"), ("endTarget", "endSelector")],
    unlisted: &["timeout", "startElement", "endElement", "modifiers"],
    handler: |call| Box::pin(drag(call)),
    ..PAGE_TOOL
};

pub(crate) static DROP: Tool = Tool {
    name: "drop",
    playwright: Some("browser_drop"),
    description: "Drops files of the workspace, or data by media type, on an element, as if from outside the browser.",
    input: input_of::<Drop>,
    handler: |call| Box::pin(drop_on(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Drag {
    start_ref: Option<String>,
    start_selector: Option<String>,
    end_ref: Option<String>,
    end_selector: Option<String>,
    #[serde(rename = "startElement")]
    _start_element: Option<String>,
    #[serde(rename = "endElement")]
    _end_element: Option<String>,
    modifiers: Option<Vec<Modifier>>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Drop {
    #[serde(flatten)]
    at: At,
    paths: Option<Vec<String>>,
    data: Option<BTreeMap<String, String>>,
    #[serde(flatten)]
    _on: On,
}

async fn drag(call: Call) -> Result<Reply, Failure> {
    let args: Drag = call.args.parse()?;
    let missing = |field: &str, other: &str| invalid(field, &format!("given, or else `{other}`"), None);
    let from =
        one_of(("startRef", args.start_ref.as_deref()), ("startSelector", args.start_selector.as_deref()))?
            .ok_or_else(|| missing("startRef", "startSelector"))?;
    let to = one_of(("endRef", args.end_ref.as_deref()), ("endSelector", args.end_selector.as_deref()))?
        .ok_or_else(|| missing("endRef", "endSelector"))?;
    let held = modifiers(&args.modifiers.unwrap_or_default());
    act(call, Deed::Click, |visit, page| async move {
        let dragged =
            page.drag(&from, &to, held, &visit.scope).await.map_err(|why| Undone::on(&from, why))?;
        let Dragged { from: start, to: end, over } = dragged;
        let drag = Statement::DragTo { from: start.locator, to: end.locator };
        let result = over.map(|over| format!("The mouse was let go over {over}, not over {}", end.element));
        Ok(Done { result, code: while_holding(held, drag) })
    })
    .await
}

async fn drop_on(call: Call) -> Result<Reply, Failure> {
    let args: Drop = call.args.parse()?;
    let target = args.at.target()?;
    let files = existing(&args.paths.unwrap_or_default(), &Files::of(&call.services))?;
    let data: Vec<(String, String)> = args.data.unwrap_or_default().into_iter().collect();
    if files.is_empty() && data.is_empty() {
        return Err(invalid("paths", "given, or else `data`", None));
    }
    act(call, Deed::Click, |visit, page| async move {
        page.drop_on(&target, Dropped { files, data }, &visit.scope)
            .await
            .map_err(|why| Undone::on(&target, why))?;
        // Playwright has no single call for it, so there is no line to show.
        Ok(Done::default())
    })
    .await
}
