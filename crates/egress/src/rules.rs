//! What is permitted, decided without asking anybody: the same question has the same answer.
//!
//! Without a list, a browser reaches this machine and every public host. With one it reaches this machine and what is
//! listed: a listed name where its addresses are public, and a listed address or range whoever it belongs to. So a name
//! can never lead into a range that nobody opened, whoever answers for it.

use std::net::IpAddr;

use crate::allowed::Allowed;
use crate::host::Host;
use crate::network::plain;
use crate::ranges;
use crate::refusal::{Refusal, Rule};

/// Where a browser may go.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Nothing counts as no list.
    allowed: Vec<Allowed>,
    strict_loopback: bool,
    /// Where the session's app is, which is always reached.
    apps: Vec<(App, u16)>,
}

/// The host of a session's app.
#[derive(Debug, Clone, PartialEq, Eq)]
enum App {
    /// This machine, by any of its names and addresses.
    Here,
    At(Host),
}

impl Rules {
    /// The rules of a list, which is none if it is empty. With `strict_loopback` only the ports that are admitted are
    /// reached on this machine.
    pub fn new(allowed: Vec<Allowed>, strict_loopback: bool) -> Self {
        Self { allowed, strict_loopback, apps: Vec::new() }
    }

    /// Whether there is a list.
    pub fn is_a_list(&self) -> bool {
        !self.allowed.is_empty()
    }

    /// Permits the session's app, wherever it is.
    pub fn admit(&mut self, host: &Host, port: u16) {
        // A server that listens everywhere tells so for its address.
        let everywhere = matches!(host, Host::Address(address) if plain(*address).is_unspecified());
        if is_here(host) || everywhere {
            self.apps.push((App::Here, port));
        }
        if !is_here(host) {
            self.apps.push((App::At(host.clone()), port));
        }
    }

    /// Nothing is the session's app any more.
    pub fn dismiss(&mut self) {
        self.apps.clear();
    }

    /// Judges `host` at `port`, which was resolved to `resolved`; of an address and of localhost that is not read.
    /// Answers the addresses to connect to.
    ///
    /// # Errors
    /// [`Refusal`] if the host or any of the addresses is refused.
    pub fn judge(&self, host: &str, port: u16, resolved: &[IpAddr]) -> Result<Vec<IpAddr>, Refusal> {
        let read = Host::read(host).ok_or_else(|| no_host(host, port))?;
        match self.before_look_up(&read, port)? {
            Some(known) => Ok(known),
            None => self.after_look_up(&read, port, resolved.to_vec()),
        }
    }

    /// The addresses of a host that needs no look-up, or none if it must be looked up to be judged.
    ///
    /// # Errors
    /// [`Refusal`] if it is refused whatever its addresses are: then nobody is asked, so that a name can't carry a
    /// message to whoever answers for it.
    pub(crate) fn before_look_up(&self, host: &Host, port: u16) -> Result<Option<Vec<IpAddr>>, Refusal> {
        if let Some(known) = host.known_addresses() {
            return self.after_look_up(host, port, known).map(Some);
        }
        let may_be_listed = self.by_name(host, port)
            || self.is_app(host, port)
            || self.allowed.iter().any(|entry| entry.may_list_addresses(port));
        if may_be_listed { Ok(None) } else { Err(refuse(host, port, None, Rule::NotListed)) }
    }

    /// Judges the addresses that were found.
    ///
    /// # Errors
    /// [`Refusal`] if one of them is refused, though others may not be.
    pub(crate) fn after_look_up(
        &self,
        host: &Host,
        port: u16,
        found: Vec<IpAddr>,
    ) -> Result<Vec<IpAddr>, Refusal> {
        if self.is_app(host, port) {
            return Ok(found);
        }
        let by_name = self.by_name(host, port);
        for address in &found {
            if let Err(rule) = self.judge_address(host, *address, port, by_name) {
                return Err(refuse(host, port, Some(*address), rule));
            }
        }
        Ok(found)
    }

    fn judge_address(&self, host: &Host, address: IpAddr, port: u16, by_name: bool) -> Result<(), Rule> {
        if self.allowed.iter().any(|entry| entry.lists_address(address, port)) {
            return Ok(());
        }
        if plain(address).is_loopback() {
            let listed = host.is_localhost() && self.allowed.iter().any(|entry| entry.lists_name(host, port));
            let open = !self.strict_loopback && (by_name || is_here(host));
            return match listed || open || self.apps.contains(&(App::Here, port)) {
                true => Ok(()),
                false if self.strict_loopback => Err(Rule::Loopback),
                false => Err(Rule::NotListed),
            };
        }
        if !by_name {
            return Err(Rule::NotListed);
        }
        match ranges::refused(address) {
            Some(range) => Err(Rule::Range(range)),
            None => Ok(()),
        }
    }

    /// Whether the host's public addresses are reached.
    fn by_name(&self, host: &Host, port: u16) -> bool {
        !self.is_a_list() || self.allowed.iter().any(|entry| entry.lists_name(host, port))
    }

    fn is_app(&self, host: &Host, port: u16) -> bool {
        self.apps.iter().any(|(app, at)| *at == port && matches!(app, App::At(app) if app == host))
    }
}

/// Whether a host is this machine by what it is, whoever answers for names.
fn is_here(host: &Host) -> bool {
    host.is_localhost() || matches!(host, Host::Address(address) if plain(*address).is_loopback())
}

/// The refusal of what is no host.
pub(crate) fn no_host(host: &str, port: u16) -> Refusal {
    Refusal { host: base::clip::head(host, 200).into_owned(), port, address: None, rule: Rule::NoHost }
}

/// The refusal of a host.
pub(crate) fn refuse(host: &Host, port: u16, address: Option<IpAddr>, rule: Rule) -> Refusal {
    Refusal { host: host.to_string(), port, address, rule }
}

#[cfg(test)]
mod tests;
