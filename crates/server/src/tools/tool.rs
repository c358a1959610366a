//! A tool as one value, and what its handler gets.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use base::CallScope;
use schemars::Schema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::arguments::INVALID_INPUT;
use super::{Arrival, Cap, Failure, Family, Reply, Services};
use crate::auth::Subject;
use crate::config::Options;

/// Everything that is to know about one tool. List, docs, argument check and names are made from it.
#[derive(Debug)]
pub(crate) struct Tool {
    /// Its own name, snake_case. The camelCase one follows from it.
    pub(crate) name: &'static str,
    /// Playwright MCP's name for it, where that has one; browser tools only.
    pub(crate) playwright: Option<&'static str>,
    /// Further names that calls may use: another's, or an earlier one of its own.
    pub(crate) also: &'static [&'static str],
    pub(crate) family: Family,
    /// Further families that it belongs to.
    pub(crate) also_in: &'static [Family],
    /// The cap without which the tool does not exist.
    pub(crate) cap: Option<Cap>,
    /// For people, in the client's list.
    pub(crate) title: &'static str,
    /// For the model: what it does, when to use it, what comes back. Every listed word costs every conversation.
    pub(crate) description: &'static str,
    /// What it takes: usually [`input_of::<Args>`](super::schema::input_of).
    pub(crate) input: fn(&Options) -> Schema,
    /// What it answers, for tools that answer with JSON: [`output_of::<Answer>`](super::schema::output_of).
    pub(crate) output: Option<fn(&Options) -> Schema>,
    pub(crate) hints: Hints,
    /// Arguments that exist only with a cap.
    pub(crate) gated: &'static [(&'static str, Cap)],
    /// Other names of arguments, with the argument that each means: accepted everywhere in them, and not listed.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    /// Arguments that are taken but not listed: few need them, and every listed one costs every conversation.
    pub(crate) unlisted: &'static [&'static str],
    /// How long a call with these arguments may take. The handler sees it as its scope's deadline.
    pub(crate) limit: fn(&Args, &Options) -> Duration,
    /// The fields that stand beside `error` in its failures, for clients that read them whatever happened.
    pub(crate) beside_error: fn() -> Map<String, Value>,
    /// The work: `|call| Box::pin(run(call))`.
    pub(crate) handler: fn(Call) -> Work,
}

impl Tool {
    /// Whether a call of it opens a session, of which there are fewer than of others.
    pub(super) fn opens_session(&self) -> bool {
        ["create_session", "start_session"].contains(&self.name)
    }
}

/// A handler at work.
pub(crate) type Work = Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send>>;

/// MCP's tool annotations: what a client may assume when it decides whether to ask its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hints {
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
}

impl Hints {
    /// Looks and changes nothing.
    pub(crate) const READS: Self =
        Self { read_only: true, destructive: false, idempotent: true, open_world: false };
    /// Changes something, but destroys nothing.
    pub(crate) const ACTS: Self =
        Self { read_only: false, destructive: false, idempotent: false, open_world: false };
}

/// One call, as its handler gets it.
#[derive(Debug)]
pub(crate) struct Call {
    /// The tool's own name.
    pub(crate) tool: &'static str,
    /// When it came. A tool of the browser's takes its place in its session's row by it.
    pub(crate) arrival: Arrival,
    /// Who calls. What it opens is its own.
    pub(crate) subject: Subject,
    /// Deadline, cancel token, activity and diary. Every wait is raced against it.
    pub(crate) scope: CallScope,
    /// Checked against the tool's schema.
    pub(crate) args: Args,
    pub(crate) services: Services,
}

/// Arguments that passed the check: known names in the schema's own spelling, right types, nothing `null`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Args(Map<String, Value>);

impl Args {
    /// Only the check makes them.
    pub(super) fn checked(map: Map<String, Value>) -> Self {
        Self(map)
    }

    /// As the tool's own type.
    ///
    /// # Errors
    /// `invalid_input` for what a type refuses and a schema can't say, such as the form of an id.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_value(Value::Object(self.0.clone()))
            .map_err(|error| Failure::new(INVALID_INPUT, error.to_string()))
    }

    /// One argument, for limits that depend on one.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// An argument in milliseconds.
    pub(crate) fn millis(&self, name: &str) -> Option<Duration> {
        self.get(name).and_then(Value::as_u64).map(Duration::from_millis)
    }
}

/// For tools whose failures have nothing beside `error`.
pub(crate) fn nothing_beside() -> Map<String, Value> {
    Map::new()
}
