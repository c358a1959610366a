//! The binary `e2e-mcp-server`.

mod config;
mod tools;

fn main() {}
