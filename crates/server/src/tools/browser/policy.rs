//! What the session's border refused, in an agent's words: a navigation that ended there is an error, the rest is told beside
//! what was asked for.

use std::time::Duration;

use egress::{Noted, Refusal, Refusals};
use engine::page::{Arrival, Exchange, NavigationRefused, Outcome, Page, State};
use url::Url;

use super::codes::{BLOCKED_BY_POLICY, NAVIGATION_FAILED};
use super::failed::hint;
use super::visit::Visit;
use crate::session::destination;
use crate::tools::Failure;

/// As many refusals as an answer tells.
const MOST_LINES: usize = 10;
/// So much later than a navigation's end its requests may be told of.
const TOLD: Duration = Duration::from_millis(500);
/// As much of an address as is told.
const LONGEST_URL: usize = 300;

/// A navigation under way, to tell whether it ended at the border.
#[derive(Debug)]
pub(super) struct Departure {
    /// How much the page's network held.
    network: usize,
}

impl Departure {
    /// The page leaves. What could not be reached before is none of it.
    pub(super) fn from(visit: &Visit, page: &Page) -> Self {
        drop(visit.session.border().unreached());
        Self { network: page.state().network.next_index() }
    }

    /// The failure of a navigation to `asked` that ended at the border, or behind it where nobody was.
    pub(super) async fn stopped(
        &self,
        visit: &Visit,
        page: &Page,
        asked: &str,
        went: &Result<Option<Arrival>, NavigationRefused>,
    ) -> Option<Failure> {
        let ends = match went {
            Ok(Some(arrival)) if matches!(arrival.status, Some(403 | 502)) => vec![arrival.url.clone()],
            Err(NavigationRefused::Failed { url, .. }) => {
                self.end_is_told(visit, page).await;
                let state = page.state();
                let documents = state.network.since(self.network).iter();
                let documents = documents.filter(|exchange| exchange.request.navigation.is_some());
                let documents = documents.map(|exchange| exchange.request.url.clone());
                documents.chain([url.clone(), asked.to_owned()]).collect()
            }
            _ => return None,
        };
        let ends: Vec<Url> = ends.iter().filter_map(|end| Url::parse(end).ok()).collect();
        refused(visit, &ends).or_else(|| unreached(visit, &ends))
    }

    /// Waits a little until it is told which request the navigation failed with: the browser answers by another way, and may do so first.
    async fn end_is_told(&self, visit: &Visit, page: &Page) {
        let is_end = |exchange: &Exchange| {
            exchange.request.navigation.is_some() && matches!(exchange.outcome, Outcome::Failed { .. })
        };
        let told = |state: &State| state.network.since(self.network).iter().any(is_end).then_some(());
        // Some navigations fail without a request.
        let _ = page.wait_for(&visit.late.within(TOLD), told).await;
    }
}

/// The failure of an address that will be refused whoever is asked; the browser need not try.
pub(super) fn foreseen(visit: &Visit, url: &Url) -> Result<(), Failure> {
    match visit.session.border().foresee(url) {
        Some(refusal) => Err(failure(url.as_str(), &refusal)),
        None => Ok(()),
    }
}

fn refused(visit: &Visit, ends: &[Url]) -> Option<Failure> {
    let border = visit.session.border();
    let Refusals { mut noted, others } = border.take();
    let leads_there = |note: &Noted, end: &Url| {
        let there = destination(end);
        there.is_some_and(|(host, port)| host.to_string() == note.refusal.host && port == note.refusal.port)
            && note.url.as_ref().is_none_or(|url| same_page(url, end))
    };
    let found = noted.iter().enumerate().find_map(|(at, note)| {
        let end = ends.iter().find(|end| leads_there(note, end))?;
        Some((at, failure(end.as_str(), &note.refusal)))
    });
    let found = found.map(|(at, failure)| {
        noted.remove(at);
        failure
    });
    border.give_back(noted, others);
    found
}

/// Whether the gate was asked for this page, which has its fragment for itself.
fn same_page(asked: &str, end: &Url) -> bool {
    let mut end = end.clone();
    end.set_fragment(None);
    // Long ones are kept in part.
    Url::parse(asked).is_ok_and(|asked| asked == end) || end.as_str().len() > LONGEST_URL
}

fn unreached(visit: &Visit, ends: &[Url]) -> Option<Failure> {
    let unreached = visit.session.border().unreached();
    ends.iter().find_map(|end| {
        let (host, port) = destination(end)?;
        let host = host.to_string();
        let one = unreached.iter().rfind(|one| one.host == host && one.port == port)?;
        let reason = one.trouble.word();
        Some(
            Failure::new(NAVIGATION_FAILED, format!("{end} could not be reached: {reason}"))
                .fact("url", end.as_str())
                .fact("reason", reason)
                .detail("cause", one.why.as_str())
                .suggest(hint(reason)),
        )
    })
}

fn failure(url: &str, refusal: &Refusal) -> Failure {
    let url = base::clip::head(url, LONGEST_URL).into_owned();
    let address = refusal.address.map(|address| address.to_string());
    let by = match &address {
        Some(address) if !refusal.host.contains(address.as_str()) => format!("{address}, {}", refusal.rule),
        _ => refusal.rule.to_string(),
    };
    let failure = Failure::new(BLOCKED_BY_POLICY, format!("{url} is refused: {by}"))
        .fact("url", url)
        .fact("rule", refusal.rule.to_string())
        .suggest(refusal.remedy());
    match address {
        Some(address) => failure.fact("address", address),
        None => failure,
    }
}

/// What was refused meanwhile, each in one line. It counts as told.
pub(super) fn lines(visit: &Visit) -> Vec<String> {
    let Refusals { noted, others } = visit.session.border().take();
    let untold = others + noted.iter().skip(MOST_LINES).map(|note| note.times).sum::<u64>();
    let mut lines: Vec<String> = noted.iter().take(MOST_LINES).map(line).collect();
    if untold > 0 {
        lines.push(format!("{}: {untold} more requests", BLOCKED_BY_POLICY.lower()));
    }
    lines
}

/// `blocked_by_policy: http://db.test/x (10.0.0.7: private range 10.0.0.0/8), 3 times`.
fn line(note: &Noted) -> String {
    let Noted { refusal, url, times, .. } = note;
    let what = url.clone().unwrap_or_else(|| format!("{}:{}", refusal.host, refusal.port));
    let what = base::clip::head(&what, LONGEST_URL);
    let address = refusal.address.filter(|address| !refusal.host.contains(&address.to_string()));
    let address = address.map(|address| format!("{address}: ")).unwrap_or_default();
    let times = if *times > 1 { format!(", {times} times") } else { String::new() };
    format!("{}: {what} ({address}{}){times}", BLOCKED_BY_POLICY.lower(), refusal.rule)
}
