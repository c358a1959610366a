//! The trials of a browser.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::Browser;
use engine::page::WaitUntil;

use crate::attempt::{Attempt, FORBIDDEN_NAME, port};
use crate::browsers::Mode;
use crate::door::{Door, Way};
use crate::play::{Audience, Play, open, scope};
use crate::tap::{DNS, Seen, Tap};
use crate::target::{FIRST_PORT, Target};
use crate::{browsers, catalogue, gate, silent};

/// Names the attempts to play: their names, or a part of them.
const ONLY: &str = "EGRESS_ATTEMPT";
const END: Duration = Duration::from_secs(30);

/// Parts of the names of attempts that need no proxy in a browser that is not confined.
const FREE: &[&str] = &["a call's", "a look-up", "a transport"];

/// Runs a trial with a browser of its own, of which nothing is left afterwards.
fn with_browser<F: Future<Output = ()>>(
    mode: Mode,
    confined: bool,
    trial: impl FnOnce(Arc<dyn Browser>, Tap) -> F,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let tap = Tap::open();
        let browser = browsers::start(mode, confined, folder.path()).await;
        trial(browser.clone(), tap).await;
        browser.close(Deadline::after(END)).await;
    });
}

/// What no session of ours has a reason to send: anything to another machine, and anything to the target or to who knows names, wherever
/// they are.
fn escaped(seen: &BTreeSet<Seen>, attempts: &[Attempt]) -> Vec<String> {
    let ports = FIRST_PORT..port(attempts.len());
    let escapes = |seen: &&Seen| !seen.to.is_loopback() || ports.contains(&seen.port) || seen.port == DNS;
    let tell = |seen: &Seen| {
        let kind = if seen.tcp { "TCP" } else { "UDP" };
        let attempt = attempts.get(usize::from(seen.port.wrapping_sub(FIRST_PORT)));
        let attempt = attempt.map_or("no attempt's port", |attempt| attempt.name);
        let name = seen.name.as_ref().map_or_else(String::new, |name| format!(" to look up {name:?}"));
        format!("{kind} to {} port {}{name} ({attempt})", seen.to, seen.port)
    };
    seen.iter().filter(escapes).map(tell).collect()
}

/// What is expected of each attempt, and what came of it.
struct Watching<'a, F: Fn() -> BTreeSet<u16>> {
    browser: &'static str,
    attempts: &'a [Attempt],
    came: F,
}

impl<F: Fn() -> BTreeSet<u16>> Audience for Watching<'_, F> {
    fn is_content(&self, these: &[usize]) -> bool {
        let came = (self.came)();
        let is_silent = |at: usize| silent::find(self.browser, self.attempts[at].name).is_some();
        these.iter().all(|at| came.contains(&port(*at)) || is_silent(*at))
    }

    fn count(&self) -> usize {
        (self.came)().len()
    }
}

impl<F: Fn() -> BTreeSet<u16>> Watching<'_, F> {
    /// Everything came that was expected to, and nothing else.
    fn assert_as_expected(&self) {
        let came = (self.came)();
        let judge = |(at, attempt): (usize, &Attempt)| {
            let known = silent::find(self.browser, attempt.name);
            match (came.contains(&port(at)), known) {
                (true, Some(silent)) if !silent.at_times => {
                    Some(format!("{:?} is no longer silent: {}", attempt.name, silent.reason))
                }
                (false, None) => Some(format!("{:?} came to nothing", attempt.name)),
                _ => None,
            }
        };
        let surprises: Vec<String> = self.attempts.iter().enumerate().filter_map(judge).collect();
        assert!(surprises.is_empty(), "{}:\n{}", self.browser, surprises.join("\n"));
    }
}

/// The attempts, or those that were named.
fn attempts() -> Vec<Attempt> {
    let only = std::env::var(ONLY).unwrap_or_default();
    catalogue::all().into_iter().filter(|attempt| attempt.name.contains(&only)).collect()
}

/// A browser that is not confined goes around the proxy of its session, and that is seen: who sees nothing of the confined ones would see
/// it, and it is the confinement that keeps them. What is seen are names that are looked up, and the datagrams of calls.
pub(crate) fn of_freedom(mode: Mode) {
    with_browser(mode, false, async |browser, tap| {
        let goes_around = |attempt: &Attempt| FREE.iter().any(|part| attempt.name.contains(part));
        let play = Play::new(attempts().into_iter().filter(goes_around).collect());
        let _target = Target::open(play.attempts.len()).await;
        let gate = gate::open(mode, &play.site);
        let door = Door::open(Way::to(&gate)).await;
        let ports = FIRST_PORT..port(play.attempts.len());
        // Not what the browser itself is up to.
        let looked_up = || tap.seen().iter().any(|seen| seen.name.as_deref() == Some(FORBIDDEN_NAME));
        let sent = || tap.seen().iter().any(|seen| !seen.tcp && ports.contains(&seen.port));
        play.run(&*browser, &door.address(), &Curious { seen: &|| looked_up() && sent() }).await;
        eprintln!("{} as it comes:\n{}", mode.word(), escaped(&tap.seen(), &play.attempts).join("\n"));
        assert!(looked_up(), "{} looks up no name by itself", mode.word());
        assert!(sent(), "{} sends no datagram by itself", mode.word());
    });
}

/// Waits until all has gone around that is to be seen.
struct Curious<'a> {
    seen: &'a dyn Fn() -> bool,
}

impl Audience for Curious<'_> {
    fn is_content(&self, _: &[usize]) -> bool {
        (self.seen)()
    }

    fn count(&self) -> usize {
        0
    }
}

/// Behind a session's gate nothing arrives and nothing leaves.
pub(crate) fn of_refusal(mode: Mode) {
    with_browser(mode, true, async |browser, tap| {
        let (word, play) = (mode.word(), Play::new(attempts()));
        let target = Target::open(play.attempts.len()).await;
        let gate = gate::open(mode, &play.site);
        let door = Door::open(Way::to(&gate)).await;
        let ports = FIRST_PORT..port(play.attempts.len());
        let asked = || door.asked().into_iter().filter(|port| ports.contains(port)).collect();
        let watching = Watching { browser: word, attempts: &play.attempts, came: asked };
        play.run(&*browser, &door.address(), &watching).await;
        eprintln!("{}", figures(word, &play.attempts, &(watching.came)()));
        let escaped = escaped(&tap.seen(), &play.attempts);
        assert!(escaped.is_empty(), "{word} goes around its proxy:\n{}", escaped.join("\n"));
        assert_eq!(target.arrived(), BTreeSet::new());
        watching.assert_as_expected();
        // It was the rules that kept them, not that nobody was there.
        assert!(gate.refused() >= (watching.came)().len() as u64, "{:?}", gate.refusals());
        let permitted: Vec<_> = gate.unreached().into_iter().filter(|at| ports.contains(&at.port)).collect();
        assert_eq!(permitted, Vec::new());
        // This machine is asked directly where that can be told apart.
        let by_proxy = door.asked().contains(&play.site.address().port());
        assert_eq!(by_proxy, mode == Mode::Firefox);
    });
}

/// Behind a proxy that permits, what would be refused arrives.
pub(crate) fn of_permission(mode: Mode) {
    with_browser(mode, true, async |browser, _| {
        let play = Play::new(attempts());
        let target = Target::open(play.attempts.len()).await;
        let door = Door::open(Way::Here).await;
        let watching = Watching { browser: mode.word(), attempts: &play.attempts, came: || target.arrived() };
        play.run(&*browser, &door.address(), &watching).await;
        watching.assert_as_expected();
    });
}

fn figures(browser: &str, attempts: &[Attempt], asked: &BTreeSet<u16>) -> String {
    let silent = attempts.len() - asked.len();
    let mut text = format!(
        "{browser}: {} attempts, {} refused by the proxy, {silent} sent nothing",
        attempts.len(),
        asked.len()
    );
    for (at, attempt) in attempts.iter().enumerate().filter(|(at, _)| !asked.contains(&port(*at))) {
        let _ = write!(text, "\n  {at} {}", attempt.name);
    }
    text
}

/// A session whose proxy went away fails, as one does that never had any.
pub(crate) fn of_a_missing_proxy(mode: Mode) {
    with_browser(mode, true, async |browser, tap| {
        let play = Play::new(Vec::new());
        let target = Target::open(1).await;
        let gate = gate::open(mode, &play.site);
        let door = Door::open(Way::to(&gate)).await;
        let behind = open(&*browser, Some(door.address())).await;
        let page = behind.page(&scope()).await.unwrap();
        page.navigate(&play.site.url("/empty"), WaitUntil::Load, &scope()).await.unwrap();
        drop(door);
        let asked = format!(
            "Promise.all([
                fetch('http://10.77.0.9:{FIRST_PORT}/', {{ mode: 'no-cors' }}).then(() => 'came', () => 'failed'),
                fetch('https://forbidden.test:{FIRST_PORT}/', {{ mode: 'no-cors' }}).then(() => 'came', () => 'failed'),
                new Promise(end => {{
                    const socket = new WebSocket('ws://10.77.0.9:{FIRST_PORT}/');
                    socket.onopen = () => end('came');
                    socket.onerror = () => end('failed');
                }}),
            ]).then(all => all.join())"
        );
        assert_eq!(page.evaluate(&asked, None, &scope()).await.unwrap(), "failed,failed,failed");
        let never = open(&*browser, None).await;
        let without = never.page(&scope()).await.unwrap();
        for url in [format!("http://10.77.0.9:{FIRST_PORT}/"), format!("http://forbidden.test:{FIRST_PORT}/")]
        {
            for page in [&page, &without] {
                let went = page.navigate(&url, WaitUntil::Load, &scope()).await;
                assert!(went.is_err(), "{url}: {went:?}");
            }
        }
        for context in [behind, never] {
            context.close(Deadline::after(END)).await;
        }
        assert_eq!(escaped(&tap.seen(), &[]), Vec::<String>::new());
        assert_eq!(target.arrived(), BTreeSet::new());
    });
}
