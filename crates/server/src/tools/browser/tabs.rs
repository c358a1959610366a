//! The session's tabs, and the size of its pages.

use engine::codegen::Statement;
use engine::page::WaitUntil;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::aftermath::{self, Look};
use super::args::On;
use super::failed::navigation;
use super::policy::{self, Departure};
use super::report::Report;
use super::visit::{How, Visit, outer_limit, visit};
use super::{PAGE_TOOL, address, plan};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool, invalid};

pub(crate) static TABS: Tool = Tool {
    name: "tabs",
    playwright: Some("browser_tabs"),
    description: "Lists, opens, closes or selects tabs; the other tools use the selected one.",
    input: input_of::<Tabs>,
    limit: |args, options| outer_limit(args, options.browser.navigation_limit),
    handler: |call| Box::pin(tabs(call)),
    ..PAGE_TOOL
};

pub(crate) static RESIZE: Tool = Tool {
    name: "resize",
    playwright: Some("browser_resize"),
    description: "Changes the size of the page.",
    input: input_of::<Resize>,
    handler: |call| Box::pin(resize(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Tabs {
    action: Action,
    index: Option<usize>,
    url: Option<String>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    List,
    New,
    Close,
    Select,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Resize {
    #[schemars(range(min = 1, max = 10000))]
    width: u32,
    #[schemars(range(min = 1, max = 10000))]
    height: u32,
    #[serde(flatten)]
    _on: On,
}

async fn tabs(call: Call) -> Result<Reply, Failure> {
    let args: Tabs = call.args.parse()?;
    let how = How::queued(call.services.options.browser.navigation_limit).on_the_way();
    visit(call, how, |visit| async move {
        let context = visit.session.context();
        let before = context.moment();
        let look = match args.action {
            Action::List => {
                return Report { tabs: aftermath::tabs(&visit).await, ..Report::default() }
                    .reply(&visit)
                    .await;
            }
            Action::New => {
                open(&visit, args.url.as_deref()).await?;
                Look::Page
            }
            Action::Close => {
                let closed = context.close_page(args.index, &visit.scope).await;
                let closed = closed.map_err(|why| visit.interrupted(why))?;
                if !closed {
                    return Err(no_such_tab(args.index));
                }
                Look::Away
            }
            Action::Select => {
                let index = args.index.ok_or_else(|| invalid("index", "given with action select", None))?;
                let selected = context.select(index, &visit.scope).await;
                let selected = selected.map_err(|why| visit.interrupted(why))?;
                selected.ok_or_else(|| no_such_tab(Some(index)))?;
                Look::Page
            }
        };
        let report = aftermath::told(&visit, &before, look).await;
        Report { tabs: aftermath::tabs(&visit).await, ..report }.reply(&visit).await
    })
    .await
}

/// A new tab in front, and where it is to go.
async fn open(visit: &Visit, url: Option<&str>) -> Result<(), Failure> {
    let url = url.map(|url| address::resolve(url, visit.base().as_ref(), &visit.files)).transpose()?;
    url.iter().try_for_each(|url| policy::foreseen(visit, url))?;
    let page = visit.session.context().new_page(&visit.scope).await.map_err(|why| visit.interrupted(why))?;
    let Some(url) = url else { return Ok(()) };
    let mark = page.mark();
    let departure = Departure::from(visit, &page);
    let went = page.navigate(url.as_str(), WaitUntil::Load, &visit.scope).await.map(Some);
    if let Some(stopped) = departure.stopped(visit, &page, url.as_str(), &went).await {
        return Err(stopped);
    }
    went.map_err(|why| navigation(why, url.as_str(), visit.limit))?;
    page.settle(&mark, &visit.late).await;
    Ok(())
}

fn no_such_tab(index: Option<usize>) -> Failure {
    let index = index.map(Value::from);
    invalid("index", "the number of an open tab; action list shows them", index.as_ref())
}

async fn resize(call: Call) -> Result<Reply, Failure> {
    let Resize { width, height, .. } = call.args.parse()?;
    let how = How::queued(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let before = visit.session.context().moment();
        let mark = page.mark();
        page.resize(plan::viewport(width, height), &visit.scope)
            .await
            .map_err(|why| visit.interrupted(why))?;
        let settled = page.settle(&mark, &visit.late).await;
        let code = Statement::SetViewportSize { width, height };
        let report = aftermath::settled(&visit, &before, Look::Page, settled).await;
        report.with_code([code], visit.options.browser.codegen).reply(&visit).await
    })
    .await
}
