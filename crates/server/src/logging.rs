//! The log: one JSON object a line, with the fields of A-design ("Logging Strategy").
//!
//! It goes to stderr over stdio, where stdout belongs to the protocol, and to stdout over HTTP, where log collectors
//! read: a line then has the fields, too, by which Cloud Logging knows its severity and its trace. A client that never reads our stderr must not stop the server, so lines are handed to a thread of their own
//! and are dropped, and counted, when it can't keep up. Here lines leave the process: whatever is in them, no secret is.

mod news;
mod trace;

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use base::Secrets;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use crate::config::{Options, Transport};
pub(crate) use news::{Line, News};
pub(crate) use trace::Trace;

/// The crates whose words `--log-level` governs; of others only warnings and errors are told.
const OURS: &[&str] =
    &["e2e_mcp_server", "base", "supervise", "timebox", "devserver", "engine", "backends", "wire"];

/// Lines that may wait for a slow reader, and how much of a value each may hold.
const MOST_WAITING: usize = 1024;
const LONGEST_VALUE: usize = 4_000;

/// How long the end of the process waits for the last lines.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Another subscriber is already there.
#[derive(Debug, thiserror::Error)]
#[error("the log is already set up")]
pub(crate) struct AlreadySetUp;

/// Sets up the log for the whole process; panics are logged too. Dropping the guard writes what still waits.
///
/// # Errors
/// [`AlreadySetUp`] the second time.
pub(crate) fn init(options: &Options, news: News) -> Result<LogGuard, AlreadySetUp> {
    let (mut layer, guard) = match &options.transport {
        Transport::Stdio => JsonLines::new(std::io::stderr()),
        Transport::Http { .. } => {
            let (layer, guard) = JsonLines::new(std::io::stdout());
            (layer.for_a_cloud(options.service.trace_project.clone()), guard)
        }
    };
    layer.secrets = options.app.secrets.clone();
    layer.news = news;
    let subscriber = tracing_subscriber::registry().with(layer.with_filter(filter(options.log_level)));
    tracing::subscriber::set_global_default(subscriber).map_err(|_| AlreadySetUp)?;
    std::panic::set_hook(Box::new(log_panic));
    Ok(guard)
}

fn filter(level: Level) -> Targets {
    let ours = LevelFilter::from_level(level);
    let others = ours.min(LevelFilter::WARN);
    Targets::new().with_default(others).with_targets(OURS.iter().map(|name| (*name, ours)))
}

/// In place of the default hook, which prints.
fn log_panic(info: &std::panic::PanicHookInfo<'_>) {
    let location = info.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    tracing::error!(
        component = "panic",
        event = "panicked",
        location,
        thread = thread.name().unwrap_or_default(),
        "{}",
        crate::tools::panic_message(info.payload())
    );
}

/// Writes each event as a line of JSON.
#[derive(Debug)]
struct JsonLines {
    lines: SyncSender<Message>,
    dropped: AtomicU64,
    secrets: Secrets,
    news: News,
    cloud: Option<Cloud>,
}

/// Lines are read by a cloud's collector.
#[derive(Debug)]
struct Cloud {
    /// Whose traces they belong to.
    project: Option<String>,
}

/// What the writing thread is told.
#[derive(Debug)]
enum Message {
    Line(String),
    /// Write what came before this, and answer.
    Flush(SyncSender<()>),
}

/// Keeps the log until the end of the process.
#[derive(Debug)]
#[must_use = "dropped early, it does not wait for the last lines"]
pub(crate) struct LogGuard {
    lines: SyncSender<Message>,
}

impl LogGuard {
    /// Waits until what was logged so far is written. A reader that does not read is not waited for.
    fn flush(&self, patience: Duration) {
        let (done, written) = sync_channel(1);
        if self.lines.try_send(Message::Flush(done)).is_ok() {
            let _ = written.recv_timeout(patience);
        }
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        self.flush(LAST_WORDS);
    }
}

impl JsonLines {
    fn new(out: impl Write + Send + 'static) -> (Self, LogGuard) {
        let (lines, waiting) = sync_channel(MOST_WAITING);
        // Without the thread the lines are dropped; a server without a log is better than none.
        let _ = std::thread::Builder::new().name("log".to_owned()).spawn(move || write_all(out, &waiting));
        let guard = LogGuard { lines: lines.clone() };
        let (secrets, news) = (Secrets::default(), News::default());
        (Self { lines, dropped: AtomicU64::new(0), secrets, news, cloud: None }, guard)
    }

    /// The same with the fields that Cloud Logging reads.
    fn for_a_cloud(mut self, project: Option<String>) -> Self {
        self.cloud = Some(Cloud { project });
        self
    }

    /// Hands a line to the writing thread; `lost` is what the log misses when there is no room for it.
    fn hand_over(&self, line: String, lost: u64) {
        if let Err(TrySendError::Full(_)) = self.lines.try_send(Message::Line(line)) {
            self.dropped.fetch_add(lost, Ordering::Relaxed);
        }
    }
}

/// The writing thread. It ends with the process: the subscriber that holds the other end is global.
fn write_all(mut out: impl Write, waiting: &Receiver<Message>) {
    for message in waiting {
        match message {
            Message::Line(line) => {
                // Nobody is left to tell that the log can't be written.
                let _ = out.write_all(line.as_bytes());
                let _ = out.flush();
            }
            Message::Flush(done) => {
                let _ = done.try_send(());
            }
        }
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for JsonLines {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let (Some(trace), Some(span)) = (Trace::read(attributes), context.span(id)) {
            span.extensions_mut().insert(trace);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            let details = json!({"message": "the log's reader was too slow", "lines": dropped});
            let lost = line(&Level::WARN, "logging", "lines_dropped", None, details);
            self.hand_over(written(&lost), dropped);
        }
        let mut told = told(event);
        if let Some(cloud) = &self.cloud {
            let spans = context.event_scope(event).into_iter().flatten();
            let trace = spans.into_iter().find_map(|span| span.extensions().get::<Trace>().cloned());
            cloud.add(event.metadata().level(), trace, &mut told);
        }
        crate::tools::hide(&mut told, &self.secrets);
        self.hand_over(written(&told), 1);
        if self.news.is_heard() && is_ours(event.metadata().target()) {
            let component = told["component"].as_str().unwrap_or_default().to_owned();
            self.news.tell(Line { level: *event.metadata().level(), component, data: told });
        }
    }
}

impl Cloud {
    /// Google Cloud, "Structured logging": special fields of a JSON payload.
    fn add(&self, level: &Level, trace: Option<Trace>, told: &mut Value) {
        let Value::Object(line) = told else { return };
        let message = line.get("details").and_then(|details| details.get("message")).or(line.get("event"));
        let message = message.cloned().unwrap_or_default();
        line.insert("severity".to_owned(), severity(level).into());
        line.insert("message".to_owned(), message);
        let Some(Trace { id, span, sampled }) = trace else { return };
        let id = match &self.project {
            Some(project) => format!("projects/{project}/traces/{id}"),
            None => id,
        };
        line.insert("logging.googleapis.com/trace".to_owned(), id.into());
        line.extend(span.map(|span| ("logging.googleapis.com/spanId".to_owned(), span.into())));
        line.insert("logging.googleapis.com/trace_sampled".to_owned(), sampled.into());
    }
}

/// The names of LogSeverity.
fn severity(level: &Level) -> &'static str {
    match *level {
        Level::ERROR => "ERROR",
        Level::WARN => "WARNING",
        Level::INFO => "INFO",
        _ => "DEBUG",
    }
}

/// Whether it is one of our crates' words.
fn is_ours(target: &str) -> bool {
    OURS.iter()
        .any(|name| target == *name || target.strip_prefix(name).is_some_and(|rest| rest.starts_with("::")))
}

/// The event as it is logged.
fn told(event: &Event<'_>) -> Value {
    let mut fields = Fields::default();
    event.record(&mut fields);
    let Fields(mut details) = fields;
    let mut take = |name: &str| match details.shift_remove(name) {
        Some(Value::String(text)) => Some(text),
        Some(other) => Some(other.to_string()),
        None => None,
    };
    let component = take("component").unwrap_or_else(|| component(event.metadata().target()).to_owned());
    let session = take("sessionId").or_else(|| take("session_id"));
    let named = take("event");
    let name = named.as_deref().or_else(|| details.get("message").and_then(Value::as_str)).unwrap_or("event");
    let name = base::clip::head(name, 200).into_owned();
    line(event.metadata().level(), &component, &name, session, details.into())
}

/// The fields in A-design's order. `serde_json` escapes line breaks and control characters, so a line stays one.
fn line(level: &Level, component: &str, event: &str, session: Option<String>, details: Value) -> Value {
    let mut whole = Map::new();
    whole.insert("timestamp".to_owned(), format!("{:.3}", jiff::Timestamp::now()).into());
    whole.insert("level".to_owned(), level.as_str().to_ascii_lowercase().into());
    whole.insert("component".to_owned(), component.into());
    whole.insert("event".to_owned(), event.into());
    whole.extend(session.map(|id| ("sessionId".to_owned(), id.into())));
    whole.insert("details".to_owned(), details);
    whole.into()
}

fn written(line: &Value) -> String {
    format!("{line}\n")
}

/// `e2e_mcp_server::tools::toolbox` → `tools`; `supervise::tree` → `supervise`.
fn component(target: &str) -> &str {
    let inside = target.strip_prefix("e2e_mcp_server::").unwrap_or(target);
    inside.split("::").next().unwrap_or(inside)
}

/// An event's fields as JSON.
#[derive(Debug, Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, field: &Field, value: Value) {
        self.0.insert(field.name().to_owned(), value);
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, base::clip::head(value, LONGEST_VALUE).into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }
}

#[cfg(test)]
mod tests;
