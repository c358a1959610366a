//! What stands between a session's browser and everybody else: its gate, and what was refused there that nobody was
//! told of yet.

use std::sync::{Mutex, MutexGuard, PoisonError};

use egress::{Gate, Host, Noted, Refusal, Refusals, Rules, Unreached};
use engine::backend::{BrowserKind, Proxy};
use url::Url;

use super::SessionRefused;
use crate::metrics::Metrics;

/// As many refusals as wait to be told.
const MOST: usize = 64;

/// How the borders of all sessions are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Boundary {
    rules: Rules,
    strict_loopback: bool,
    /// Browsers of this kind run elsewhere, where no gate of ours can be reached.
    elsewhere: Option<BrowserKind>,
}

impl Boundary {
    pub(crate) fn new(rules: Rules, strict_loopback: bool, elsewhere: Option<BrowserKind>) -> Self {
        Self { rules, strict_loopback, elsewhere }
    }

    /// The border of a session in a browser of this kind.
    ///
    /// # Errors
    /// [`SessionRefused::NoGate`] when the system has no port for it.
    pub(super) fn open(&self, kind: BrowserKind, metrics: Metrics) -> Result<Border, SessionRefused> {
        let gate = match self.elsewhere == Some(kind) {
            true => None,
            false => Some(
                Gate::open(self.rules.clone()).map_err(|error| SessionRefused::NoGate(error.to_string()))?,
            ),
        };
        // WebKit's libsoup would show the gate's refusal as the host's own page.
        if let (BrowserKind::Webkit, Some(gate)) = (kind, &gate) {
            gate.hang_up_on_tunnels();
        }
        let proxy = gate
            .as_ref()
            .map(|gate| Proxy { address: gate.address(), loopback_direct: !self.strict_loopback });
        let held = Held { gate, untold: Refusals::default() };
        Ok(Border { proxy, held: Mutex::new(held), metrics })
    }
}

/// The border of one session.
#[derive(Debug)]
pub(crate) struct Border {
    proxy: Option<Proxy>,
    held: Mutex<Held>,
    metrics: Metrics,
}

#[derive(Debug)]
struct Held {
    /// None in a browser that runs elsewhere, and when the session has ended.
    gate: Option<Gate>,
    untold: Refusals,
}

impl Border {
    /// What the session's context goes through.
    pub(super) fn proxy(&self) -> Option<Proxy> {
        self.proxy.clone()
    }

    /// Permits the session's app, and not the one that it was before.
    pub(crate) fn admit(&self, url: &str) {
        let app = Url::parse(url).ok();
        if let (Some((host, port)), Some(gate)) = (app.as_ref().and_then(destination), &self.held().gate) {
            gate.dismiss();
            gate.admit_host(&host, port);
        }
    }

    /// Why `url` will be refused, as far as nobody needs to be asked for its address.
    pub(crate) fn foresee(&self, url: &Url) -> Option<Refusal> {
        let (host, port) = destination(url)?;
        let refusal = self.held().gate.as_ref()?.foresee(&host, port)?;
        self.metrics.egress_refused(refusal.rule.kind(), 1);
        Some(refusal)
    }

    /// What was refused and not told yet; it counts as told.
    pub(crate) fn take(&self) -> Refusals {
        let mut held = self.held();
        self.gather(&mut held);
        std::mem::take(&mut held.untold)
    }

    /// What could not be reached since the last time.
    pub(crate) fn unreached(&self) -> Vec<Unreached> {
        self.held().gate.as_ref().map(Gate::unreached).unwrap_or_default()
    }

    /// Puts back what was not told after all.
    pub(crate) fn give_back(&self, noted: Vec<Noted>, others: u64) {
        let mut held = self.held();
        held.untold.others += others;
        let later = std::mem::replace(&mut held.untold.noted, noted);
        held.untold.noted.extend(later);
    }

    /// Closes the gate, and every connection through it.
    pub(super) fn close(&self) {
        let mut held = self.held();
        self.gather(&mut held);
        held.gate = None;
    }

    fn gather(&self, held: &mut Held) {
        let Some(gate) = &held.gate else { return };
        let Refusals { noted, others } = gate.refusals();
        held.untold.others += others;
        self.metrics.egress_refused("more", others);
        for note in noted {
            self.metrics.egress_refused(note.refusal.rule.kind(), note.times);
            match held.untold.noted.len() < MOST {
                true => held.untold.noted.push(note),
                false => held.untold.others += note.times,
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The host and the port that a URL leads to, if it leads to another machine's door.
pub(crate) fn destination(url: &Url) -> Option<(Host, u16)> {
    Some((Host::read(url.host_str()?)?, url.port_or_known_default()?))
}
