//! Page, frame and locator as a user understands them; knows no protocol.

pub mod action;
pub mod backend;
pub mod codegen;
pub mod context;
mod drawn;
mod evaluate;
mod failed;
pub mod fake;
mod glob;
pub mod injected;
pub mod keyboard;
mod locate;
pub mod locator;
pub mod page;
mod read;
mod screenshot;
mod settle;
pub mod snapshot;
mod target;
mod wait;

pub use failed::{Failed, Match, Obstacle, RefGone};
pub use read::{ContentKind, Count};
pub use screenshot::{LONGEST_SIDE, Screenshot, ScreenshotOptions, Smaller};
pub use settle::{Mark, Settled};
pub use target::{Ref, Target};
pub use wait::{Condition, ElementState, NotMet};
