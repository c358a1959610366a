//! Where a dev server answers: a URL that works, and that leads to it and to nobody else.

use std::net::{IpAddr, SocketAddr};

use url::Url;

use super::listeners::Listener;
use crate::probe;

/// Where a dev server answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) url: Url,
    /// What to ask whether it is healthy, if that is not the URL.
    pub(super) probe: Option<Url>,
    /// Who listens there, where the system tells.
    pub(super) pid: Option<u32>,
}

impl Address {
    pub(super) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or_default()
    }

    /// As the seed writes it: no slash at the end of a bare host.
    pub(super) fn text(&self) -> String {
        let text = self.url.to_string();
        let bare = self.url.path() == "/" && self.url.query().is_none();
        if bare { text.trim_end_matches('/').to_owned() } else { text }
    }
}

/// `http://localhost:PORT`
pub(super) fn localhost(port: u16) -> Option<Url> {
    Url::parse(&format!("http://localhost:{port}")).ok()
}

/// The URL itself if everything that its host means and that accepts connections is the server's; otherwise the same
/// URL with an address of the server's. `None` if nothing of it accepts connections.
///
/// A server may listen on `[::1]` only, and a stranger on 127.0.0.1 with the same port.
pub(super) async fn reachable(url: &Url, listeners: Option<&[Listener]>) -> Option<Url> {
    let port = url.port_or_known_default()?;
    let own: Option<Vec<&Listener>> =
        listeners.map(|listeners| listeners.iter().filter(|one| one.port == port).collect());
    let ours = |address: SocketAddr| {
        own.as_ref().is_none_or(|own| own.iter().any(|listener| listener.covers(address.ip())))
    };
    let (mut ours_accept, mut stranger_accepts) = (false, false);
    for address in probe::addresses(url).await {
        if probe::accepts(address).await {
            ours_accept |= ours(address);
            stranger_accepts |= !ours(address);
        }
    }
    if ours_accept && !stranger_accepts {
        return Some(url.clone());
    }
    let listening = own.iter().flatten().map(|listener| listener.address);
    let specific = listening.filter(|address: &IpAddr| !address.is_unspecified());
    let literals =
        probe::both(port).into_iter().chain(specific.map(|address| SocketAddr::new(address, port)));
    for address in literals {
        if ours(address) && probe::accepts(address).await {
            let mut url = url.clone();
            url.set_ip_host(address.ip()).ok()?;
            return Some(url);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(address: &str, port: u16) -> Listener {
        Listener { address: address.parse().unwrap(), port, pid: 1 }
    }

    #[test]
    fn a_bare_host_has_no_slash() {
        let address = |url: &str| Address { url: Url::parse(url).unwrap(), probe: None, pid: None };
        assert_eq!(address("http://localhost:3000/").text(), "http://localhost:3000");
        assert_eq!(address("http://localhost:3000/app/").text(), "http://localhost:3000/app/");
        assert_eq!(address("http://localhost/").port(), 80);
    }

    #[tokio::test]
    async fn the_url_leads_to_the_server_and_not_to_a_stranger_on_the_same_port() {
        let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = stranger.local_addr().unwrap().port();
        let server = std::net::TcpListener::bind(("::1", port)).unwrap();
        let url = localhost(port).unwrap();
        let found = reachable(&url, Some(&[listener("::1", port)])).await.unwrap();
        assert_eq!(found.to_string(), format!("http://[::1]:{port}/"));
        drop(server);
        assert_eq!(reachable(&url, Some(&[listener("::1", port)])).await, None);
        let four = reachable(&url, Some(&[listener("127.0.0.1", port)])).await.unwrap();
        assert_eq!(four, url);
        assert_eq!(reachable(&url, None).await, Some(url), "where nobody tells, accepting is enough");
    }
}
