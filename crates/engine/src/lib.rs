//! Page, frame and locator as a user understands them; knows no protocol.

pub mod action;
pub mod backend;
pub mod codegen;
pub mod context;
mod failed;
pub mod fake;
pub mod injected;
pub mod keyboard;
mod locate;
pub mod locator;
pub mod page;
mod settle;
pub mod snapshot;
mod target;

pub use failed::{Failed, Match, Obstacle, RefGone};
pub use settle::{Mark, Settled};
pub use target::{Ref, Target};
