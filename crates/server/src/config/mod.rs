//! What the server was told to do: flags, environment and config file, resolved once into [`Options`].
//!
//! Every setting is one value ([`setting::Setting`]); the slice [`settings::SETTINGS`] feeds the flags, `--help`, the
//! look-up of variables, the check of config files and docs/configuration.md. What was typed ([`given`]) and what it
//! means ([`Options`]) are two types. No other room reads a flag, a variable or the config file.

mod app;
mod browser;
mod command;
#[cfg(test)]
mod deploy;
#[cfg(test)]
mod docs;
mod egress;
mod file;
mod given;
mod options;
mod refusal;
mod resolve;
mod service;
mod setting;
mod settings;

pub(crate) use app::{AppOptions, DevServer};
pub(crate) use browser::{BrowserOptions, Isolation};
pub(crate) use egress::EgressOptions;
pub(crate) use given::Environment;
pub(crate) use options::{Options, Transport};
pub(crate) use refusal::ConfigError;
pub(crate) use resolve::{Parsed, resolve};
pub(crate) use service::{Authorization, HttpLimits, MetricsAccess, ServiceOptions};
