//! What is counted while the server runs, as `/metrics` tells it (A-design, Monitoring).
//!
//! No label comes from a caller: tools and types of errors are ours, so that the number of series is bounded and none
//! of them names anybody. [`machine`] is what the system says at the moment of asking.

mod machine;

use std::sync::Arc;
use std::time::Instant;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

pub(crate) use machine::Machine;

/// What the text of [`Metrics::text`] is.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// From an echo to a start of a dev server, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0, 60.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByTool {
    tool: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByToolAndType {
    tool: &'static str,
    r#type: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByRule {
    rule: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByReason {
    reason: &'static str,
}

/// The counts of one server. Clones are the same counts.
#[derive(Debug, Clone)]
pub(crate) struct Metrics(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    registry: Registry,
    sessions: Gauge,
    sessions_started: Counter,
    sessions_ended: Family<ByReason, Counter>,
    calls: Family<ByTool, Counter>,
    errors: Family<ByToolAndType, Counter>,
    durations: Family<ByTool, Histogram, fn() -> Histogram>,
    going_on: Gauge,
    refused: Family<ByReason, Counter>,
    egress_refused: Family<ByRule, Counter>,
    browser_starts: Counter,
    browser_deaths: Counter,
    browser_restarts: Counter,
    processes: Gauge,
    memory: Gauge,
    memory_of_children: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("e2e_mcp");
        let durations: Family<ByTool, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        let counts = Counts {
            sessions: Gauge::default(),
            sessions_started: Counter::default(),
            sessions_ended: Family::default(),
            calls: Family::default(),
            errors: Family::default(),
            durations,
            going_on: Gauge::default(),
            refused: Family::default(),
            egress_refused: Family::default(),
            browser_starts: Counter::default(),
            browser_deaths: Counter::default(),
            browser_restarts: Counter::default(),
            processes: Gauge::default(),
            memory: Gauge::default(),
            memory_of_children: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("sessions", "Sessions that are open", counts.sessions.clone());
        registry.register("sessions_started", "Sessions that were opened", counts.sessions_started.clone());
        registry.register("sessions_ended", "Sessions that ended, by why", counts.sessions_ended.clone());
        registry.register("tool_calls", "Calls that were answered", counts.calls.clone());
        registry.register(
            "tool_errors",
            "Calls that failed, by the type of the error",
            counts.errors.clone(),
        );
        registry.register_with_unit(
            "tool_duration",
            "How long calls took",
            Unit::Seconds,
            counts.durations.clone(),
        );
        registry.register("tool_calls_in_flight", "Calls that are going on", counts.going_on.clone());
        registry.register("refused", "Requests that were refused before any tool", counts.refused.clone());
        registry.register(
            "egress_refused",
            "Requests of browsers that the boundary refused, by its rule",
            counts.egress_refused.clone(),
        );
        registry.register("browser_starts", "Browsers that were started", counts.browser_starts.clone());
        registry.register(
            "browser_deaths",
            "Browsers that died by themselves",
            counts.browser_deaths.clone(),
        );
        registry.register(
            "browser_restarts",
            "Browsers that were started in place of one that died",
            counts.browser_restarts.clone(),
        );
        registry.register("processes", "Processes below this one", counts.processes.clone());
        registry.register_with_unit(
            "resident_memory",
            "Memory of this process",
            Unit::Bytes,
            counts.memory.clone(),
        );
        registry.register_with_unit(
            "children_resident_memory",
            "Memory of the processes below this one, shared parts counted in each",
            Unit::Bytes,
            counts.memory_of_children.clone(),
        );
        Self(Arc::new(Counts { registry, ..counts }))
    }
}

/// A call that is being counted. One that is dropped before its end was given up.
#[derive(Debug)]
pub(crate) struct GoingOn {
    metrics: Metrics,
    began: Instant,
}

impl Metrics {
    /// A call begins.
    pub(crate) fn call_begins(&self) -> GoingOn {
        self.0.going_on.inc();
        GoingOn { metrics: self.clone(), began: Instant::now() }
    }

    /// A session was opened.
    pub(crate) fn session_started(&self) {
        self.0.sessions.inc();
        self.0.sessions_started.inc();
    }

    /// A session ended.
    pub(crate) fn session_ended(&self, reason: &'static str) {
        self.0.sessions.dec();
        self.0.sessions_ended.get_or_create(&ByReason { reason }).inc();
    }

    /// A request was refused before any tool saw it.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.0.refused.get_or_create(&ByReason { reason }).inc();
    }

    /// The boundary refused browsers' requests.
    pub(crate) fn egress_refused(&self, rule: &'static str, times: u64) {
        if times > 0 {
            self.0.egress_refused.get_or_create(&ByRule { rule }).inc_by(times);
        }
    }

    /// A browser was started.
    pub(crate) fn browser_started(&self) {
        let counts = &self.0;
        counts.browser_starts.inc();
        // Each that died is replaced once.
        if counts.browser_restarts.get() < counts.browser_deaths.get() {
            counts.browser_restarts.inc();
        }
    }

    /// A browser died.
    pub(crate) fn browser_died(&self) {
        self.0.browser_deaths.inc();
    }

    /// All of it, in OpenMetrics' text.
    pub(crate) fn text(&self, machine: Machine) -> String {
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        self.0.processes.set(signed(machine.processes));
        self.0.memory.set(signed(machine.memory));
        self.0.memory_of_children.set(signed(machine.memory_of_children));
        let mut written = String::new();
        // Writing to a string can't fail.
        let _ = text::encode(&mut written, &self.0.registry);
        written
    }
}

impl GoingOn {
    /// The call is answered; `error` is the type of its error, if it failed.
    pub(crate) fn ends(self, tool: &'static str, error: Option<&'static str>) {
        let counts = &self.metrics.0;
        counts.calls.get_or_create(&ByTool { tool }).inc();
        counts.durations.get_or_create(&ByTool { tool }).observe(self.began.elapsed().as_secs_f64());
        if let Some(r#type) = error {
            counts.errors.get_or_create(&ByToolAndType { tool, r#type }).inc();
        }
    }
}

impl Drop for GoingOn {
    fn drop(&mut self) {
        self.metrics.0.going_on.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_is_counted_by_tool_and_type() {
        let metrics = Metrics::default();
        metrics.call_begins().ends("click", None);
        metrics.call_begins().ends("click", Some("timeout"));
        let _going_on = metrics.call_begins();
        metrics.session_started();
        metrics.session_started();
        metrics.session_ended("manual");
        metrics.refused("rate_limited");
        metrics.egress_refused("private", 3);
        metrics.egress_refused("more", 0);
        metrics.browser_started();
        metrics.browser_died();
        metrics.browser_started();
        metrics.browser_started();
        let text = metrics.text(Machine { processes: 3, memory: 5, memory_of_children: 7 });
        for line in [
            "e2e_mcp_sessions 1",
            "e2e_mcp_sessions_started_total 2",
            "e2e_mcp_sessions_ended_total{reason=\"manual\"} 1",
            "e2e_mcp_tool_calls_total{tool=\"click\"} 2",
            "e2e_mcp_tool_errors_total{tool=\"click\",type=\"timeout\"} 1",
            "e2e_mcp_tool_duration_seconds_count{tool=\"click\"} 2",
            "e2e_mcp_tool_duration_seconds_bucket{le=\"60.0\",tool=\"click\"} 2",
            "e2e_mcp_tool_calls_in_flight 1",
            "e2e_mcp_refused_total{reason=\"rate_limited\"} 1",
            "e2e_mcp_egress_refused_total{rule=\"private\"} 3",
            "e2e_mcp_browser_starts_total 3",
            "e2e_mcp_browser_restarts_total 1",
            "e2e_mcp_processes 3",
            "e2e_mcp_resident_memory_bytes 5",
            "e2e_mcp_children_resident_memory_bytes 7",
            "# EOF",
        ] {
            assert!(text.lines().any(|told| told == line), "{line} is missing:\n{text}");
        }
    }
}
