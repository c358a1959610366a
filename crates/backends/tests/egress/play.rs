//! Plays attempts in a session, and waits until each has had its chance.

use std::time::Duration;

use base::scope::Activity;
use base::{CallScope, Deadline};
use engine::backend::{Browser, ContextOptions, Proxy};
use engine::context::Context;
use engine::page::{Page, WaitUntil};
use testkit::site::{Request, Response, Site};
use tokio_util::sync::CancellationToken;

use crate::attempt::{Attempt, Place};

/// Documents beside each other.
const FRAMES: usize = 24;
const TABS: usize = 8;
/// What is expected to come has come by then, on a machine that has much else to do, too.
const LIMIT: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Nothing new for so long, and there will be nothing.
const QUIET: Duration = Duration::from_millis(600);
const HELP: &str = include_str!("help.js");

/// Attempts, and the site that they come from.
pub(crate) struct Play {
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) site: Site,
}

/// Where addresses are gone to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tabs {
    One,
    Each,
}

/// Who sees what comes of attempts.
pub(crate) trait Audience {
    /// Whether anything came of each of these attempts, or nothing is expected to.
    fn is_content(&self, these: &[usize]) -> bool;

    /// How much there was to see.
    fn count(&self) -> usize;
}

impl Play {
    pub(crate) fn new(attempts: Vec<Attempt>) -> Self {
        let site = Site::start().unwrap();
        site.route("/as", of_the_query);
        site.route("/help.js", |_| Response::bytes("text/javascript", HELP));
        let origin = site.url("");
        for (at, attempt) in
            attempts.iter().enumerate().filter(|(_, attempt)| attempt.place != Place::Address)
        {
            let html = format!(
                "<!doctype html><meta charset=utf-8><script src=/help.js></script>{}",
                attempt.text(at, &origin)
            );
            let headers = attempt.headers(at, &origin);
            site.route(&format!("/attempt/{at}"), move |_| {
                headers.iter().fold(Response::html(&html), |page, (name, value)| page.header(name, value))
            });
        }
        let framed: Vec<usize> = Self::at(&attempts, Place::Frame);
        for (number, chunk) in framed.chunks(FRAMES).enumerate() {
            let frames: String =
                chunk.iter().map(|at| format!("<iframe src=/attempt/{at}></iframe>")).collect();
            site.page(&format!("/batch/{number}"), &format!("<!doctype html>{frames}"));
        }
        Self { attempts, site }
    }

    /// Where the attempts of a kind stand in the catalogue.
    fn at(attempts: &[Attempt], place: Place) -> Vec<usize> {
        (0..attempts.len()).filter(|at| attempts[*at].place == place).collect()
    }

    /// Plays all of them behind this proxy: the addresses in one session, and every other handful in one of its own, which takes along
    /// whatever they opened.
    pub(crate) async fn run(&self, browser: &dyn Browser, proxy: &str, audience: &impl Audience) {
        let (addresses, frames, tabs) = (
            Self::at(&self.attempts, Place::Address),
            Self::at(&self.attempts, Place::Frame),
            Self::at(&self.attempts, Place::Tab),
        );
        let urls = addresses.iter().map(|at| self.attempts[*at].text(*at, &self.site.url("")));
        self.visit(browser, proxy, urls.collect(), Tabs::One, &addresses, audience).await;
        for (number, chunk) in frames.chunks(FRAMES).enumerate() {
            let batch = vec![self.site.url(&format!("/batch/{number}"))];
            self.visit(browser, proxy, batch, Tabs::One, chunk, audience).await;
        }
        for chunk in tabs.chunks(TABS) {
            let urls = chunk.iter().map(|at| self.site.url(&format!("/attempt/{at}")));
            self.visit(browser, proxy, urls.collect(), Tabs::Each, chunk, audience).await;
        }
    }

    /// Goes to addresses in a session of its own, where these attempts are made.
    async fn visit(
        &self,
        browser: &dyn Browser,
        proxy: &str,
        urls: Vec<String>,
        tabs: Tabs,
        these: &[usize],
        audience: &impl Audience,
    ) {
        if these.is_empty() {
            return;
        }
        let context = open(browser, Some(proxy.to_owned())).await;
        match tabs {
            Tabs::One => {
                let tab = context.page(&scope()).await.unwrap();
                for url in &urls {
                    go(&tab, url).await;
                }
            }
            Tabs::Each => {
                let mut tabs = Vec::new();
                for _ in &urls {
                    tabs.push(context.new_page(&scope()).await.unwrap());
                }
                let visits = tabs.iter().zip(&urls).map(|(tab, url)| go(tab, url));
                futures_util::future::join_all(visits).await;
            }
        }
        self.settle(these, audience).await;
        context.close(Deadline::after(LIMIT)).await;
    }

    /// Waits until there is what is to be seen of these, and then until there is nothing new.
    async fn settle(&self, these: &[usize], audience: &impl Audience) {
        let content = || audience.is_content(these);
        let _ = Deadline::after(LIMIT).race(until(content, LOOK_EVERY)).await;
        let mut seen = audience.count();
        let quiet = || seen == std::mem::replace(&mut seen, audience.count());
        let _ = Deadline::after(LIMIT).race(until(quiet, QUIET)).await;
    }
}

/// It may fail, be refused with a page, or lead elsewhere at once.
async fn go(tab: &Page, url: &str) {
    if let Err(failed) = tab.navigate(url, WaitUntil::Commit, &scope()).await {
        eprintln!("{url}: {failed}");
    }
}

/// Looks every so often, after a first while.
async fn until(mut done: impl FnMut() -> bool, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        if done() {
            return;
        }
    }
}

/// A session behind a proxy.
pub(crate) async fn open(browser: &dyn Browser, proxy: Option<String>) -> Context {
    let proxy = proxy.map(|address| Proxy { address, loopback_direct: true });
    let permissions = ["notifications"].map(str::to_owned).to_vec();
    let options = ContextOptions { proxy, permissions, ..ContextOptions::default() };
    Context::open(browser, options, None).await.unwrap()
}

/// The limits of a call.
pub(crate) fn scope() -> CallScope {
    CallScope::new(Deadline::after(LIMIT), CancellationToken::new(), Activity::default())
}

/// Whatever the query says, as the type that it says, with its headers.
fn of_the_query(request: &Request) -> Response {
    let of = |name: &str| request.param(name).unwrap_or_default();
    let answer = Response::bytes(&of("type"), of("body")).header("Service-Worker-Allowed", "/");
    let headers = request.params("h");
    let pairs = headers.iter().filter_map(|header| header.split_once(": "));
    pairs.fold(answer, |answer, (name, value)| answer.header(name, value))
}
