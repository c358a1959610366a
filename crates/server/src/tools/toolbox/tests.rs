//! The promises of the toolbox, kept with tools of the tests' own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::Instant;

use super::*;
use crate::tools::schema::{input_of, output_of};
use crate::tools::tool::{Hints, nothing_beside};
use crate::tools::{Cap, Content, Family, TOOLS};

#[derive(JsonSchema, Deserialize)]
struct EchoArgs {
    /// What comes back.
    text: String,
    /// How long to wait for it.
    wait_ms: Option<u64>,
}

#[derive(JsonSchema, Serialize)]
struct Echoed {
    text: String,
    note: Option<String>,
}

async fn echo(call: Call) -> Result<Reply, Failure> {
    let args: EchoArgs = call.args.parse()?;
    Ok(Reply::json(&Echoed { text: args.text, note: args.wait_ms.map(|ms| format!("{ms} ms")) })?)
}

static ECHO: Tool = Tool {
    name: "echo_text",
    playwright: None,
    also: &[],
    family: Family::Test,
    also_in: &[],
    cap: None,
    title: "Echo",
    description: "Says it again.",
    input: input_of::<EchoArgs>,
    output: Some(output_of::<Echoed>),
    hints: Hints::READS,
    gated: &[("wait_ms", Cap::Background)],
    aliases: &[],
    unlisted: &[],
    limit: |_, _| Duration::from_secs(60),
    beside_error: || {
        Map::from_iter([("status".to_owned(), json!("error")), ("exit_code".to_owned(), Value::Null)])
    },
    handler: |call| Box::pin(echo(call)),
};

/// A tool with everything, for other tests.
pub(in crate::tools) fn sample() -> &'static Tool {
    &ECHO
}

#[derive(JsonSchema, Deserialize)]
struct NoArgs {}

/// A tool without arguments that does `handler`.
const fn bare(name: &'static str, handler: fn(Call) -> crate::tools::tool::Work) -> Tool {
    Tool {
        name,
        playwright: None,
        also: &[],
        family: Family::Test,
        also_in: &[],
        cap: None,
        title: "",
        description: "",
        input: input_of::<NoArgs>,
        output: None,
        hints: Hints::ACTS,
        gated: &[],
        aliases: &[],
        unlisted: &[],
        limit: |_, _| Duration::from_secs(60),
        beside_error: nothing_beside,
        handler,
    }
}

static NAVIGATE: Tool = Tool {
    playwright: Some("browser_navigate_back"),
    also: &[],
    family: Family::Browser,
    ..bare("navigate_back", |_| Box::pin(async { Ok(Reply::text("gone back")) }))
};
static POLL: Tool = Tool {
    cap: Some(Cap::Background),
    ..bare("get_test_run", |_| Box::pin(async { Ok(Reply::text("still running")) }))
};
static PANICS: Tool = bare("panics", |_| Box::pin(async { panic!("the handler's {}", "own words") }));
static PANICS_EARLY: Tool = bare("panics_early", |_| panic!("before its future"));
static LIMIT_PANICS: Tool =
    Tool { limit: |_, _| panic!("no limit"), ..bare("limit_panics", |_| Box::pin(std::future::pending())) };
static HANGS: Tool = bare("hangs", |call| {
    call.scope.log().note("waiting for nothing");
    call.scope.activity().set("hanging");
    Box::pin(std::future::pending())
});
static OBEYS: Tool = bare("obeys", |call| {
    Box::pin(async move {
        call.scope
            .race(std::future::pending::<()>())
            .await
            .map_err(|why| Failure::from(why).beside("evidence", "kept"))?;
        Ok(Reply::text("never"))
    })
});
static BLOCKED: AtomicBool = AtomicBool::new(true);
static BLOCKS: Tool = Tool {
    limit: |_, _| Duration::from_millis(10),
    ..bare("blocks", |_| {
        Box::pin(async {
            while BLOCKED.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(Reply::text("too late"))
        })
    })
};
static ALL: &[&Tool] =
    &[&ECHO, &NAVIGATE, &POLL, &PANICS, &PANICS_EARLY, &LIMIT_PANICS, &HANGS, &OBEYS, &BLOCKS];

fn toolbox(change: impl FnOnce(&mut Options)) -> Toolbox {
    let mut options = Options::default();
    change(&mut options);
    Toolbox::new(ALL, Services::new(options, None, None).unwrap()).unwrap()
}

fn caller() -> Caller {
    Caller {
        cancel: CancellationToken::new(),
        activity: Activity::default(),
        arrival: Arrival::default(),
        subject: Subject::default(),
        trace: None,
    }
}

async fn call(toolbox: &Toolbox, name: &str, arguments: Value) -> Reply {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    toolbox.call(name, arguments, caller()).await
}

fn names(toolbox: &Toolbox) -> Vec<&str> {
    toolbox.listed().iter().map(|tool| tool.name.as_str()).collect()
}

fn error(reply: &Reply) -> &Value {
    assert!(reply.is_error);
    let structured = reply.structured.as_ref().unwrap();
    assert_eq!(reply.content, [Content::Text(structured.to_string())]);
    &structured["error"]
}

#[tokio::test]
async fn a_tool_answers_to_every_spelling_whatever_the_list_shows() {
    for spelling in [Spelling::Snake, Spelling::Camel, Spelling::Playwright] {
        let toolbox = toolbox(|options| options.spelling = spelling);
        for name in ["echo_text", "echoText"] {
            let reply = call(&toolbox, name, json!({"text": "hi"})).await;
            assert_eq!(reply.structured, Some(json!({"text": "hi", "note": null})), "{name}");
            assert!(!reply.is_error);
        }
        for name in ["navigate_back", "navigateBack", "browser_navigate_back"] {
            assert_eq!(call(&toolbox, name, json!({})).await, Reply::text("gone back"), "{name}");
        }
    }
}

#[test]
fn the_list_is_spelled_as_asked() {
    let first_two = |spelling| {
        let toolbox = toolbox(|options| options.spelling = spelling);
        names(&toolbox)[..2].iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(first_two(Spelling::Snake), ["echo_text", "navigate_back"]);
    assert_eq!(first_two(Spelling::Camel), ["echoText", "navigateBack"]);
    assert_eq!(first_two(Spelling::Playwright), ["echo_text", "browser_navigate_back"]);
}

#[tokio::test]
async fn families_and_caps_decide_what_exists_and_a_call_is_told_why_it_does_not() {
    let few = toolbox(|options| options.families = vec![Family::Test]);
    assert!(few.has("echoText") && !few.has("navigate_back") && !few.has("nothing"));
    assert!(!names(&few).contains(&"navigate_back"));
    let reply = call(&few, "browser_navigate_back", json!({})).await;
    assert_eq!(error(&reply)["type"], "unknown_tool");
    assert!(error(&reply)["message"].as_str().unwrap().contains("without `browser` in `--tools`"));
    let reply = call(&few, "getTestRun", json!({})).await;
    assert!(error(&reply)["message"].as_str().unwrap().contains("`--caps background`"));

    let more = toolbox(|options| options.caps = vec![Cap::Background]);
    assert!(names(&more).contains(&"get_test_run"));
    assert_eq!(call(&more, "getTestRun", json!({})).await, Reply::text("still running"));
}

#[tokio::test]
async fn an_argument_behind_a_cap_exists_only_with_it() {
    let properties = |toolbox: &Toolbox| {
        let schema = &toolbox.listed()[0].input_schema;
        schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    let plain = toolbox(|_| {});
    assert_eq!(properties(&plain), ["text"]);
    let reply = call(&plain, "echo_text", json!({"text": "hi", "wait_ms": 1})).await;
    assert_eq!(error(&reply)["field"], "wait_ms");
    let background = toolbox(|options| options.caps = vec![Cap::Background]);
    assert_eq!(properties(&background), ["text", "wait_ms"]);
    let reply = call(&background, "echo_text", json!({"text": "hi", "waitMs": 1})).await;
    assert_eq!(reply.structured, Some(json!({"text": "hi", "note": "1 ms"})));
}

#[test]
fn the_output_schema_is_listed_only_when_asked_for() {
    assert!(toolbox(|_| {}).listed()[0].output_schema.is_none());
    let asked = toolbox(|options| options.structured_results = true);
    let schema = Value::from(asked.listed()[0].output_schema.clone().unwrap());
    jsonschema::validate(&schema, &json!({"text": "hi", "note": null})).unwrap();
}

#[tokio::test]
async fn an_unknown_tool_is_told_the_nearest() {
    let toolbox = toolbox(|_| {});
    let reply = call(&toolbox, "echo_txt", json!({})).await;
    assert_eq!(error(&reply)["message"], "there is no tool `echo_txt`; did you mean `echo_text`?");
    assert_eq!(error(&reply)["details"]["nearest"][0], "echo_text");
    let reply = call(&toolbox, &"x".repeat(1_000_000), json!({})).await;
    assert!(error(&reply).to_string().len() < 2_000);
    assert!(error(&reply)["suggestion"].as_str().unwrap().contains("`echo_text`"));
}

#[tokio::test]
async fn bad_arguments_are_one_reply_with_the_tools_own_fields_beside_the_error() {
    let reply = call(&toolbox(|_| {}), "echoText", json!({"txt": "hi"})).await;
    assert_eq!(error(&reply)["context"], json!({"tool": "echoText", "args": {"txt": "hi"}}));
    let whole = reply.structured.as_ref().unwrap();
    assert_eq!((&whole["status"], &whole["exit_code"]), (&json!("error"), &Value::Null));
}

#[tokio::test]
async fn a_panic_is_one_failed_call() {
    let toolbox = toolbox(|_| {});
    for (name, words) in [
        ("panics", "the handler's own words"),
        ("panics_early", "before its future"),
        ("limit_panics", "no limit"),
    ] {
        let reply = call(&toolbox, name, json!({})).await;
        assert_eq!(error(&reply)["type"], "internal_error");
        assert!(error(&reply)["message"].as_str().unwrap().ends_with(words), "{reply:?}");
    }
    assert!(!call(&toolbox, "echo_text", json!({"text": "alive"})).await.is_error);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_hangs_is_dropped_two_seconds_after_its_limit() {
    let started = Instant::now();
    let reply = call(&toolbox(|_| {}), "hangs", json!({})).await;
    assert_eq!(started.elapsed().as_secs(), 62);
    let error = error(&reply);
    assert_eq!((&error["type"], &error["timeout"]), (&json!("timeout"), &json!(60_000)));
    assert_eq!(error["message"], "hangs reached its time limit of 60000 ms");
    assert_eq!(error["details"]["log"], json!(["0 ms: waiting for nothing"]));
    assert_eq!(error["details"]["activity"], "hanging");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_obeys_its_deadline_brings_its_own_evidence() {
    let started = Instant::now();
    let reply = call(&toolbox(|_| {}), "obeys", json!({})).await;
    assert_eq!(started.elapsed().as_secs(), 60);
    assert_eq!(error(&reply)["type"], "timeout");
    assert_eq!(reply.structured.unwrap()["evidence"], "kept");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_comes_back_as_cancelled() {
    let toolbox = toolbox(|_| {});
    let cancelled_after = async |name: &str, after: Duration| {
        let caller = caller();
        let cancel = caller.cancel.clone();
        let started = Instant::now();
        let (reply, ()) = tokio::join!(toolbox.call(name, Map::new(), caller), async {
            tokio::time::sleep(after).await;
            cancel.cancel();
        });
        (reply, started.elapsed())
    };
    let (reply, took) = cancelled_after("obeys", Duration::from_secs(5)).await;
    assert_eq!((&error(&reply)["type"], took.as_secs()), (&json!("cancelled"), 5));
    assert_eq!(reply.structured.unwrap()["evidence"], "kept");
    // One that does not listen is dropped after the kill grace and the grace for evidence.
    let (reply, took) = cancelled_after("hangs", Duration::from_secs(5)).await;
    assert_eq!((&error(&reply)["type"], took.as_secs()), (&json!("cancelled"), 8));
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_it_began_never_begins() {
    let toolbox = toolbox(|_| {});
    let caller = caller();
    caller.cancel.cancel();
    let reply = toolbox.call("panics", Map::new(), caller).await;
    assert_eq!(error(&reply)["type"], "cancelled");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn not_even_a_handler_that_blocks_its_thread_holds_the_reply_back() {
    let reply = call(&toolbox(|_| {}), "blocks", json!({})).await;
    assert_eq!(error(&reply)["type"], "timeout");
    BLOCKED.store(false, Ordering::Relaxed);
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_any_more_drops_its_handler() {
    static DROPPED: AtomicBool = AtomicBool::new(false);
    struct Witness;
    impl Drop for Witness {
        fn drop(&mut self) {
            DROPPED.store(true, Ordering::Relaxed);
        }
    }
    static HOLDS: Tool = bare("holds", |call| {
        Box::pin(async move {
            let _witness = Witness;
            call.scope.activity().set("holding");
            std::future::pending().await
        })
    });
    let toolbox = Toolbox::new(&[&HOLDS], Services::new(Options::default(), None, None).unwrap()).unwrap();
    let caller = caller();
    let activity = caller.activity.clone();
    let begun = async {
        while activity.get().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = toolbox.call("holds", Map::new(), caller) => panic!("it holds"),
        () = begun => {}
    }
    while !DROPPED.load(Ordering::Relaxed) {
        tokio::task::yield_now().await;
    }
}

#[test]
fn two_tools_of_one_name_are_refused() {
    static TWIN: Tool = bare("echoText", |_| Box::pin(async { Ok(Reply::text("")) }));
    let services = Services::new(Options::default(), None, None).unwrap();
    let refused = Toolbox::new(&[&ECHO, &TWIN], services).unwrap_err();
    assert_eq!(refused.to_string(), "two tools are called echoText");
}

#[test]
fn a_schema_that_promises_what_is_not_checked_is_refused() {
    #[derive(JsonSchema)]
    struct Recursive {
        #[expect(dead_code, reason = "only its schema is looked at")]
        inner: Vec<Recursive>,
    }
    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum EitherOr {
        This { a: u8 },
        That { b: u8 },
    }
    static TREE: Tool =
        Tool { input: input_of::<Recursive>, ..bare("tree", |_| Box::pin(async { Ok(Reply::text("")) })) };
    static FORK: Tool =
        Tool { input: input_of::<EitherOr>, ..bare("fork", |_| Box::pin(async { Ok(Reply::text("")) })) };
    let services = Services::new(Options::default(), None, None).unwrap();
    for (tool, keyword) in [(&TREE, "`$ref`"), (&FORK, "`oneOf`")] {
        let refused = Toolbox::new(&[tool], services.clone()).unwrap_err();
        assert!(
            matches!(refused, BadTool::Schema { .. }) && refused.to_string().contains(keyword),
            "{refused}"
        );
    }
}

#[test]
fn every_tool_of_the_registry_can_be_offered_with_any_options() {
    for caps in [Vec::new(), Cap::WORDS.iter().map(|(_, cap)| *cap).collect()] {
        let options = Options { caps, structured_results: true, ..Options::default() };
        let toolbox = Toolbox::new(TOOLS, Services::new(options, None, None).unwrap()).unwrap();
        for tool in toolbox.listed() {
            let schemas = [Some(&tool.input_schema), tool.output_schema.as_ref()];
            for schema in schemas.into_iter().flatten() {
                jsonschema::meta::validate(&schema.clone().into()).unwrap();
                assert_eq!(schema["type"], "object", "{}", tool.name);
            }
        }
    }
}
