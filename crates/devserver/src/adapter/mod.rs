//! The adapter: `e2e-mcp-server dev-server --start -- npm run dev` is a server command for any plain dev server.

mod dev;
mod readiness;

pub use dev::{DevRefused, SUBCOMMAND, command_for};
pub use readiness::Readiness;
