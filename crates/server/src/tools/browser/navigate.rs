//! Going to an address, and back (C3, A4.1).

use engine::codegen::Statement;
use engine::page::{Arrival, Interruption, NavigationRefused, WaitUntil};
use schemars::JsonSchema;
use serde::Deserialize;

use super::address;
use super::aftermath::{self, Look};
use super::args::On;
use super::failed::{dialog_open, navigation, reached_word};
use super::policy::{self, Departure};
use super::report::Report;
use super::visit::{How, Visit, outer_limit, visit};
use super::{PAGE_TOOL, args};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool};

pub(crate) static NAVIGATE: Tool = Tool {
    name: "navigate",
    playwright: Some("browser_navigate"),
    description: "Goes to a URL and answers with the page's snapshot, whose refs the other tools take.",
    input: input_of::<Navigate>,
    unlisted: &[],
    limit: |args, options| outer_limit(args, options.browser.navigation_limit),
    handler: |call| Box::pin(navigate(call)),
    ..PAGE_TOOL
};

pub(crate) static NAVIGATE_BACK: Tool = Tool {
    name: "navigate_back",
    playwright: Some("browser_navigate_back"),
    description: "Goes back in the history.",
    input: input_of::<args::Nothing>,
    limit: |args, options| outer_limit(args, options.browser.navigation_limit),
    handler: |call| Box::pin(navigate_back(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Navigate {
    url: String,
    wait_until: Option<Until>,
    #[serde(flatten)]
    _on: On,
}

/// How much of a page to wait for.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Until {
    Load,
    DomContentLoaded,
    NetworkIdle,
    Commit,
}

impl From<Until> for WaitUntil {
    fn from(until: Until) -> Self {
        match until {
            Until::Load => Self::Load,
            Until::DomContentLoaded => Self::DomContentLoaded,
            Until::NetworkIdle => Self::NetworkIdle,
            Until::Commit => Self::Commit,
        }
    }
}

async fn navigate(call: Call) -> Result<Reply, Failure> {
    let args: Navigate = call.args.parse()?;
    let until = args.wait_until.map_or(WaitUntil::Load, WaitUntil::from);
    let how = How::queued(call.services.options.browser.navigation_limit).on_the_way();
    visit(call, how, |visit| async move {
        let url = address::resolve(&args.url, visit.base().as_ref(), &visit.files)?;
        policy::foreseen(&visit, &url)?;
        let code = Statement::Goto { url: url.to_string() };
        go(&visit, url.as_str(), code, async |page| {
            page.navigate(url.as_str(), until, &visit.scope).await.map(Some)
        })
        .await
    })
    .await
}

async fn navigate_back(call: Call) -> Result<Reply, Failure> {
    let how = How::queued(call.services.options.browser.navigation_limit).on_the_way();
    visit(call, how, |visit| async move {
        go(&visit, "the page before", Statement::GoBack, async |page| {
            page.back(WaitUntil::Load, &visit.scope).await
        })
        .await
    })
    .await
}

/// Goes somewhere by `going`, and tells where it led.
async fn go(
    visit: &Visit,
    url: &str,
    code: Statement,
    going: impl AsyncFnOnce(engine::page::Page) -> Result<Option<Arrival>, NavigationRefused>,
) -> Result<Reply, Failure> {
    let page = visit.page().await?;
    if let Some(Interruption::Dialog(dialog)) = page.state().interruption() {
        return Err(dialog_open(&dialog));
    }
    let before = visit.session.context().moment();
    let mark = page.mark();
    let departure = Departure::from(visit, &page);
    let went = going(page.clone()).await;
    if let Some(stopped) = departure.stopped(visit, &page, url, &went).await {
        return Err(stopped);
    }
    let result = match went {
        Ok(None) => return Report::of("There is no page before this one.").reply(visit).await,
        Ok(Some(arrival)) if arrival.download => {
            Some("It is a download; the page stays where it was.".to_owned())
        }
        Ok(Some(_)) => None,
        // A page that opens a dialog while it loads was reached.
        Err(NavigationRefused::Interrupted(Interruption::Dialog(_))) => None,
        Err(why) => return Err(navigation(why, url, visit.limit)),
    };
    let settled = page.settle(&mark, &visit.late).await;
    let mut report = aftermath::settled(visit, &before, Look::Page, settled).await;
    if let Some(about) = &mut report.page {
        about.state = Some(reached_word(page.arrival().state));
    }
    Report { result, ..report }.with_code([code], visit.options.browser.codegen).reply(visit).await
}
