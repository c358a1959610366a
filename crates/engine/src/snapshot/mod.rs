//! The snapshot of a page on the engine's side: its lines, and what changed from one to the next.
//!
//! The injected script reads the page (`injected/snapshot.js`) and gives lines. Here they are put together over frames,
//! written as YAML and compared. Nothing here talks to a browser.

mod anchors;
mod diff;
mod line;

pub use diff::Diff;
pub use line::{Line, parse, stitch, yaml};
