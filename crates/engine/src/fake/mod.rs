//! A back end without a browser, for tests of everything above the traits: what it answers is scripted, and what
//! happens on its own is sent by the test.

mod browser;
mod context;
#[cfg(test)]
pub(crate) mod events;
mod page;

pub use browser::FakeBrowser;
pub use context::FakeContext;
pub use page::FakePage;
