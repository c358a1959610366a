//! Plays attempts in a session, and waits until each has had its chance.

use std::future::Future;
use std::time::Duration;

use base::scope::Activity;
use base::{CallScope, Deadline};
use engine::backend::{Browser, ContextOptions, Proxy};
use engine::context::Context;
use engine::page::WaitUntil;
use testkit::site::{Request, Response, Site};
use tokio_util::sync::CancellationToken;

use crate::attempt::{Attempt, Place, port};

/// Documents beside each other.
const FRAMES: usize = 24;
const TABS: usize = 8;
/// What is expected to come has come by then.
const LIMIT: Duration = Duration::from_secs(15);
/// Nothing new for so long, and there will be nothing.
const QUIET: Duration = Duration::from_millis(600);
const HELP: &str = include_str!("help.js");

/// Attempts, and the site that they come from.
pub(crate) struct Play {
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) site: Site,
}

/// Who sees what comes of attempts.
pub(crate) trait Audience {
    /// Whether anything came of the attempt with this port, or nothing is expected to.
    fn is_content(&self, port: u16) -> bool;

    /// How much there was to see.
    fn count(&self) -> usize;
}

impl Play {
    pub(crate) fn new(attempts: Vec<Attempt>) -> Self {
        let site = Site::start().unwrap();
        site.route("/as", of_the_query);
        site.route("/help.js", |_| Response::bytes("text/javascript", HELP));
        let origin = site.url("");
        for (at, attempt) in attempts.iter().enumerate().filter(|(_, attempt)| attempt.place != Place::Address) {
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
            let frames: String = chunk.iter().map(|at| format!("<iframe src=/attempt/{at}></iframe>")).collect();
            site.page(&format!("/batch/{number}"), &format!("<!doctype html>{frames}"));
        }
        Self { attempts, site }
    }

    /// Where the attempts of a kind stand in the catalogue.
    fn at(attempts: &[Attempt], place: Place) -> Vec<usize> {
        (0..attempts.len()).filter(|at| attempts[*at].place == place).collect()
    }

    /// Plays all of them in a session of its own, behind this proxy.
    pub(crate) async fn run(&self, browser: &dyn Browser, proxy: String, audience: &impl Audience) {
        let context = open(browser, Some(proxy)).await;
        let page = context.page(&scope()).await.unwrap();
        for at in Self::at(&self.attempts, Place::Address) {
            // It fails, or it is refused with a page.
            let _ = page.navigate(&self.attempts[at].text(at, &self.site.url("")), WaitUntil::Commit, &scope()).await;
        }
        self.settle(&Self::at(&self.attempts, Place::Address), audience).await;
        for (number, chunk) in Self::at(&self.attempts, Place::Frame).chunks(FRAMES).enumerate() {
            self.show(&context, &format!("/batch/{number}")).await;
            self.settle(chunk, audience).await;
            close_all_but_one(&context).await;
        }
        for chunk in Self::at(&self.attempts, Place::Tab).chunks(TABS) {
            for at in chunk {
                self.show(&context, &format!("/attempt/{at}")).await;
            }
            self.settle(chunk, audience).await;
            close_all_but_one(&context).await;
        }
        context.close(Deadline::after(LIMIT)).await;
    }

    /// Shows a page of the site in a tab of its own. One that goes elsewhere at once was shown, too.
    async fn show(&self, context: &Context, path: &str) {
        let tab = context.new_page(&scope()).await.unwrap();
        let _ = tab.navigate(&self.site.url(path), WaitUntil::Commit, &scope()).await;
    }

    /// Waits until there is what is to be seen of these, and then until there is nothing new.
    async fn settle(&self, these: &[usize], audience: &impl Audience) {
        let content = || these.iter().all(|at| audience.is_content(port(*at)));
        let _ = Deadline::after(Duration::from_secs(std::env::var("PATIENCE").map_or(15, |v| v.parse().unwrap()))).race(until(content, Duration::from_millis(20))).await;
        let mut seen = audience.count();
        let quiet = || seen == std::mem::replace(&mut seen, audience.count());
        let _ = Deadline::after(LIMIT).race(until(quiet, QUIET)).await;
    }
}

async fn close_all_but_one(context: &Context) {
    while context.pages().len() > 1 {
        context.close_page(Some(context.pages().len() - 1), &scope()).await.unwrap();
    }
}

/// Looks every so often, after a first while.
fn until(mut done: impl FnMut() -> bool, every: Duration) -> impl Future<Output = ()> {
    async move {
        loop {
            tokio::time::sleep(every).await;
            if done() {
                return;
            }
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
