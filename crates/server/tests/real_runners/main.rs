//! Runners run for real, through the product: `run_test` over stdio in a tiny project of each.
//!
//! A runner is one file with its project; what must hold for all of them is in `case`. `cargo xtask test` installs
//! what these need; without it they fail and say so.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod cargo;
mod case;
#[path = "../common/mod.rs"]
mod common;
mod go;
mod gradle;
mod jest;
mod maven;
mod nextest;
mod node;
mod phpunit;
mod playwright;
mod pytest;
mod rspec;
mod vitest;
