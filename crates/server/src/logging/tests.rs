//! What the log promises to whoever parses it, and to the server that writes it.

use std::io;
use std::sync::{Arc, Condvar, Mutex};

use proptest::prelude::*;

use super::*;

/// Only a hang reaches it.
const LIMIT: Duration = Duration::from_secs(60);

/// A log that is read in memory.
#[derive(Debug, Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines that `work` logs at `level`.
fn logged(level: Level, work: impl FnOnce()) -> Vec<Value> {
    let sink = Sink::default();
    let (layer, guard) = JsonLines::new(sink.clone());
    let subscriber = tracing_subscriber::registry().with(layer.with_filter(filter(level)));
    tracing::subscriber::with_default(subscriber, work);
    guard.flush(LIMIT);
    let bytes = sink.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_clouds_line_has_its_severity_its_message_and_the_trace_of_its_call() {
    let sink = Sink::default();
    let (layer, guard) = JsonLines::new(sink.clone());
    let layer = layer.for_a_cloud(Some("shop".to_owned()));
    let subscriber = tracing_subscriber::registry().with(layer.with_filter(filter(Level::WARN)));
    let id = "0af7651916cd43dd8448eb211c80319c";
    let trace = Trace { id: id.to_owned(), span: Some("b7ad6b7169203331".to_owned()), sampled: true };
    tracing::subscriber::with_default(subscriber, || {
        trace.span().in_scope(|| tracing::warn!(event = "slow", "took long"));
        tracing::error!(event = "bare");
    });
    guard.flush(LIMIT);
    let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [traced, bare] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((&traced["severity"], &traced["message"]), (&json!("WARNING"), &json!("took long")));
    assert_eq!(traced["logging.googleapis.com/trace"], format!("projects/shop/traces/{id}"));
    assert_eq!(traced["logging.googleapis.com/spanId"], "b7ad6b7169203331");
    assert_eq!(traced["logging.googleapis.com/trace_sampled"], true);
    assert_eq!((&bare["severity"], &bare["message"]), (&json!("ERROR"), &json!("bare")));
    assert_eq!(bare.get("logging.googleapis.com/trace"), None);
}

#[test]
fn a_line_has_the_fields_of_the_design() {
    let lines = logged(Level::INFO, || {
        tracing::info!(
            component = "SessionManager",
            event = "session_started",
            session_id = "abc-123",
            port = 3000,
            ratio = 0.5,
            headed = true,
            "ready"
        );
    });
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    let keys: Vec<_> = line.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["timestamp", "level", "component", "event", "sessionId", "details"]);
    assert!(line["timestamp"].as_str().unwrap().parse::<jiff::Timestamp>().is_ok());
    assert_eq!((&line["level"], &line["component"]), (&json!("info"), &json!("SessionManager")));
    assert_eq!((&line["event"], &line["sessionId"]), (&json!("session_started"), &json!("abc-123")));
    assert_eq!(line["details"]["message"], "ready");
    assert_eq!(line["details"]["port"], 3000);
    assert_eq!((&line["details"]["ratio"], &line["details"]["headed"]), (&json!(0.5), &json!(true)));
}

#[test]
fn what_is_not_said_follows_from_the_module_and_the_message() {
    let lines = logged(Level::INFO, || {
        tracing::warn!("it {}", "rains");
        tracing::error!(target: "supervise::tree::stop", code = 1);
    });
    assert_eq!((&lines[0]["component"], &lines[0]["event"]), (&json!("logging"), &json!("it rains")));
    assert_eq!((&lines[1]["component"], &lines[1]["event"]), (&json!("supervise"), &json!("event")));
    assert!(lines[0].get("sessionId").is_none());
}

#[test]
fn the_level_governs_our_crates_and_of_others_only_warnings_are_told() {
    let work = || {
        tracing::debug!("ours");
        tracing::debug!(target: "timebox::report", "ours too");
        tracing::info!(target: "rmcp::service", "theirs");
        tracing::warn!(target: "hyper::proto", "their warning");
    };
    let events = |level| logged(level, work).iter().map(|line| line["event"].clone()).collect::<Vec<_>>();
    assert_eq!(events(Level::DEBUG), ["ours", "ours too", "their warning"]);
    assert_eq!(events(Level::INFO), ["their warning"]);
    assert!(events(Level::ERROR).is_empty());
}

#[test]
fn a_panic_is_a_line_of_the_log() {
    let before = std::panic::take_hook();
    let lines = logged(Level::INFO, || {
        std::panic::set_hook(Box::new(log_panic));
        assert!(std::panic::catch_unwind(|| panic!("out of {}", "luck")).is_err());
        std::panic::set_hook(before);
    });
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((&line["level"], &line["event"]), (&json!("error"), &json!("panicked")));
    assert_eq!(line["details"]["message"], "out of luck");
    assert!(line["details"]["location"].as_str().unwrap().contains("tests.rs:"));
}

#[test]
fn a_long_value_is_cut() {
    let lines = logged(Level::INFO, || tracing::info!(text = "x".repeat(1_000_000), "long"));
    assert!(lines[0].to_string().len() < LONGEST_VALUE + 400);
}

#[test]
fn a_log_that_can_not_be_written_is_ignored() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }
    let (layer, _guard) = JsonLines::new(Broken);
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        for _ in 0..10 {
            tracing::error!("nobody reads this");
        }
    });
}

/// A reader that reads nothing until it is let go.
#[derive(Clone, Default)]
struct Stuck {
    open: Arc<(Mutex<bool>, Condvar)>,
    sink: Sink,
}

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (open, changed) = &*self.open;
        drop(changed.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_does_not_read_stops_nobody_and_learns_what_it_missed() {
    let out = Stuck::default();
    let (layer, guard) = JsonLines::new(out.clone());
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        for n in 0..MOST_WAITING + 100 {
            tracing::info!(n, "flood");
        }
        *out.open.0.lock().unwrap() = true;
        out.open.1.notify_all();
        // The last line that fitted shows that there is room again.
        let fitted = format!("\"n\":{}", MOST_WAITING - 1);
        while !String::from_utf8_lossy(&out.sink.0.lock().unwrap()).contains(&fitted) {
            std::thread::yield_now();
        }
        tracing::info!("after the flood");
    });
    guard.flush(LIMIT);
    let text = String::from_utf8(out.sink.0.lock().unwrap().clone()).unwrap();
    let last: Vec<Value> =
        text.lines().rev().take(2).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(last[0]["event"], "after the flood");
    assert_eq!(last[1]["event"], "lines_dropped");
    assert!(last[1]["details"]["lines"].as_u64().unwrap() >= 99);
}

proptest! {
    #[test]
    fn no_value_can_break_a_line(message in "(\\PC|[\\x00-\\x1f\\x7f\u{2028}\u{85}\"\\\\]){0,40}", field in "(\\n|\\r|\\x1b|\\PC){0,20}") {
        let lines = logged(Level::INFO, || {
            tracing::info!(session_id = field, other = ?message, event = message, "{message}");
            tracing::info!("{message}");
        });
        prop_assert_eq!(lines.len(), 2);
        prop_assert_eq!(&lines[0]["sessionId"], &Value::from(field));
        prop_assert_eq!(&lines[0]["details"]["message"], &Value::from(message));
    }
}
