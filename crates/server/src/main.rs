//! The binary `e2e-mcp-server`.

#![allow(dead_code, unused_imports)]

mod config;
#[cfg(test)]
mod generated;
mod logging;
mod tools;
mod words;

fn main() {}
