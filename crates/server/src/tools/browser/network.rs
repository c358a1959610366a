//! What the page asked for, and what it got.

use engine::backend::ResourceKind;
use engine::page::{Exchange, Outcome, Page};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::aftermath::request_line;
use super::args::On;
use super::find::compiled;
use super::report::{BUDGET, Report};
use super::visit::{How, Visit, visit};
use super::{LOOKS, PAGE_TOOL};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool, invalid};

pub(crate) static NETWORK_REQUESTS: Tool = Tool {
    name: "network_requests",
    playwright: Some("browser_network_requests"),
    description: "The page's requests with their index. Successful static ones (images, styles, scripts …) only with \
                  static.",
    input: input_of::<NetworkRequests>,
    hints: LOOKS,
    handler: |call| Box::pin(network_requests(call)),
    ..PAGE_TOOL
};

pub(crate) static NETWORK_REQUEST: Tool = Tool {
    name: "network_request",
    playwright: Some("browser_network_request"),
    description: "One request: headers and bodies.",
    input: input_of::<NetworkRequest>,
    hints: LOOKS,
    handler: |call| Box::pin(network_request(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct NetworkRequests {
    /// A regex on the URL.
    filter: Option<String>,
    #[serde(rename = "static")]
    all: Option<bool>,
    filename: Option<String>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct NetworkRequest {
    index: usize,
    part: Option<Part>,
    filename: Option<String>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Part {
    RequestHeaders,
    RequestBody,
    ResponseHeaders,
    ResponseBody,
}

/// As much of a body as stands beside the other parts.
const SHORT_BODY: usize = 4_000;

async fn network_requests(call: Call) -> Result<Reply, Failure> {
    let args: NetworkRequests = call.args.parse()?;
    let filter = args.filter.as_deref().map(|filter| compiled("filter", filter)).transpose()?;
    let how = How::urgent(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let lines: Vec<String> = {
            let state = page.state();
            let matches = |exchange: &&Exchange| {
                filter.as_ref().is_none_or(|filter| filter.is_match(&exchange.request.url))
                    && (args.all == Some(true) || !is_static(exchange))
            };
            state.network.exchanges().iter().filter(matches).map(request_line).collect()
        };
        let report = match &args.filename {
            Some(name) => {
                let path = visit.files.save_as(name, lines.join("\n").as_bytes()).await?;
                Report::of(format!("{} requests are in {path}", lines.len()))
            }
            None if lines.is_empty() => Report::of("No requests."),
            None => Report { requests: lines, ..Report::default() },
        };
        report.reply(&visit).await
    })
    .await
}

/// What is asked for along with any page, and worked.
fn is_static(exchange: &Exchange) -> bool {
    use ResourceKind::{Font, Image, Manifest, Media, Script, Stylesheet};
    let worked = exchange.response.as_ref().is_some_and(|response| response.status < 400)
        && !matches!(exchange.outcome, Outcome::Failed { .. });
    worked && matches!(exchange.request.kind, Stylesheet | Image | Media | Font | Script | Manifest)
}

async fn network_request(call: Call) -> Result<Reply, Failure> {
    let args: NetworkRequest = call.args.parse()?;
    let how = How::urgent(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let exchange = page.state().network.by_index(args.index).cloned();
        let exchange = exchange.ok_or_else(|| {
            let known = "the index of a request that network_requests lists";
            invalid("index", known, Some(&Value::from(args.index)))
        })?;
        let text = match args.part {
            Some(part) => one(part, &visit, &page, &exchange).await?,
            None => whole(&visit, &page, &exchange).await,
        };
        match &args.filename {
            Some(name) => {
                let path = visit.files.save_as(name, &text).await?;
                Report::of(format!("It is in {path}")).reply(&visit).await
            }
            None => Report::of(readable(&text, BUDGET * 2)).reply(&visit).await,
        }
    })
    .await
}

async fn one(part: Part, visit: &Visit, page: &Page, exchange: &Exchange) -> Result<Vec<u8>, Failure> {
    Ok(match part {
        Part::RequestHeaders => headers(&exchange.request.headers).into_bytes(),
        Part::ResponseHeaders => {
            let response = exchange.response.as_ref();
            response.map(|response| headers(&response.headers)).unwrap_or_default().into_bytes()
        }
        Part::RequestBody => {
            let body = page.request_body(exchange.index, &visit.scope).await;
            body.map_err(|why| visit.interrupted(why))?.unwrap_or_default()
        }
        Part::ResponseBody => {
            let body = page.response_body(exchange.index, &visit.scope).await;
            body.map_err(|why| visit.interrupted(why))?.unwrap_or_default()
        }
    })
}

/// Everything in order, long bodies cut.
async fn whole(visit: &Visit, page: &Page, exchange: &Exchange) -> Vec<u8> {
    let mut text = format!("{}\n", request_line(exchange));
    let parts = [
        ("Request headers", Part::RequestHeaders),
        ("Request body", Part::RequestBody),
        ("Response headers", Part::ResponseHeaders),
        ("Response body", Part::ResponseBody),
    ];
    for (heading, part) in parts {
        // A body that the browser has let go of is told as what it is.
        let content = match one(part, visit, page, exchange).await {
            Ok(content) => readable(&content, SHORT_BODY),
            Err(failure) => format!("[{}]", failure.message()),
        };
        if !content.is_empty() {
            text.push_str(&format!("\n{heading}:\n{content}\n"));
        }
    }
    text.into_bytes()
}

fn headers(headers: &[(String, String)]) -> String {
    let lines: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    lines.join("\n")
}

/// A body as text, or what it is if it is none.
fn readable(body: &[u8], budget: usize) -> String {
    match std::str::from_utf8(body) {
        Ok(text) => base::clip::head(text, budget).into_owned(),
        Err(_) => format!("[{} bytes that are no text; pass part and filename to get them]", body.len()),
    }
}
