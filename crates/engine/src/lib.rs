//! Page, frame and locator as a user understands them; knows no protocol.

pub mod injected;
pub mod locator;
