//! Looking out for the moment when a dev server is ready, and for where that is.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use url::Url;

use super::Readiness;
use super::address::{Address, localhost, reachable};
use super::listeners::{self, Listener};
use super::recorder::Heard;
use crate::probe;

/// Nothing tells when a socket begins to listen; it is looked for at first often, then less.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);
/// The port that the server was given is glanced at this often, or less often where a glance costs more than a tenth of it.
const GLANCE: Duration = Duration::from_millis(5);
/// A port that nobody announced is believed after this time: a server may open others before its own.
const UNANNOUNCED: Duration = Duration::from_millis(500);
/// And one that does not speak HTTP after this time.
const NOT_HTTP: Duration = Duration::from_secs(5);
/// How long one question to the server may take.
const ASK: Duration = Duration::from_secs(2);

/// Waits for one server.
#[derive(Debug)]
pub(super) struct Lookout {
    pub(super) ready: Readiness,
    /// The port that the server was given.
    pub(super) port: u16,
    pub(super) heard: Arc<Heard>,
    /// When a port was first seen that nobody announced.
    pub(super) unannounced_since: Option<Instant>,
    /// Somebody listens on the port that the server was given.
    pub(super) opened: bool,
}

impl Lookout {
    /// Waits until the server is ready. Never returns for one that never is.
    pub(super) async fn until_ready(&mut self) -> Address {
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(address) = self.look().await {
                return address;
            }
            self.rest(pause).await;
            pause = (pause * 3 / 2).min(LONGEST_PAUSE);
        }
    }

    /// Waits until it is worth looking again: for so long, until the server says something that matters, or until its port
    /// opens.
    async fn rest(&mut self, pause: Duration) {
        let opens = async {
            loop {
                let glance = Instant::now();
                if listeners::any_on(self.port) {
                    return;
                }
                tokio::time::sleep(GLANCE.max(glance.elapsed() * 10)).await;
            }
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = self.heard.news.notified() => {}
            () = opens, if !self.opened => self.opened = true,
        }
    }

    async fn look(&mut self) -> Option<Address> {
        let listeners = listeners::below_us();
        let listeners = listeners.as_deref();
        let found = match &self.ready {
            Readiness::Port => match self.announced(listeners).await {
                Some(url) => Some((url, None)),
                None => self.unannounced(listeners).await.map(|url| (url, None)),
            },
            Readiness::Url(wanted) => {
                self.answering(wanted, listeners).await.map(|(url, probe)| (url, Some(probe)))
            }
            Readiness::Log(_) => {
                let group = self.heard.matched()?;
                self.after_the_line(group.as_deref(), listeners).await.map(|url| (url, None))
            }
        };
        let (url, probe) = found?;
        let port = url.port_or_known_default();
        let owner = listeners.and_then(|all| all.iter().find(|one| Some(one.port) == port));
        Some(Address { url, probe, pid: owner.map(|owner| owner.pid) })
    }

    /// The port that it was given, or that of a URL that it printed, if it listens there.
    async fn announced(&self, listeners: Option<&[Listener]>) -> Option<Url> {
        let listens = |url: &Url| {
            let port = url.port_or_known_default();
            listeners.is_none_or(|all| all.iter().any(|one| Some(one.port) == port))
        };
        for url in std::iter::once(self.url_of(self.port)?).chain(self.heard.urls()) {
            if listens(&url)
                && let Some(url) = reachable(&url, listeners).await
            {
                return Some(url);
            }
        }
        None
    }

    /// A port that it listens on without having been told to or having said so.
    async fn unannounced(&mut self, listeners: Option<&[Listener]>) -> Option<Url> {
        let listeners = listeners.filter(|listeners| !listeners.is_empty())?;
        let waited = self.unannounced_since.get_or_insert_with(Instant::now).elapsed();
        if waited < UNANNOUNCED { None } else { self.likeliest(listeners, waited >= NOT_HTTP).await }
    }

    /// The listener that answers HTTP best; if none does, any, if that is enough.
    async fn likeliest(&self, listeners: &[Listener], any: bool) -> Option<Url> {
        let mut best: Option<(u16, Url)> = None;
        for listener in listeners {
            let Some(url) = self.url_of(listener.port) else { continue };
            let Some(url) = reachable(&url, Some(listeners)).await else { continue };
            let rank = match probe::get(&url, ASK).await {
                // A debugger's port answers 400.
                Some(status) if status < 500 && status != 400 => 0,
                Some(_) => 1,
                None if any => 2,
                None => continue,
            };
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, url));
            }
        }
        best.map(|(_, url)| url)
    }

    /// The server's URL and the one that was to answer, once it does.
    async fn answering(&self, wanted: &str, listeners: Option<&[Listener]>) -> Option<(Url, Url)> {
        if !wanted.starts_with('/') && !wanted.contains("{port}") {
            let wanted = Url::parse(wanted).ok()?;
            return self.if_it_answers(wanted, None).await;
        }
        let listening = listeners.unwrap_or_default().iter().map(|listener| listener.port);
        let printed = self.heard.urls();
        let printed = printed.iter().filter_map(Url::port_or_known_default);
        let printed =
            printed.filter(|port| listeners.is_none_or(|all| all.iter().any(|one| one.port == *port)));
        let mut ports: Vec<u16> = vec![self.port];
        for port in printed.chain(listening) {
            if !ports.contains(&port) {
                ports.push(port);
            }
        }
        for port in ports {
            if listeners.is_some_and(|all| !all.iter().any(|one| one.port == port)) {
                continue;
            }
            let wanted = if wanted.starts_with('/') {
                let Some(base) = self.url_of(port) else { continue };
                base.join(wanted).ok()
            } else {
                Url::parse(&wanted.replace("{port}", &port.to_string())).ok()
            };
            let Some(wanted) = wanted else { continue };
            let Some(wanted) = reachable(&wanted, listeners).await else { continue };
            if let Some(found) = self.if_it_answers(wanted, listeners).await {
                return Some(found);
            }
        }
        None
    }

    async fn if_it_answers(&self, wanted: Url, listeners: Option<&[Listener]>) -> Option<(Url, Url)> {
        let status = probe::get(&wanted, ASK).await?;
        if !probe::is_ready(status) {
            return None;
        }
        let port = wanted.port_or_known_default();
        let printed = self.heard.urls().into_iter().find(|url| url.port_or_known_default() == port);
        let url = match printed {
            Some(printed) => reachable(&printed, listeners).await,
            None => None,
        };
        let url = match url {
            Some(url) => url,
            None => wanted.join("/").ok()?,
        };
        Some((url, wanted))
    }

    /// The awaited line came: its first group says where the server is, or it is where it listens.
    async fn after_the_line(&self, group: Option<&str>, listeners: Option<&[Listener]>) -> Option<Url> {
        let group = group.map(str::trim).unwrap_or_default();
        let named = match group.parse::<u16>() {
            Ok(port) => localhost(port),
            Err(_) => Url::parse(group).ok().filter(|url| url.scheme().starts_with("http")),
        };
        if let Some(named) = named {
            return reachable(&named, None).await;
        }
        match (self.announced(listeners).await, listeners) {
            (Some(url), _) => Some(url),
            (None, Some(listeners)) => self.likeliest(listeners, true).await,
            (None, None) => None,
        }
    }

    /// The URL that the server printed for this port, or a plain one.
    fn url_of(&self, port: u16) -> Option<Url> {
        let printed = self.heard.urls().into_iter().find(|url| url.port_or_known_default() == Some(port));
        printed.or_else(|| localhost(port))
    }
}
