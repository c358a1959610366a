//! For tests only: children that misbehave, MCP clients, a web site, a dev server, a display, sample projects, and a look at
//! the process table.
//!
//! Nothing of this is part of the product, and nothing of it judges: it starts, asks and reports, tests assert.

mod app;
mod bins;
pub mod clients;
mod display;
pub mod mcp;
pub mod npm;
pub mod process;
mod project;
pub mod site;

pub use app::ContractApp;
pub use bins::{BIN_DIR, Bins, bins};
pub use display::Display;
pub use project::SampleProject;
