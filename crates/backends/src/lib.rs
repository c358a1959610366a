//! The engine's traits over the browsers' protocols, and the browsers themselves: where they are, and how they are
//! started.

pub mod browsers;
mod cdp;
