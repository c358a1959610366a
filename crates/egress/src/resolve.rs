//! Who knows the addresses of a name.

use std::fmt::Debug;
use std::io;
use std::net::IpAddr;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

/// Looks names up.
pub trait Resolver: Debug + Send + Sync {
    /// The addresses of `name`, in the order in which they are to be tried.
    fn look_up<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The system's own resolver, with its hosts file and its search list.
#[derive(Debug, Clone, Copy)]
pub struct System;

impl Resolver for System {
    fn look_up<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|found| found.ip()).collect()) }.boxed()
    }
}
