//! The tools: what each is called, what it takes, what it answers. Knows nothing of MCP's wire; `mcp` carries
//! [`Toolbox::call`]'s replies there.

mod reply;
mod toolbox;

pub(crate) use reply::{Content, Reply};
pub(crate) use toolbox::{Caller, ListedTool, Toolbox};

/// The product's three parts, as in `--tools app,browser,test`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    App,
    Browser,
    Test,
}

/// A group of tools or arguments that `--caps` switches on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cap {
    Background,
}

/// How `tools/list` spells the names; every spelling is accepted in calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Snake,
    Camel,
    Playwright,
}
