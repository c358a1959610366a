//! Page, frame and locator as a user understands them; knows no protocol.

pub mod backend;
pub mod fake;
pub mod injected;
pub mod keyboard;
pub mod locator;
pub mod page;
pub mod snapshot;
