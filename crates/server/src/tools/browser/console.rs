//! What the page wrote to its console.

use engine::backend::ConsoleLevel;
use engine::page::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::aftermath::console_line;
use super::args::On;
use super::report::Report;
use super::visit::{How, visit};
use super::{LOOKS, PAGE_TOOL};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool};

pub(crate) static CONSOLE_MESSAGES: Tool = Tool {
    name: "console_messages",
    playwright: Some("browser_console_messages"),
    description: "The console of this page, at least as grave as level. New errors also come with every action.",
    input: input_of::<ConsoleMessages>,
    hints: LOOKS,
    handler: |call| Box::pin(console_messages(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct ConsoleMessages {
    /// Default: info.
    level: Option<Level>,
    /// Of the pages before it, too.
    all: Option<bool>,
    filename: Option<String>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Level {
    Error,
    Warning,
    Info,
    Debug,
}

async fn console_messages(call: Call) -> Result<Reply, Failure> {
    let args: ConsoleMessages = call.args.parse()?;
    let level = match args.level.unwrap_or(Level::Info) {
        Level::Error => ConsoleLevel::Error,
        Level::Warning => ConsoleLevel::Warning,
        Level::Info => ConsoleLevel::Info,
        Level::Debug => ConsoleLevel::Debug,
    };
    // Beside the others: a page that is stuck still has a console, which may say why.
    let how = How::urgent(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let lines: Vec<String> = {
            let state = page.state();
            let began = if args.all == Some(true) { 0.0 } else { document_began(&state) };
            state.console.since(0, level).filter(|entry| entry.at >= began).map(console_line).collect()
        };
        let count = lines.len();
        let report = match &args.filename {
            Some(name) => {
                let path = visit.files.save_as(name, lines.join("\n").as_bytes()).await?;
                Report::of(format!("{count} lines are in {path}"))
            }
            None if lines.is_empty() => Report::of("The console is empty."),
            None => Report { console: lines, ..Report::default() },
        };
        report.reply(&visit).await
    })
    .await
}

/// When the page that is shown was asked for, in seconds since 1970.
pub(super) fn document_began(state: &State) -> f64 {
    let navigation = state.frames.top().navigation.as_ref();
    let document = navigation.and_then(|navigation| state.network.document_of(navigation));
    document.map_or(0.0, |document| document.request.at)
}
