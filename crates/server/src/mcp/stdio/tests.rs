//! A client at the other end of an in-memory pipe.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio_util::sync::CancellationToken;

use super::{Connection, serve_on};
use crate::ending::{self, Cause, Closing};
use crate::mcp::Handler;
use crate::mcp::stub::{Calls, StubTools, take};

struct Client {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    connection: Connection,
    calls: Calls,
    ending: CancellationToken,
}

impl Client {
    fn connect() -> Self {
        let tools = StubTools::new();
        let calls = tools.calls.clone();
        let ending = CancellationToken::new();
        let (input, server_input) = tokio::io::duplex(4096);
        let (output, server_output) = tokio::io::duplex(4096);
        let handler = Handler::new(Arc::new(tools), ending.clone());
        let connection = serve_on(handler, server_input, server_output, &ending);
        Self { input, output: BufReader::new(output).lines(), connection, calls, ending }
    }

    async fn initialized() -> Self {
        Self::speaking("2025-11-25").await
    }

    async fn speaking(revision: &str) -> Self {
        let mut client = Self::connect();
        client.request(0, "initialize", initialize(revision)).await;
        client.reply().await;
        client
    }

    async fn send(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).await.expect("the server reads");
    }

    async fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
            .await;
    }

    async fn call(&mut self, id: u64, tool: &str, arguments: Value) {
        self.request(id, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
    }

    /// A call that tells its progress; others never speak before their reply, however slow the machine is.
    async fn call_reporting(&mut self, id: u64, tool: &str, arguments: Value) {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": id } });
        self.request(id, "tools/call", params).await;
    }

    async fn cancel(&mut self, id: u64) {
        let params = json!({ "requestId": id });
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        self.send(&cancel.to_string()).await;
    }

    async fn reply(&mut self) -> Value {
        let line = self.output.next_line().await.expect("readable").expect("the server answers");
        serde_json::from_str(&line).expect("JSON")
    }
}

fn initialize(version: &str) -> Value {
    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "0" } })
}

#[tokio::test]
async fn a_call_answers_with_what_the_tool_said() {
    let mut client = Client::initialized().await;
    client.call(1, "echo", json!({ "a": 1 })).await;
    let reply = client.reply().await;
    assert_eq!(reply["result"]["content"][0]["text"], r#"{"a":1}"#);
    assert_eq!(reply["result"]["isError"], false);
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error_in_the_tools_own_words() {
    let mut client = Client::initialized().await;
    client.call(1, "ecko", json!({})).await;
    let reply = client.reply().await;
    assert_eq!(reply["error"]["code"], -32602);
    assert_eq!(reply["error"]["message"], "no tool `ecko`; did you mean `echo`?");
}

#[tokio::test]
async fn requests_sent_without_waiting_for_the_handshake_are_answered() {
    let mut client = Client::connect();
    client.request(0, "initialize", initialize("2025-03-26")).await;
    client.request(1, "tools/list", json!({})).await;
    let mut answered = [client.reply().await, client.reply().await];
    answered.sort_by_key(|reply| reply["id"].as_u64());
    assert_eq!(answered[0]["result"]["protocolVersion"], "2025-03-26");
    assert_eq!(answered[1]["result"]["tools"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn anything_before_the_handshake_is_answered_and_survived() {
    let mut client = Client::connect();
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    client.send(r#"{"jsonrpc":"2.0","id":9,"result":{}}"#).await;
    client.request(1, "tools/list", json!({})).await;
    assert_eq!(client.reply().await["error"]["code"], -32600);
    client.request(2, "ping", json!({})).await;
    assert_eq!(client.reply().await["result"], json!({}));
    client.request(3, "no/such", json!({})).await;
    assert_eq!(client.reply().await["error"]["code"], -32601);
    client.request(4, "initialize", json!({ "protocolVersion": 5 })).await;
    assert_eq!(client.reply().await["error"]["code"], -32602);
    client.request(5, "initialize", initialize("2025-11-25")).await;
    assert_eq!(client.reply().await["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test(start_paused = true)]
async fn a_slow_call_reports_within_a_second_and_then_every_few() {
    let mut client = Client::initialized().await;
    client.call_reporting(7, "sleep", json!({ "ms": 12_000 })).await;
    let began = tokio::time::Instant::now();
    let mut last = 0.0;
    for at in [1, 5, 9] {
        let news = client.reply().await;
        assert_eq!(began.elapsed().as_secs(), at);
        assert_eq!(news["method"], "notifications/progress");
        assert_eq!(news["params"]["progressToken"], 7);
        assert_eq!(news["params"]["message"], format!("{at} s · sleeping"));
        let progress = news["params"]["progress"].as_f64().expect("a number");
        assert!(progress > last, "{progress} after {last}");
        last = progress;
    }
    assert_eq!(client.reply().await["result"]["content"][0]["text"], "slept");
}

#[tokio::test]
async fn a_cancelled_call_is_told_so_and_gets_no_reply() {
    let mut client = Client::initialized().await;
    client.call(1, "wait", json!({})).await;
    client.cancel(1).await;
    take(&client.calls.cancelled).await;
    client.request(2, "ping", json!({})).await;
    assert_eq!(client.reply().await["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_reports_no_more_however_long_it_takes_to_end() {
    let mut client = Client::initialized().await;
    client.call_reporting(1, "hold", json!({})).await;
    assert_eq!(client.reply().await["method"], "notifications/progress");
    client.cancel(1).await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    client.request(2, "ping", json!({})).await;
    assert_eq!(client.reply().await["id"], 2);
}

#[tokio::test]
async fn a_client_that_closes_after_its_last_request_still_gets_the_reply() {
    let mut client = Client::initialized().await;
    client.call(1, "sleep", json!({ "ms": 50 })).await;
    drop(client.input);
    client.connection.client_gone().await;
    let line = client.output.next_line().await.expect("readable").expect("a reply");
    assert!(line.contains("slept"), "{line}");
    client.connection.finished().await;
    assert_eq!(client.output.next_line().await.expect("readable"), None);
}

#[tokio::test]
async fn a_last_request_without_line_end_is_answered_and_half_of_one_is_not() {
    let mut client = Client::initialized().await;
    client.input.write_all(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await.expect("room");
    drop(client.input);
    let line = client.output.next_line().await.expect("readable").expect("a reply");
    assert!(line.contains(r#""id":1"#), "{line}");

    let mut client = Client::initialized().await;
    client.input.write_all(br#"{"jsonrpc":"2.0","id":1,"met"#).await.expect("room");
    drop(client.input);
    client.connection.finished().await;
    assert_eq!(client.output.next_line().await.expect("readable"), None);
}

#[tokio::test]
async fn an_ending_server_cancels_calls_and_delivers_their_replies() {
    let mut client = Client::initialized().await;
    client.call(1, "wait", json!({})).await;
    client.request(2, "ping", json!({})).await;
    assert_eq!(client.reply().await["id"], 2);
    client.ending.cancel();
    assert_eq!(client.reply().await["result"]["content"][0]["text"], "cancelled");
    client.connection.finished().await;
}

#[tokio::test]
async fn an_id_in_use_is_refused_rather_than_confused() {
    let mut client = Client::initialized().await;
    client.call(1, "wait", json!({})).await;
    client.call(1, "echo", json!({})).await;
    let refused = client.reply().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(1), &json!(-32600)));
}

#[tokio::test]
async fn requests_beyond_measure_are_refused_not_collected() {
    let mut client = Client::initialized().await;
    let (mut reading, mut input) = (client.output, client.input);
    let flood = tokio::spawn(async move {
        for id in 1..=300 {
            let call =
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "wait" } });
            input.write_all(format!("{call}\n").as_bytes()).await.expect("the server reads");
        }
        input
    });
    let refused: Value =
        serde_json::from_str(&reading.next_line().await.expect("readable").expect("a line")).expect("JSON");
    assert_eq!(refused["error"]["code"], -32000);
    client.input = flood.await.expect("the flood ends");
}

#[tokio::test]
async fn a_cancelled_call_counts_until_its_handler_is_over() {
    let mut client = Client::initialized().await;
    for id in 1..=256 {
        client.call(id, "hold", json!({})).await;
        client.cancel(id).await;
    }
    client.request(1000, "ping", json!({})).await;
    assert_eq!(client.reply().await["error"]["code"], -32000);
    client.calls.released.add_permits(256);
    for id in 1001.. {
        client.request(id, "ping", json!({})).await;
        let reply = client.reply().await;
        assert_eq!(reply["id"], id, "cancelled calls get no reply");
        if reply.get("result").is_some() {
            break;
        }
    }
}

#[tokio::test]
async fn a_batch_is_answered_by_one_line() {
    let mut client = Client::speaking("2025-03-26").await;
    let request = |id: u64, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let batch = json!([request(1, "ping"), 5, note, request(2, "tools/list"), request(1, "ping")]);
    client.send(&batch.to_string()).await;
    let mut answers = client.reply().await.as_array().expect("an array").clone();
    answers.sort_by_key(|answer| (answer["id"].as_u64(), answer.get("error").is_some()));
    let told: Vec<_> = answers.iter().map(|answer| (&answer["id"], &answer["error"]["code"])).collect();
    let (invalid, none) = (json!(-32600), Value::Null);
    let expected = [(&none, &invalid), (&json!(1), &none), (&json!(1), &invalid), (&json!(2), &none)];
    assert_eq!(told, expected);

    client.send(&json!([note]).to_string()).await;
    client.send("[]").await;
    let refused = client.reply().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&none, &invalid), "notifications get no answer");
}

#[tokio::test]
async fn a_cancelled_request_does_not_keep_the_answers_of_its_batch() {
    let wait = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "wait" } });
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    for batches in [vec![json!([wait, ping]), cancel.clone()], vec![json!([wait, ping, cancel])]] {
        let mut client = Client::speaking("2025-03-26").await;
        for batch in batches {
            client.send(&batch.to_string()).await;
        }
        let answers = client.reply().await;
        assert_eq!(answers.as_array().map(Vec::len), Some(1), "{answers}");
        assert_eq!(answers[0]["id"], 2);
        take(&client.calls.cancelled).await;
    }
}

#[tokio::test]
async fn a_batch_in_a_revision_without_them_is_refused_with_what_to_do() {
    for mut client in [Client::connect(), Client::initialized().await] {
        client.send(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).await;
        let refused = client.reply().await;
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &json!(-32600)));
        assert!(refused["error"]["message"].as_str().is_some_and(|told| told.contains("on its own")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_is_no_longer_read_and_does_not_keep_the_server() {
    let mut client = Client::initialized().await;
    let ping = format!("{}\n", json!({ "jsonrpc": "2.0", "id": "x".repeat(1000), "method": "nope" }));
    let mut taken = 0;
    while let Ok(written) =
        tokio::time::timeout(Duration::from_secs(1), client.input.write_all(ping.as_bytes())).await
    {
        written.expect("open");
        taken += 1;
        assert!(taken < 1000, "the server reads on and on");
    }
    client.ending.cancel();
    let closing = Closing::default();
    let ended = ending::end(Cause::ParentGone, &client.ending, client.connection.finished(), &closing);
    tokio::time::timeout(Duration::from_secs(5), ended).await.expect("it ends all the same");
}
