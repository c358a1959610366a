//! A session's gate, as strict as the server can open one, for the site that the attempts come from. Every name leads to where nobody may go.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use egress::{Gate, Limits, Resolver, Rules};
use futures_util::future::{BoxFuture, FutureExt as _, ready};
use testkit::site::Site;

use crate::attempt::FORBIDDEN;
use crate::browsers::Mode;

/// What the names of the other machines are: none but private ones, and one that stands behind a public one.
#[derive(Debug)]
struct Names;

const PUBLIC: Ipv4Addr = Ipv4Addr::new(93, 184, 216, 34);

impl Resolver for Names {
    fn look_up<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let forbidden = FORBIDDEN.parse().unwrap();
        let addresses =
            if name.starts_with("rebinding") { vec![PUBLIC.into(), forbidden] } else { vec![forbidden] };
        ready(Ok(addresses)).boxed()
    }
}

pub(crate) fn open(mode: Mode, site: &Site) -> Gate {
    let strict_loopback = true;
    let gate =
        Gate::open_with(Rules::new(Vec::new(), strict_loopback), Arc::new(Names), Limits::default()).unwrap();
    gate.admit(site.address().port());
    if mode == Mode::Webkit {
        gate.hang_up_on_tunnels();
    }
    gate
}
