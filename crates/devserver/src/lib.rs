//! The server command (seed A, requirement 2): a program of the user's that starts, restarts, watches and stops the
//! project's dev server, and answers in JSON.
//!
//! [`contract`] has its answers as types, [`ServerCommand`] runs it and says what went wrong ([`CommandError`]),
//! [`logs`] reads the files it names. [`adapter`] is such a command for plain dev servers,
//! and [`check`] tells its author whether a command keeps the contract.
//!
//! Left to others: how processes end (`supervise`), what a session is and what an agent is told (`server`).

pub mod adapter;
mod answer;
pub mod check;
mod command;
pub mod contract;
mod error;
mod executor;
mod lenient;
pub mod logs;
mod probe;
mod process;
mod said;

pub use command::ServerCommand;
pub use contract::{LogPaths, Running, State, Status, Stopped, Verb};
pub use error::{CommandError, Reported};
pub use executor::{ServerTree, Started};
pub use process::ServerProcess;
pub use said::Said;
