//! The tools that exist with these options, and the one way to call them.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;

use base::{Activity, CallScope, Deadline};
use futures_util::FutureExt;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::arguments::Parameters;
use super::context::Context;
use super::project::ProjectSlot;
use super::shape::{Fields, Unsupported};
use super::{
    Args, Arrival, Call, ErrorCode, Failure, Family, Reply, Services, Spelling, Tool, Word, run, schema,
};
use crate::auth::Subject;
use crate::config::Options;
use crate::logging::Trace;
use crate::metrics::Metrics;
use crate::words::{camel, quoted, resembling};

/// There is no such tool, or not with these options.
pub(crate) const UNKNOWN_TOOL: ErrorCode = ErrorCode::new(
    "unknown_tool",
    "no tool has this name, or none with the options that the server runs with",
);

/// What the transport knows of a call: who may end it, and where its progress is read.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// Fires when the client cancelled, the connection closed where that means so, or the server is ending.
    pub(crate) cancel: CancellationToken,
    /// The handler writes what it is doing; the transport tells the client every few seconds.
    pub(crate) activity: Activity,
    /// When it came, among the calls of its connection.
    pub(crate) arrival: Arrival,
    /// Who calls.
    pub(crate) subject: Subject,
    /// The trace that the call is a part of, where a proxy said so.
    pub(crate) trace: Option<Trace>,
}

/// A tool as `tools/list` shows it.
#[derive(Debug, Clone)]
pub(crate) struct ListedTool {
    pub(crate) name: String,
    pub(crate) title: &'static str,
    pub(crate) description: String,
    pub(crate) input_schema: Map<String, Value>,
    pub(crate) output_schema: Option<Map<String, Value>>,
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
}

/// The tools of one server.
#[derive(Debug)]
pub(crate) struct Toolbox {
    listed: Vec<ListedTool>,
    by_name: HashMap<String, Entry>,
    services: Services,
}

/// What a name leads to.
#[derive(Debug, Clone)]
enum Entry {
    Ready(std::sync::Arc<Ready>),
    /// It would exist with another option.
    Off {
        why: String,
    },
}

/// A tool that can be called.
#[derive(Debug)]
struct Ready {
    tool: &'static Tool,
    parameters: Parameters,
}

/// A tool that can't be offered: a mistake in its definition.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadTool {
    /// Two tools answer to one name.
    #[error("two tools are called {0}")]
    SameName(String),
    /// Its schema promises what is not checked.
    #[error("{tool}: {source}")]
    Schema {
        /// Which one.
        tool: &'static str,
        /// What is wrong with it.
        source: Unsupported,
    },
    /// Clients cut longer descriptions.
    #[error("{tool}: the description of {what} has {length} bytes; clients cut it at {LONGEST_DESCRIPTION}")]
    TooLong {
        /// Which one.
        tool: &'static str,
        /// The tool itself or one of its arguments.
        what: String,
        /// How long it is.
        length: usize,
    },
}

/// Claude Code cuts there (FIELD.md).
const LONGEST_DESCRIPTION: usize = 2048;

impl Toolbox {
    /// The tools among `tools` that the options switch on.
    ///
    /// # Errors
    /// [`BadTool`] for a mistake in a definition; the tests keep them out of the registry.
    pub(crate) fn new(tools: &[&'static Tool], services: Services) -> Result<Self, BadTool> {
        let mut toolbox = Self { listed: Vec::new(), by_name: HashMap::new(), services };
        for tool in tools {
            toolbox.add(tool)?;
        }
        Ok(toolbox)
    }

    fn add(&mut self, tool: &'static Tool) -> Result<(), BadTool> {
        let options = &self.services.options;
        let entry = match switched_off(tool, options) {
            Some(why) => Entry::Off { why },
            None => {
                let (listed, parameters) = prepared(tool, options)?;
                self.listed.push(listed);
                Entry::Ready(std::sync::Arc::new(Ready { tool, parameters }))
            }
        };
        for name in spellings(tool) {
            if self.by_name.insert(name.clone(), entry.clone()).is_some() {
                return Err(BadTool::SameName(name));
            }
        }
        Ok(())
    }

    /// What `tools/list` shows.
    pub(crate) fn listed(&self) -> &[ListedTool] {
        &self.listed
    }

    /// Whether a call of `name`, in any spelling, reaches a tool.
    pub(crate) fn has(&self, name: &str) -> bool {
        matches!(self.by_name.get(name), Some(Entry::Ready(_)))
    }

    /// The agent's project, open or not.
    pub(crate) fn slot(&self) -> &ProjectSlot {
        &self.services.slot
    }

    /// Starts the browser before the first call needs it, where that was decided.
    pub(crate) fn warm_up(&self) {
        let options = &self.services.options;
        if options.families.contains(&Family::Browser) && options.browser.launches_early() {
            self.services.sessions.prelaunch(options.browser.wanted());
        }
    }

    /// Whether a call of `name` opens a session.
    pub(crate) fn opens_session(&self, name: &str) -> bool {
        matches!(self.by_name.get(name), Some(Entry::Ready(ready)) if ready.tool.opens_session())
    }

    /// What is counted.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.services.metrics
    }

    /// How many sessions are open.
    pub(crate) fn open_sessions(&self) -> usize {
        self.services.sessions.count()
    }

    /// A line of progress with every secret by its name.
    pub(crate) fn without_secrets(&self, line: &str) -> String {
        self.services.options.app.secrets.hide(line).into_owned()
    }

    /// Calls a tool in any spelling of its name. Always comes back with a reply: an unknown tool, bad arguments, a
    /// panic, a cancellation and a time-out are replies that say so.
    ///
    /// Here replies leave: whatever is in them, no secret is.
    pub(crate) async fn call(&self, name: &str, arguments: Map<String, Value>, caller: Caller) -> Reply {
        let span = caller.trace.as_ref().map_or_else(tracing::Span::none, Trace::span);
        self.reply(name, arguments, caller).instrument(span).await.hiding(&self.services.options.app.secrets)
    }

    async fn reply(&self, name: &str, arguments: Map<String, Value>, caller: Caller) -> Reply {
        let context = Context::of(name, &arguments);
        let going_on = self.services.metrics.call_begins();
        let ready = match self.by_name.get(name) {
            Some(Entry::Ready(ready)) => ready,
            other => {
                let why = match other {
                    Some(Entry::Off { why }) => Some(why.as_str()),
                    _ => None,
                };
                going_on.ends("unknown", Some(UNKNOWN_TOOL.lower()));
                return self.unknown(name, why).into_reply(context, Map::new());
            }
        };
        let outcome = AssertUnwindSafe(self.attempt(ready, arguments, caller)).catch_unwind().await;
        let outcome = outcome.unwrap_or_else(|payload| Err(run::panicked(name, payload.as_ref())));
        going_on.ends(ready.tool.name, outcome.as_ref().err().map(|failure| failure.code().lower()));
        outcome.unwrap_or_else(|failure| {
            let (tool, error) = (ready.tool.name, failure.code().lower());
            tracing::warn!(
                component = "tools",
                event = "error_occurred",
                eventType = "ToolInvocationFailed",
                sessionId = failure.session_id(),
                toolName = tool,
                error,
                "{}",
                failure.message()
            );
            failure.into_reply(context, (ready.tool.beside_error)())
        })
    }

    async fn attempt(
        &self,
        ready: &Ready,
        given: Map<String, Value>,
        caller: Caller,
    ) -> Result<Reply, Failure> {
        let args: Args = ready.parameters.check(given)?;
        if !takes_its_place(ready.tool) {
            caller.arrival.placed();
        }
        let limit = (ready.tool.limit)(&args, &self.services.options);
        let scope = CallScope::new(Deadline::after(limit), caller.cancel, caller.activity);
        let call = Call {
            tool: ready.tool.name,
            arrival: caller.arrival,
            subject: caller.subject,
            scope: scope.clone(),
            args,
            services: self.services.clone(),
        };
        let outcome =
            run::run(ready.tool, call, limit).await.map_err(|failure| run::with_diary(failure, &scope));
        let elapsed = scope.log().elapsed().as_millis() as u64;
        tracing::info!(
            component = "tools",
            event = "tool_invoked",
            tool = ready.tool.name,
            duration_ms = elapsed,
            failed = outcome.is_err()
        );
        outcome
    }

    fn unknown(&self, name: &str, why: Option<&str>) -> Failure {
        let typed = base::clip::head(name, 100);
        if let Some(why) = why {
            return Failure::new(UNKNOWN_TOOL, format!("the tool `{typed}` is not there: {why}"))
                .suggest(why);
        }
        let names: Vec<&str> = self.listed.iter().map(|tool| tool.name.as_str()).collect();
        let near = resembling(name, names.iter().copied());
        let failure = Failure::new(
            UNKNOWN_TOOL,
            match near.first() {
                Some(first) => format!("there is no tool `{typed}`; did you mean `{first}`?"),
                None => format!("there is no tool `{typed}`"),
            },
        );
        let failure = failure.detail("nearest", near.iter().take(3).copied().collect::<Vec<_>>());
        match near.first() {
            Some(first) => failure.suggest(format!("call `{first}`")),
            None => failure.suggest(format!("call one of {}", quoted(names, "and"))),
        }
    }
}

/// Whether the tool itself says when its call has its place in the row of its session.
fn takes_its_place(tool: &Tool) -> bool {
    tool.family == Family::Browser || tool.family == Family::App
}

/// Why the tool does not exist with these options, if so.
fn switched_off(tool: &Tool, options: &Options) -> Option<String> {
    let families = std::iter::once(&tool.family).chain(tool.also_in);
    if !families.into_iter().any(|family| options.families.contains(family)) {
        return Some(format!("the server runs without `{}` in `--tools`", tool.family.word()));
    }
    let cap = tool.cap.filter(|cap| !options.caps.contains(cap))?;
    Some(format!("it exists only when the server runs with `--caps {}`", cap.word()))
}

/// Every name that the tool answers to.
pub(super) fn spellings(tool: &Tool) -> Vec<String> {
    let mut names = vec![tool.name.to_owned(), camel(tool.name)];
    names.extend(tool.playwright.map(str::to_owned));
    names.extend(tool.also.iter().flat_map(|name| [(*name).to_owned(), camel(name)]));
    names.dedup();
    names
}

/// The name that the list shows.
fn spelled(tool: &Tool, spelling: Spelling) -> String {
    match spelling {
        Spelling::Snake => tool.name.to_owned(),
        Spelling::Camel => camel(tool.name),
        Spelling::Playwright => tool.playwright.unwrap_or(tool.name).to_owned(),
    }
}

/// The tool as it is listed and as it is checked.
fn prepared(tool: &'static Tool, options: &Options) -> Result<(ListedTool, Parameters), BadTool> {
    let mut input = schema::plain_input((tool.input)(options));
    let hidden: Vec<_> = tool.gated.iter().copied().filter(|(_, cap)| !options.caps.contains(cap)).collect();
    for (name, _) in &hidden {
        without_argument(&mut input, name);
    }
    let fields =
        Fields::compile(&input, tool.name).map_err(|source| BadTool::Schema { tool: tool.name, source })?;
    for name in tool.unlisted {
        without_argument(&mut input, name);
    }
    schema::strip_formats(&mut input);
    // The check refuses what is unknown, with the nearest right name; listed, it would cost every conversation.
    input.remove("additionalProperties");
    short_enough(tool, &input)?;
    let output = tool.output.filter(|_| options.structured_results);
    let listed = ListedTool {
        name: spelled(tool, options.spelling),
        title: tool.title,
        description: tool.description.to_owned(),
        input_schema: input,
        output_schema: output.map(|output| schema::plain_output(output(options))),
        read_only: tool.hints.read_only,
        destructive: tool.hints.destructive,
        idempotent: tool.hints.idempotent,
        open_world: tool.hints.open_world,
    };
    Ok((listed, Parameters { fields, hidden, aliases: tool.aliases }))
}

fn without_argument(schema: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.shift_remove(name);
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|field| field != name);
    }
}

fn short_enough(tool: &'static Tool, input: &Map<String, Value>) -> Result<(), BadTool> {
    let described = |(name, property): (&String, &Value)| {
        Some((name.clone(), property.get("description")?.as_str()?.len()))
    };
    let properties = input.get("properties").and_then(Value::as_object);
    let own = ("the tool".to_owned(), tool.description.len());
    let all = std::iter::once(own).chain(properties.into_iter().flatten().filter_map(described));
    match all.into_iter().find(|(_, length)| *length > LONGEST_DESCRIPTION) {
        Some((what, length)) => Err(BadTool::TooLong { tool: tool.name, what, length }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::sample;
