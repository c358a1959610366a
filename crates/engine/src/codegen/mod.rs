//! What was done, as the line of Playwright code that does it again: the agent writes its test from it.

mod call;
mod options;
mod statement;
#[cfg(test)]
mod tests;

pub use statement::{Statement, Wait, while_holding};
