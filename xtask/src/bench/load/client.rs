//! A client that opens a session, does what an agent does in it, and closes it; and many of them at once.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use serde_json::{Value, json};
use testkit::mcp::{HttpConnection, Revision};
use testkit::site::Site;

const LIMIT: Duration = Duration::from_secs(120);
/// A client that was refused comes back after this time.
const PAUSE: Duration = Duration::from_millis(250);
/// What refuses a call because there are too many.
const LIMITS: &[&str] = &["max_sessions_reached", "rate_limited", "too_many_calls"];

const PAGE: &str = "<title>load</title><form onsubmit=\"event.preventDefault(); said.textContent = 'Hello ' + who.value\">\
    <label>Name <input id=who></label><button>Greet</button></form><p id=said></p>";

/// What came of the calls.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Of each that was answered, in milliseconds.
    pub(super) times: Vec<f64>,
    pub(super) limited: usize,
    /// What each of the others said.
    pub(super) failed: Vec<String>,
}

/// The page that sessions act on.
pub(super) fn site() -> anyhow::Result<Site> {
    let site = Site::start()?;
    site.page("/load", PAGE);
    Ok(site)
}

/// Lets so many clients open and close sessions for so long; what came of it, and how many sessions there were.
pub(super) fn all(
    address: SocketAddr,
    site: &Site,
    clients: usize,
    time: Duration,
) -> anyhow::Result<(Tally, usize)> {
    let until = Instant::now() + time;
    let ended = std::thread::scope(|scope| {
        let one = |number: usize| {
            let mut client = Client::new(address, site, number + 1);
            let mut rounds = 0;
            while Instant::now() < until {
                match client.round() {
                    Ok(true) => rounds += 1,
                    Ok(false) => std::thread::sleep(PAUSE),
                    // The session of that round is closed by nobody; it would be told as left.
                    Err(error) => client.tally.failed.push(format!("client {}: {error:#}", number + 1)),
                }
            }
            (client.tally, rounds)
        };
        let threads: Vec<_> = (0..clients).map(|number| scope.spawn(move || one(number))).collect();
        let joined =
            threads.into_iter().map(|thread| thread.join().map_err(|_| anyhow!("a client panicked")));
        joined.collect::<anyhow::Result<Vec<_>>>()
    })?;
    let mut all = (Tally::default(), 0);
    for (tally, rounds) in ended {
        all.0.times.extend(tally.times);
        all.0.limited += tally.limited;
        all.0.failed.extend(tally.failed);
        all.1 += rounds;
    }
    Ok(all)
}

pub(super) struct Client<'a> {
    address: SocketAddr,
    site: &'a Site,
    name: String,
    pub(super) tally: Tally,
}

impl<'a> Client<'a> {
    pub(super) fn new(address: SocketAddr, site: &'a Site, number: usize) -> Self {
        Self { address, site, name: format!("client {number}"), tally: Tally::default() }
    }

    /// One session from its beginning to its end; whether there was one.
    pub(super) fn round(&mut self) -> anyhow::Result<bool> {
        let Some(opened) = self.call("create_session", &json!({}))? else { return Ok(false) };
        let opened: Value = serde_json::from_str(&opened).with_context(|| opened.clone())?;
        let session = opened["sessionId"].as_str().context("no sessionId")?;
        let acted = self.act(session);
        let closed = self.call("close_session", &json!({ "sessionId": session }));
        acted?;
        closed?.context("a limit refused that a session is closed")?;
        Ok(true)
    }

    /// What is done in a session; that another's values are not in it is part of that.
    fn act(&mut self, session: &str) -> anyhow::Result<()> {
        let with = |more: Value| {
            let mut arguments = json!({ "sessionId": session });
            arguments.as_object_mut().into_iter().for_each(|all| {
                all.extend(
                    more.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())),
                );
            });
            arguments
        };
        let store = json!({ "script": format!("localStorage.who = '{}'; return 'stored'", self.name) });
        let calls = [
            ("navigate", json!({ "url": self.site.url("/load") }), "load"),
            ("evaluate", json!({ "script": "localStorage.who ?? 'nobody'" }), "nobody"),
            ("evaluate", store, "stored"),
            ("type", json!({ "selector": "#who", "text": self.name }), ""),
            ("click", json!({ "selector": "button" }), ""),
            ("snapshot", json!({}), &format!("Hello {}", self.name)),
            ("screenshot", json!({}), ""),
        ];
        for (tool, arguments, expected) in calls {
            // A call that a limit refused is asked again: the session goes on.
            let text = loop {
                if let Some(text) = self.call(tool, &with(arguments.clone()))? {
                    break text;
                }
                std::thread::sleep(PAUSE);
            };
            ensure!(text.contains(expected), "{tool} does not say {expected:?}: {text}");
        }
        Ok(())
    }

    /// Calls a tool; nothing if a limit refused it.
    fn call(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<Option<String>> {
        let params = json!({ "name": tool, "arguments": arguments });
        let body = Revision::V2025_11_25.message(Some(1), "tools/call", params).to_string();
        let began = Instant::now();
        let answer = HttpConnection::open(self.address, LIMIT)?.post("/mcp", &[], body.as_bytes())?;
        self.tally.times.push(began.elapsed().as_secs_f64() * 1000.0);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let message = answer.messages().into_iter().find(|message| message["id"] == 1);
        let message =
            message.with_context(|| format!("{tool} was answered with {}: {text}", answer.status))?;
        let said = message["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        let failed = !message["error"].is_null() || message["result"]["isError"] == true;
        if failed && LIMITS.iter().any(|limit| text.contains(limit)) {
            self.tally.limited += 1;
            return Ok(None);
        }
        ensure!(!failed, "{tool}: {text}");
        Ok(Some(said))
    }
}
