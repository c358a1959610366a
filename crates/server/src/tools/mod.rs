//! The tools: what each is called, what it takes, what it answers. Knows nothing of MCP's wire; `mcp` carries
//! [`Toolbox::call`]'s replies there.
//!
//! A tool is one value, [`Tool`]; [`registry`] gathers them. The list that clients see, the check of the arguments,
//! the accepted names and docs/tools.md all come from that value. To add a tool: write a file with its argument type,
//! its handler and its `Tool`, and name it in the registry's slice.

mod app;
mod arguments;
mod arrival;
mod browser;
mod code;
mod context;
#[cfg(test)]
mod docs;
mod failure;
mod group;
mod project;
mod registry;
mod reply;
mod run;
mod schema;
mod services;
mod shape;
pub(crate) mod test;
mod tool;
mod toolbox;

pub(crate) use arguments::invalid;
pub(crate) use arrival::{Arrival, Arrivals};
pub(crate) use code::ErrorCode;
pub(crate) use failure::{Failure, now};
pub(crate) use group::{Cap, Family, Spelling, Word};
pub(crate) use registry::TOOLS;
pub(crate) use reply::{Content, Reply, hide};
pub(crate) use run::panic_message;
pub(crate) use services::Services;
pub(crate) use tool::{Args, Call, Hints, Tool};
pub(crate) use toolbox::{Caller, ListedTool, Toolbox};
