//! The one list of tools. Adding a tool is one file beside this one and one line here.

use super::{Tool, test};

/// Every tool that this server can have, in the order in which clients list them.
pub(crate) static TOOLS: &[&Tool] = &[&test::RUN_TEST, &test::GET_TEST_RUN];
