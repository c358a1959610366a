//! The test family: `run_test` (seed B), and `get_test_run` for clients that can't wait long.

use std::time::Duration;

use base::{PathRefused, Workspace};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use supervise::Ladder;
use timebox::controller::Limits;
use timebox::runners::{CommandRefused, RUNNERS, Scope};
use timebox::{NotStarted, Report, Request, Run, RunId, Status, Timebox};

use super::arguments::INVALID_INPUT;
use super::schema::{allow_only, input_of, output_of};
use super::tool::nothing_beside;
use super::{Call, Cap, ErrorCode, Failure, Family, Hints, Reply, Tool, invalid};
use crate::config::Options;

pub(crate) const PATH_ESCAPE: ErrorCode =
    ErrorCode::new("path_escape", "a path leads out of the workspace; nothing was started");
pub(crate) const RUNNER_NOT_INSTALLED: ErrorCode = ErrorCode::new(
    "runner_not_installed",
    "the test runner is not on this machine; the message says how to get it",
);
pub(crate) const PROCESS_ERROR: ErrorCode = ErrorCode::new(
    "process_error",
    "the runner or its report could not be started; the message has the system's reason",
);
pub(crate) const RUN_NOT_FOUND: ErrorCode =
    ErrorCode::new("run_not_found", "no run has this id, or it ended too long ago");

pub(crate) static RUN_TEST: Tool = Tool {
    name: "run_test",
    playwright: None,
    also: &[],
    family: Family::Test,
    also_in: &[],
    cap: None,
    title: "Run tests in a timebox",
    description: "Runs the project's test suite and always comes back: the run is ended, with every process it \
                  started, when it takes longer than timeout_ms or prints nothing for no_output_timeout_ms. \
                  Answers status (pass, fail, timeout, no_output, error), the failures with file and line, the \
                  log lines that matter, and the paths of raw.log, summary.md and summary.json.",
    input: run_test_input,
    output: Some(run_output),
    hints: Hints { open_world: true, ..Hints::ACTS },
    gated: &[("wait_ms", Cap::Background)],
    aliases: &[],
    unlisted: &[],
    limit: |args, options| {
        args.millis("timeout_ms").unwrap_or_default().saturating_add(Timebox::overtime(ladder(options)))
    },
    beside_error: nothing_ran,
    handler: |call| Box::pin(run_test(call)),
};

pub(crate) static GET_TEST_RUN: Tool = Tool {
    name: "get_test_run",
    playwright: None,
    also: &[],
    family: Family::Test,
    also_in: &[],
    cap: Some(Cap::Background),
    title: "Wait for a test run",
    description: "Goes on waiting for a run that run_test answered as running. Answers the same as run_test when it \
                  is over, or running again when wait_ms passes first.",
    input: input_of::<GetTestRun>,
    output: Some(run_output),
    hints: Hints::READS,
    gated: &[],
    aliases: &[],
    unlisted: &[],
    limit: |args, _| args.millis("wait_ms").unwrap_or(DEFAULT_WAIT).saturating_add(Duration::from_secs(1)),
    beside_error: nothing_beside,
    handler: |call| Box::pin(get_test_run(call)),
};

/// Shorter than the shortest time after which a client gives up.
const DEFAULT_WAIT: Duration = Duration::from_secs(45);

/// Arguments of `run_test`. The descriptions are what the agent reads.
#[derive(Debug, Deserialize, JsonSchema)]
struct RunTest {
    /// Which test runner.
    runner: String,
    /// all: everything; file: the tests in `target`; pattern: tests whose name matches `target`.
    scope: ScopeName,
    /// For file: a path relative to the workspace. For pattern: a name pattern in the runner's own syntax.
    target: Option<String>,
    /// The run is ended after this time.
    #[schemars(range(min = 1))]
    timeout_ms: u64,
    /// The run is ended after this time without output.
    #[schemars(range(min = 1))]
    no_output_timeout_ms: u64,
    /// How much of the log's end is searched for failures; 1048576 is plenty.
    #[schemars(range(min = 1))]
    max_output_bytes: u64,
    /// Folder for the artifacts, relative to the workspace. Default: a fresh one below .cache/mcp-test-timebox/reports
    report_dir: Option<String>,
    /// Answer after this time at the latest; if the run still goes on, with status running and its run_id for
    /// get_test_run.
    #[schemars(range(min = 1))]
    wait_ms: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ScopeName {
    All,
    File,
    Pattern,
}

/// Arguments of `get_test_run`.
#[derive(Debug, Deserialize, JsonSchema)]
struct GetTestRun {
    /// From run_test's answer.
    run_id: String,
    /// Answer after this time at the latest. Default: 45000.
    #[schemars(range(min = 1))]
    wait_ms: Option<u64>,
}

/// The answer while a run goes on.
#[derive(Debug, Serialize)]
struct Running {
    status: &'static str,
    run_id: String,
    elapsed_ms: u64,
    last_line: String,
    next: &'static str,
}

/// How a run of this server is stopped.
pub(super) fn ladder(options: &Options) -> Ladder {
    Ladder { grace: options.kill_grace, ..Ladder::default() }
}

/// The runners that the options allow, by name.
fn allowed(options: &Options) -> impl Iterator<Item = &'static str> {
    let restricted = &options.runners;
    let allows = |name: &str| restricted.is_empty() || restricted.iter().any(|one| one == name);
    RUNNERS.iter().map(|runner| runner.name).filter(move |name| allows(name))
}

fn run_test_input(options: &Options) -> Schema {
    let mut schema = input_of::<RunTest>(options);
    allow_only(&mut schema, "runner", allowed(options));
    schema
}

/// A report, or, where calls may answer early, what `Running` says: clients check answers against what was promised.
fn run_output(options: &Options) -> Schema {
    let mut schema = output_of::<Report>(options);
    if let Some(root) = schema.as_object_mut().filter(|_| options.caps.contains(&Cap::Background)) {
        root.insert("required".to_owned(), json!(["status"]));
        if let Some(Value::Object(fields)) = root.get_mut("properties") {
            let words = ["pass", "fail", "timeout", "no_output", "error", "running"];
            fields.insert("status".to_owned(), json!({"type": "string", "enum": words}));
            fields.insert("run_id".to_owned(), json!({"type": "string"}));
            fields.insert("elapsed_ms".to_owned(), json!({"type": "integer"}));
            fields.insert("last_line".to_owned(), json!({"type": "string"}));
        }
    }
    schema
}

/// Seed B's fields for a run that never was (BP11).
fn nothing_ran() -> Map<String, Value> {
    let fields = json!({
        "status": Status::Error,
        "exit_code": null,
        "duration_ms": 0,
        "report_dir": null,
        "artifacts": {"raw_log": null, "summary_md": null, "summary_json": null},
        "excerpt": "",
    });
    match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

async fn run_test(call: Call) -> Result<Reply, Failure> {
    let args: RunTest = call.args.parse()?;
    let wait = args.wait_ms.map(Duration::from_millis);
    let project = call.services.project()?;
    let run = project.runs.start_for(call.subject.name(), request(args, &project.workspace)?);
    // From here on the run ends with this call, however the call ends, unless it is told to go on.
    let leash = run.leash();
    tokio::select! {
        reply = wait_for(&call, &run, wait) => {
            if wait.is_some() {
                leash.let_go();
            }
            reply
        }
        () = call.scope.cancel_token().cancelled() => {
            drop(leash);
            answer(&run, run.wait(call.scope.deadline()).await.as_deref())
        }
    }
}

async fn get_test_run(call: Call) -> Result<Reply, Failure> {
    let args: GetTestRun = call.args.parse()?;
    let (runs, owner) = (&call.services.project()?.runs, call.subject.name());
    let run = args.run_id.parse::<RunId>().ok().and_then(|id| runs.find_of(&owner, id)).ok_or_else(|| {
        let known: Vec<String> = runs.all_of(&owner).take(5).map(|run| run.id().to_string()).collect();
        Failure::new(RUN_NOT_FOUND, format!("there is no run {:?}", base::clip::head(&args.run_id, 60)))
            .detail("known", known)
            .suggest("start one with run_test and wait_ms, and pass the run_id that it answers")
    })?;
    wait_for(&call, &run, Some(args.wait_ms.map_or(DEFAULT_WAIT, Duration::from_millis))).await
}

/// Waits for the outcome, at most `wait` if that is limited. Does not end the run: whoever waits may come back.
async fn wait_for(call: &Call, run: &Run, wait: Option<Duration>) -> Result<Reply, Failure> {
    call.scope.activity().follow(run.activity());
    let deadline = wait.map_or(call.scope.deadline(), |wait| call.scope.deadline().at_most(wait));
    answer(run, run.wait(deadline).await.as_deref())
}

fn answer(run: &Run, outcome: Option<&Result<Report, NotStarted>>) -> Result<Reply, Failure> {
    match outcome {
        None => Ok(Reply::json(&running(run))?),
        Some(Ok(report)) => {
            let mut reply = Reply::json(report)?;
            reply.is_error = report.status == Status::Error;
            Ok(reply)
        }
        Some(Err(refused)) => Err(not_started(refused)),
    }
}

fn running(run: &Run) -> Running {
    Running {
        status: "running",
        run_id: run.id().to_string(),
        elapsed_ms: u64::try_from(run.began().elapsed().as_millis()).unwrap_or(u64::MAX),
        last_line: run.activity().get(),
        next: "call get_test_run with this run_id",
    }
}

/// What was asked for, checked (B7, B2.6, B4.6): nothing is started for a request that does not come through here.
fn request(args: RunTest, workspace: &Workspace) -> Result<Request, Failure> {
    // The schema has let only allowed names through.
    let runner = timebox::runners::find(&args.runner)
        .map_err(|unknown| Failure::new(INVALID_INPUT, unknown.to_string()).fact("field", "runner"))?;
    let locate =
        |field: &str, path: &str| workspace.locate(path).map_err(|refused| escaped(field, path, &refused));
    let scope = match (args.scope, args.target) {
        (ScopeName::All, None) => Scope::All,
        (ScopeName::All, Some(_)) => {
            return Err(Failure::new(INVALID_INPUT, "scope all takes no target")
                .fact("field", "target")
                .suggest("leave target out, or use scope file or pattern"));
        }
        (ScopeName::File, Some(target)) => Scope::File(locate("target", &target)?),
        (ScopeName::Pattern, Some(target)) => Scope::Pattern(target),
        (ScopeName::File | ScopeName::Pattern, None) => {
            return Err(invalid("target", "a string when scope is file or pattern", None));
        }
    };
    Ok(Request {
        runner,
        scope,
        limits: Limits {
            total: Duration::from_millis(args.timeout_ms),
            silence: Duration::from_millis(args.no_output_timeout_ms),
        },
        max_output_bytes: args.max_output_bytes,
        report_dir: args.report_dir.map(|path| locate("report_dir", &path)).transpose()?,
    })
}

pub(super) fn escaped(field: &str, path: &str, refused: &PathRefused) -> Failure {
    Failure::new(PATH_ESCAPE, format!("{field}: {refused}"))
        .fact("field", field)
        .fact("received", base::clip::head(path, 200))
        .suggest("give a path inside the workspace, relative to it")
}

fn not_started(refused: &NotStarted) -> Failure {
    let message = refused.to_string();
    match refused {
        NotStarted::Command(CommandRefused::NotInstalled(missing)) => {
            Failure::new(RUNNER_NOT_INSTALLED, message).suggest(missing.install)
        }
        NotStarted::Command(CommandRefused::FileUntranslatable { why, .. }) => {
            Failure::new(INVALID_INPUT, message).fact("field", "target").suggest(*why)
        }
        NotStarted::Command(CommandRefused::PatternUnusable { why, .. }) => {
            Failure::new(INVALID_INPUT, message).fact("field", "target").suggest(*why)
        }
        NotStarted::Report { .. } => Failure::new(PROCESS_ERROR, message)
            .suggest("make the folder writable, or pass another report_dir"),
        NotStarted::ReportInUse { .. } => Failure::new(INVALID_INPUT, message).fact("field", "report_dir"),
        NotStarted::Spawn(_) => Failure::new(PROCESS_ERROR, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{Caller, Services, Toolbox};
    use base::Activity;
    use proptest::prelude::*;
    use tokio_util::sync::CancellationToken;

    /// Calls run_test in an empty workspace where no runner can be found.
    fn call(workspace: &std::path::Path, args: &Value) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let options = Options { workspace: workspace.to_owned(), ..Options::default() };
            let services = Services::new(options, None, Some("".into())).unwrap();
            let toolbox = Toolbox::new(&[&RUN_TEST], services).unwrap();
            let caller = Caller {
                cancel: CancellationToken::new(),
                activity: Activity::default(),
                arrival: Default::default(),
                subject: Default::default(),
                trace: None,
            };
            let reply = toolbox.call("run_test", args.as_object().unwrap().clone(), caller).await;
            assert!(reply.is_error, "{reply:?}");
            reply.structured.unwrap()
        })
    }

    fn right() -> Value {
        json!({
            "runner": "flutter",
            "scope": "all",
            "timeout_ms": 1000,
            "no_output_timeout_ms": 1000,
            "max_output_bytes": 1000,
        })
    }

    /// What is no positive integer and no allowed word, in any guise.
    fn wrong() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            (i64::MIN..=0).prop_map(Value::from),
            (0.0f64..1e6)
                .prop_filter("whole numbers are fine", |number| number.fract() != 0.0)
                .prop_map(Value::from),
            "[a-z0-9 ;|]{0,12}"
                .prop_filter("allowed words", |word| {
                    !["all", "file", "pattern"].contains(&word.as_str())
                        && timebox::runners::find(word).is_err()
                })
                .prop_map(Value::from),
            Just(json!([])),
            Just(json!({"a": 1})),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        /// BP12, BP2: one required argument that is missing or wrong is enough.
        #[test]
        fn whatever_is_wrong_with_the_arguments_is_refused(
            field in prop::sample::select(vec!["runner", "scope", "timeout_ms", "no_output_timeout_ms", "max_output_bytes"]),
            value in wrong(),
        ) {
            let root = tempfile::tempdir().unwrap();
            let mut args = right();
            args[field] = value;
            let answer = call(root.path(), &args);
            prop_assert_eq!(&answer["error"]["type"], "invalid_input", "{} {}", args, answer);
            prop_assert_eq!(&answer["error"]["field"], field);
            prop_assert_eq!(&answer["status"], "error");
        }

        /// BP13
        #[test]
        fn file_and_pattern_need_a_target(scope in prop::sample::select(vec!["file", "pattern"])) {
            let root = tempfile::tempdir().unwrap();
            let mut args = right();
            args["scope"] = json!(scope);
            let answer = call(root.path(), &args);
            prop_assert_eq!(&answer["error"]["field"], "target");
        }
    }

    #[test]
    fn an_early_answer_keeps_what_the_output_schema_promises() {
        let early =
            json!({"status": "running", "run_id": "x", "elapsed_ms": 1, "last_line": "", "next": "y"});
        for (caps, promised) in [(vec![Cap::Background], true), (vec![], false)] {
            let schema = run_output(&Options { caps, ..Options::default() });
            let schema = Value::Object(crate::tools::schema::plain_output(schema));
            assert_eq!(jsonschema::is_valid(&schema, &early), promised, "{schema}");
        }
    }

    #[test]
    fn right_arguments_get_as_far_as_the_runner() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(call(root.path(), &right())["error"]["type"], "runner_not_installed");
    }
}
