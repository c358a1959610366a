//! Who sent a request, as far as limits are concerned.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::http::Extensions;

use crate::auth::Subject;

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// What is counted as one client: a subject, however many machines it calls from, or else an address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Client {
    Subject(Arc<str>),
    Address(IpAddr),
}

impl Client {
    pub(super) fn of(request: &Extensions) -> Self {
        match request.get::<Subject>().filter(|subject| subject.is_named()) {
            Some(subject) => Self::Subject(subject.name()),
            None => Self::Address(request.get::<Peer>().map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), network)),
        }
    }
}

/// Whoever has one address of version 6 has a network of them (RFC 6177).
fn network(Peer(address): &Peer) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        let mut request = Extensions::new();
        request.insert(Peer(address.parse().expect("an address")));
        Client::of(&request)
    }

    #[test]
    fn a_network_of_version_6_is_one_client_and_a_subject_is_one_wherever_it_is() {
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:2"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:1::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        let mut request = Extensions::new();
        request.insert(Peer([192, 0, 2, 1].into()));
        request.insert(Subject::of("alice"));
        assert_eq!(Client::of(&request), Client::Subject("alice".into()));
    }
}
