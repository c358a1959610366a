//! Waiting until a page shows or is something (A4.8).

use std::time::Duration;

use engine::codegen::{Statement, Wait};
use engine::page::{Interruption, WaitUntil};
use engine::{Condition, ElementState, Target};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::aftermath::{self, Look};
use super::args::{At, On};
use super::visit::{How, outer_limit, visit};
use super::{LOOKS, PAGE_TOOL};
use crate::config::Options;
use crate::tools::schema::input_of;
use crate::tools::{Args, Call, Failure, Reply, Tool, invalid};

pub(crate) static WAIT_FOR: Tool = Tool {
    name: "wait_for",
    also: &["wait_for_selector"],
    playwright: Some("browser_wait_for"),
    description: "Waits until all that is given holds (url: a glob, function: JavaScript that becomes true), or for \
                  time in seconds.",
    input: input_of::<WaitFor>,
    unlisted: &["element"],
    hints: LOOKS,
    limit: |args, options| outer_limit(args, usual(args, options)),
    handler: |call| Box::pin(wait_for(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WaitFor {
    #[schemars(range(min = 0, max = 30))]
    time: Option<f64>,
    text: Option<String>,
    text_gone: Option<String>,
    #[serde(flatten)]
    at: At,
    /// Default: visible.
    state: Option<State>,
    url: Option<String>,
    load_state: Option<Loaded>,
    function: Option<String>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    Visible,
    Hidden,
    Attached,
    Detached,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::enum_variant_names, reason = "the web's own words")]
enum Loaded {
    Load,
    DomContentLoaded,
    NetworkIdle,
}

fn time(args: &Args) -> Duration {
    let seconds = args.get("time").and_then(Value::as_f64).unwrap_or_default();
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// What is asked to take its time gets it.
fn usual(args: &Args, options: &Options) -> Duration {
    options.browser.action_limit.saturating_add(time(args))
}

async fn wait_for(call: Call) -> Result<Reply, Failure> {
    let args: WaitFor = call.args.parse()?;
    let time = time(&call.args);
    let timed = args.time.is_some();
    let conditions = conditions(args)?;
    if conditions.is_empty() && !timed {
        return Err(invalid("text", "given, or else one of the other things to wait for", None));
    }
    let how = How::queued(usual(&call.args, &call.services.options)).on_the_way();
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let before = visit.session.context().moment();
        if timed {
            // The one wait that is for nothing but time, because it was asked for.
            let nothing = page.wait_for(&visit.scope.within(time), |_| None::<()>).await;
            match nothing {
                Ok(()) | Err(Interruption::TimedOut) => {}
                Err(why) => return Err(visit.interrupted(why)),
            }
        }
        for condition in &conditions {
            page.wait(condition, &visit.scope).await.map_err(|why| visit.not_met(why))?;
        }
        let waited = timed.then_some(Statement::Wait(Wait::Time(time)));
        let code = waited.into_iter().chain(conditions.iter().filter_map(statement));
        let report = aftermath::told(&visit, &before, Look::Page).await;
        report.with_code(code, visit.options.browser.codegen).reply(&visit).await
    })
    .await
}

/// The wait as code, where Playwright has a line for it.
fn statement(condition: &Condition) -> Option<Statement> {
    Some(Statement::Wait(match condition {
        Condition::Text(text) => Wait::Text { text: text.clone(), gone: false },
        Condition::TextGone(text) => Wait::Text { text: text.clone(), gone: true },
        Condition::Element { target: Target::Selector(locator), state } => {
            let state = match state {
                ElementState::Visible => "visible",
                ElementState::Hidden => "hidden",
                ElementState::Attached => "attached",
                ElementState::Detached => "detached",
            };
            Wait::Element { locator: locator.clone(), state }
        }
        Condition::Url(url) => Wait::Url(url.clone()),
        Condition::Load(WaitUntil::DomContentLoaded) => Wait::Load("domcontentloaded"),
        Condition::Load(WaitUntil::NetworkIdle) => Wait::Load("networkidle"),
        Condition::Load(WaitUntil::Load) => Wait::Load("load"),
        Condition::Load(WaitUntil::Commit)
        | Condition::Element { target: Target::Ref(_), .. }
        | Condition::Function(_) => return None,
    }))
}

fn conditions(args: WaitFor) -> Result<Vec<Condition>, Failure> {
    let mut conditions = Vec::new();
    if let Some(state) = args.load_state {
        conditions.push(Condition::Load(match state {
            Loaded::Load => WaitUntil::Load,
            Loaded::DomContentLoaded => WaitUntil::DomContentLoaded,
            Loaded::NetworkIdle => WaitUntil::NetworkIdle,
        }));
    }
    conditions.extend(args.url.map(Condition::Url));
    conditions.extend(args.text_gone.map(Condition::TextGone));
    conditions.extend(args.text.map(Condition::Text));
    let state = match args.state.unwrap_or(State::Visible) {
        State::Visible => ElementState::Visible,
        State::Hidden => ElementState::Hidden,
        State::Attached => ElementState::Attached,
        State::Detached => ElementState::Detached,
    };
    let element = args.at.maybe()?;
    if args.state.is_some() && element.is_none() {
        return Err(invalid("selector", "given with `state`", None));
    }
    conditions.extend(element.map(|target| Condition::Element { target, state }));
    conditions.extend(args.function.map(Condition::Function));
    Ok(conditions)
}
