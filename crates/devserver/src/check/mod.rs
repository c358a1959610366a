//! `check-command`: a server command against the eleven criteria of its contract (A2.1–A2.11).
//!
//! The command is really run: stopped, started, started again, asked, restarted, stopped, started beside a taken port,
//! and called wrongly (trial.rs). What was seen is then judged, criterion by criterion (criteria.rs). Every call
//! runs in a tree of its own, so nothing is left even by a command that keeps none of it.

mod criteria;
mod trial;

use serde::Serialize;
use supervise::Supervisor;

use crate::command::ServerCommand;

/// What became of one criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Criterion {
    /// `A2.1` …
    pub id: &'static str,
    /// What is asked.
    pub what: &'static str,
    /// Whether it holds.
    pub ok: bool,
    /// What was seen.
    pub seen: String,
    /// How to mend it, if it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<&'static str>,
}

/// All eleven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// In the seed's order.
    pub criteria: Vec<Criterion>,
}

impl Report {
    /// Whether the command keeps the contract.
    pub fn holds(&self) -> bool {
        self.criteria.iter().all(|criterion| criterion.ok)
    }

    /// For people: one line each.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Criterion { id, what, ok, seen, mend } in &self.criteria {
            let verdict = if *ok { "ok    " } else { "FAILED" };
            let mend = mend.map(|mend| format!("; mend: {mend}")).unwrap_or_default();
            text.push_str(&format!("{verdict} {id:<5} {what}: {seen}{mend}\n"));
        }
        let held = self.criteria.iter().filter(|criterion| criterion.ok).count();
        text.push_str(&format!("{held} of {} criteria hold\n", self.criteria.len()));
        text
    }

    /// For programs.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({ "ok": self.holds(), "criteria": self.criteria })
    }
}

/// Runs the command through the criteria. Takes as long as the command does, within its limits, and leaves nothing.
pub async fn run(command: &ServerCommand, supervisor: &Supervisor) -> Report {
    Report { criteria: criteria::judge(&trial::hold(command, supervisor).await) }
}
