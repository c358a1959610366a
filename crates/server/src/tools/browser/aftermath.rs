//! What a call caused: where the page is now, what changed in it, and what happened beside it.

use std::time::Duration;

use engine::Settled;
use engine::backend::{ConsoleEntry, ConsoleLevel, Download, DownloadState, PageId};
use engine::context::{Happened, Moment};
use engine::page::{Exchange, Interruption, Life, Outcome, Page};
use engine::snapshot::{Snapshot, View};
use futures_util::future::join_all;

use super::failed::kind;
use super::report::{About, Report, SNAPSHOT_BUDGET, Seen};
use super::visit::Visit;
use crate::tools::app::witness;

/// As many lines of the console, requests and tabs as an answer tells.
const MOST_LINES: usize = 10;
/// More would not be looked at either.
const MOST_POINTED_OUT: usize = 3;
/// As much of a line as is told.
const LONGEST_LINE: usize = 300;
/// How long the picture of a page may take when it is not what was asked for.
const LOOK: Duration = Duration::from_secs(5);

/// Whether the answer shows the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// What changed in it, or all of it when it is new.
    Page,
    /// Not: something else was asked for.
    Away,
}

/// What happened since `before`, and what the tab in front looks like now.
pub(super) async fn told(visit: &Visit, before: &Moment, look: Look) -> Report {
    told_of(visit, before, look, None).await
}

/// The same when a page has just come to rest: what it said then is not asked for again.
pub(super) async fn settled(visit: &Visit, before: &Moment, look: Look, settled: Settled) -> Report {
    told_of(visit, before, look, settled.title).await
}

async fn told_of(visit: &Visit, before: &Moment, look: Look, title: Option<(PageId, String)>) -> Report {
    let context = visit.session.context();
    let happened = context.since(before);
    let Some(page) = context.current() else {
        return Report { tabs: tabs(visit).await, ..Report::default() };
    };
    let title = title.filter(|(of, _)| of == page.id()).map(|(_, title)| title);
    let blocked = page.state().interruption();
    let heading = page.heading_for().filter(|_| blocked.is_none());
    // Asked together: two questions, one way.
    let (about, view) = match &blocked {
        None if look == Look::Page && heading.is_none() => {
            tokio::join!(about(visit, &page, title), view(visit, &page))
        }
        _ => (about(visit, &page, title).await, None),
    };
    let (attention, server_log) = servers_part(visit, &happened).await;
    // A dialog may have come while we looked.
    let blocked = blocked.or_else(|| page.state().interruption());
    let note = heading.map(|url| {
        format!("The page is on its way to {url}, whose server has not answered yet. wait_for waits for it; other tools stop it and use the page as it is.")
    });
    Report {
        note,
        page: Some(about),
        attention,
        server_log,
        dialog: modals(&page, blocked.as_ref()),
        console: at_most(happened.console.iter().map(console_line), "console_messages"),
        requests: at_most(happened.requests.iter().map(request_line), "network_requests"),
        tabs: if is_about_tabs(&happened) { tabs(visit).await } else { Vec::new() },
        downloads: happened.downloads.iter().map(|download| download_line(visit, download)).collect(),
        view,
        ..Report::default()
    }
}

/// What went wrong behind the page although the call did what was asked (A5.3), and what the dev server logged since the last answer.
async fn servers_part(visit: &Visit, happened: &Happened) -> (Vec<String>, Vec<String>) {
    let refused = happened.requests.iter().filter(|exchange| is_server_error(exchange));
    let refused = refused.map(|exchange| format!("the server failed: {}", request_line(exchange)));
    let thrown = happened.console.iter().filter(|entry| entry.uncaught);
    let thrown = thrown.map(|entry| format!("the page threw: {}", console_line(entry)));
    let attention: Vec<String> = refused.chain(thrown).take(MOST_POINTED_OUT).collect();
    let mut log = match visit.session.app() {
        Some(app) => visit.late.race(witness::unheard(app)).await.unwrap_or_default(),
        None => Vec::new(),
    };
    if let (true, Some(app)) = (log.is_empty(), visit.session.app())
        && happened.requests.iter().any(is_server_error)
    {
        log = visit.late.race(witness::last_words(app)).await.unwrap_or_default();
    }
    (attention, log)
}

fn is_server_error(exchange: &Exchange) -> bool {
    exchange.response.as_ref().is_some_and(|response| response.status >= 500)
}

/// Where the page is, with its title if it is known already.
pub(super) async fn about(visit: &Visit, page: &Page, title: Option<String>) -> About {
    let arrival = page.arrival();
    let odd = arrival.status.filter(|status| !(200..300).contains(status) && *status != 304);
    let status = odd.map(|status| format!("{status} {}", arrival.status_text).trim_end().to_owned());
    let crashed = page.state().life == Life::Crashed;
    let status = if crashed { Some("crashed; navigate again".to_owned()) } else { status };
    let silent = page.state().interruption().is_some() || page.heading_for().is_some();
    let title = match title {
        _ if silent => String::new(),
        Some(title) => title,
        None => page.title(&visit.late).await,
    };
    About {
        url: arrival.url,
        title: base::clip::head(&title, LONGEST_LINE).into_owned(),
        status,
        state: None,
    }
}

async fn view(visit: &Visit, page: &Page) -> Option<Seen> {
    let view = page.view(SNAPSHOT_BUDGET, &visit.late.within(LOOK)).await.ok()?;
    Some(match view {
        View::Unchanged => Seen::Unchanged(true),
        View::Changed(text) => Seen::Changes(text),
        View::Whole(snapshot) => seen(visit, &snapshot).await,
    })
}

/// A snapshot, and where its rest can be read.
pub(super) async fn seen(visit: &Visit, snapshot: &Snapshot) -> Seen {
    let left_out = snapshot.left_out();
    let rest = match left_out {
        0 => None,
        _ => {
            let saved = visit.files.save("snapshot", "yml", snapshot.whole().as_bytes()).await;
            let place = saved.map(|path| format!("; all of it is in {path}")).unwrap_or_default();
            Some(format!(
                "{left_out} lines are left out{place}. Use find, or snapshot with ref or depth, to see a part."
            ))
        }
    };
    Seen::Snapshot { yaml: snapshot.text().to_owned(), rest }
}

/// What the page waits for.
fn modals(page: &Page, blocked: Option<&Interruption>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(Interruption::Dialog(dialog)) = blocked {
        let message = base::clip::head(&dialog.message, LONGEST_LINE);
        lines.push(format!("{} {message:?} is open; answer it with handle_dialog", kind(dialog)));
    }
    if page.state().chooser.is_some() {
        lines.push("a file chooser is open; give it files with file_upload".to_owned());
    }
    lines
}

/// The tabs, each in one line.
pub(super) async fn tabs(visit: &Visit) -> Vec<String> {
    let context = visit.session.context();
    let current = context.current().map(|page| page.id().clone());
    let pages = context.pages();
    let titles = join_all(pages.iter().map(|page| page.title(&visit.late))).await;
    let each = pages.iter().zip(titles).enumerate().map(|(index, (page, title))| {
        let front = if current.as_ref() == Some(page.id()) { "(current) " } else { "" };
        let crashed = if page.state().life == Life::Crashed { " [crashed]" } else { "" };
        format!("{index}: {front}[{}]({}){crashed}", base::clip::head(&title, 100), page.url())
    });
    let lines: Vec<String> = each.collect();
    if lines.is_empty() { vec!["none".to_owned()] } else { lines }
}

fn is_about_tabs(happened: &Happened) -> bool {
    !happened.opened.is_empty() || happened.closed > 0
}

/// `[error] text @ url:line:column`.
pub(super) fn console_line(entry: &ConsoleEntry) -> String {
    let level = match entry.level {
        ConsoleLevel::Debug => "debug",
        ConsoleLevel::Info => "info",
        ConsoleLevel::Warning => "warning",
        ConsoleLevel::Error => "error",
    };
    let text = base::clip::head(entry.text.trim_end(), LONGEST_LINE);
    let place = entry.place.as_ref().filter(|place| !place.url.is_empty());
    let place =
        place.map(|place| format!(" @ {}:{}:{}", short(&place.url), place.line + 1, place.column + 1));
    format!("[{level}] {text}{}", place.unwrap_or_default())
}

/// `12: GET http://host/x → 500 Internal Server Error`.
pub(super) fn request_line(exchange: &Exchange) -> String {
    let request = &exchange.request;
    let outcome = match (&exchange.outcome, &exchange.response) {
        // What a page does not read of a refusal, it gives up.
        (Outcome::Failed { cancelled: false, reason }, _) | (Outcome::Failed { reason, .. }, None) => {
            format!("failed: {reason}")
        }
        (_, Some(response)) => format!("{} {}", response.status, response.status_text).trim_end().to_owned(),
        (Outcome::Redirected, None) => "redirected".to_owned(),
        (_, None) => "pending".to_owned(),
    };
    format!("{}: {} {} → {outcome}", exchange.index, request.method, short(&request.url))
}

fn download_line(visit: &Visit, download: &Download) -> String {
    let name = base::clip::head(&download.suggested_name, 100);
    match &download.state {
        DownloadState::Running { .. } => format!("{name}: on its way"),
        DownloadState::Done(path) => format!("{name}: {}", visit.files.shown(path)),
        DownloadState::Failed(why) => format!("{name}: failed: {why}"),
    }
}

/// A data URL is no address that an agent wants to read.
fn short(url: &str) -> String {
    base::clip::head(url, if url.starts_with("data:") { 40 } else { LONGEST_LINE }).into_owned()
}

/// The newest lines, and which tool has the others.
fn at_most(lines: impl Iterator<Item = String>, tool: &str) -> Vec<String> {
    let mut lines: Vec<String> = lines.collect();
    let more = lines.len().saturating_sub(MOST_LINES);
    if more > 0 {
        lines.drain(..more);
        lines.insert(0, format!("{more} earlier ones: see {tool}"));
    }
    lines
}
