//! What is measured, and the goals.

use Unit::{Bytes, Mebibytes, Milliseconds};

/// A line of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Row {
    ColdStart,
    FirstNavigate,
    Navigate,
    Snapshot,
    Click,
    ClickBlindly,
    Type,
    Evaluate,
    Screenshot,
    BigSnapshot,
    BigSnapshotBytes,
    UsualMemory,
    Memory,
    ToolsBytes,
    NavigateBytes,
    SnapshotBytes,
    ClickBytes,
    TypeBytes,
    EvaluateBytes,
    ScreenshotBytes,
}

/// What the numbers of a row are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Milliseconds,
    Mebibytes,
    Bytes,
}

/// A row, what it is called, and how much of the peer's median ours may be: of Playwright's, and of agent-browser's,
/// where being ahead is the goal. Without a goal a row is there to be read.
pub(super) struct Line {
    pub(super) row: Row,
    pub(super) name: &'static str,
    pub(super) unit: Unit,
    pub(super) playwright: Option<f64>,
    pub(super) agent_browser: Option<f64>,
}

/// A row with goals.
const fn goal(row: Row, name: &'static str, unit: Unit, playwright: f64) -> Line {
    Line { row, name, unit, playwright: Some(playwright), agent_browser: Some(1.0) }
}

/// A row to be read.
const fn told(row: Row, name: &'static str, unit: Unit) -> Line {
    Line { row, name, unit, playwright: None, agent_browser: None }
}

/// Every row, in the order of the tables.
pub(super) const LINES: &[Line] = &[
    goal(Row::ColdStart, "cold start: spawn to initialize", Milliseconds, 0.015),
    goal(Row::Memory, "memory without the browser, after the run", Mebibytes, 0.08),
    told(Row::UsualMemory, "memory without the browser, before the big page", Mebibytes),
    goal(Row::FirstNavigate, "first navigate, with the browser's start", Milliseconds, 0.6),
    goal(Row::Navigate, "navigate", Milliseconds, 0.5),
    goal(Row::Click, "click, with what changed", Milliseconds, 0.04),
    Line {
        row: Row::ClickBlindly,
        name: "click, theirs without what changed",
        unit: Milliseconds,
        playwright: None,
        agent_browser: Some(1.0),
    },
    goal(Row::Type, "type", Milliseconds, 0.7),
    goal(Row::Evaluate, "evaluate", Milliseconds, 0.01),
    goal(Row::Screenshot, "screenshot", Milliseconds, 0.8),
    goal(Row::Snapshot, "snapshot", Milliseconds, 0.5),
    goal(Row::BigSnapshot, "snapshot of 1000 table rows", Milliseconds, 0.25),
    goal(Row::BigSnapshotBytes, "snapshot of 1000 table rows: bytes", Bytes, 0.6),
    goal(Row::ToolsBytes, "tools/list: bytes", Bytes, 0.75),
    told(Row::NavigateBytes, "navigate: bytes", Bytes),
    told(Row::ClickBytes, "click: bytes", Bytes),
    told(Row::TypeBytes, "type: bytes", Bytes),
    told(Row::EvaluateBytes, "evaluate: bytes", Bytes),
    told(Row::ScreenshotBytes, "screenshot: bytes", Bytes),
    told(Row::SnapshotBytes, "snapshot: bytes", Bytes),
];
