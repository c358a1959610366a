//! The snapshot of a page on the engine's side: its lines, and what changed from one to the next.
//!
//! The injected script reads the page (`injected/snapshot.js`) and gives lines. Here they are put together over frames,
//! written as YAML and compared; only `capture` talks to a browser.

mod anchors;
mod budget;
mod capture;
mod diff;
mod line;

pub use budget::within_budget;
pub use capture::{Found, Pattern, Snapshot, SnapshotOptions, View};
pub use diff::Diff;
pub use line::{Line, parse, stitch, yaml};

pub(crate) use capture::Seen;
