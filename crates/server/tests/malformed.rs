//! Ten thousand messages that are none, on each transport: every one is answered with an error, and the server lives.
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod common;

use common::{LIMIT, connect, initialized, on_port};
use serde_json::{Value, json};

const MESSAGES: usize = 10_000;
/// Each of these is 17 MiB; a few are enough.
const HUGE: [usize; 3] = [17, 4_321, 9_999];

/// One message that is wrong in some way and that a server must answer. It holds no line end.
fn malformed(random: &mut Seeded, nth: usize) -> Vec<u8> {
    if HUGE.contains(&nth) {
        let mut huge = br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"padding":""#.to_vec();
        huge.resize(17 * 1024 * 1024, b'x');
        return huge;
    }
    let whole = request(
        format!("r{nth}"),
        "tools/call",
        json!({ "name": "run_test", "arguments": { "a": [1, "é"] } }),
    );
    match random.below(10) {
        0 => (0..=random.below(200)).map(|_| b"x{}[]\",:0 \\"[random.below(10)]).chain(*b"!").collect(),
        1 => whole.as_bytes()[..1 + random.below(whole.len() - 1)].to_vec(),
        2 => {
            let mut bytes = whole.into_bytes();
            let at = random.below(bytes.len());
            bytes[at] = 0x80 | u8::try_from(random.below(64)).unwrap();
            bytes.insert(at, b' ');
            bytes
        }
        3 => {
            let open = ["[", "{\"a\":"][random.below(2)];
            let depth = 130 + random.below(20_000);
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{nth},\"method\":\"ping\",\"params\":{}",
                open.repeat(depth)
            )
            .into_bytes()
        }
        4 => wrong_types(random).to_string().into_bytes(),
        5 => request(format!("u{nth}"), &format!("no/such/{}", random.below(100)), json!({})).into_bytes(),
        6 => request(format!("p{nth}"), "tools/call", wrong_params(random)).into_bytes(),
        7 => format!("[{whole},{whole}]").into_bytes(),
        8 => json!({ "id": format!("v{nth}"), "jsonrpc": "1.0", "method": "ping" }).to_string().into_bytes(),
        _ => "[]null\u{0}".bytes().cycle().take(1 + random.below(100_000)).collect(),
    }
}

fn anything(random: &mut Seeded) -> Value {
    [json!(null), json!(1.5), json!([1]), json!({ "a": 1 }), json!(true)][random.below(5)].clone()
}

fn wrong_types(random: &mut Seeded) -> Value {
    match random.below(5) {
        0 => json!({ "jsonrpc": "2.0", "id": anything(random), "method": "ping" }),
        1 => json!({ "jsonrpc": "2.0", "id": 1, "method": anything(random) }),
        2 => json!({ "jsonrpc": anything(random), "id": 1, "method": "ping" }),
        3 => json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "result": {}, "error": {} }),
        _ => anything(random),
    }
}

fn wrong_params(random: &mut Seeded) -> Value {
    [
        json!(null),
        json!({}),
        json!({ "name": 5 }),
        json!({ "name": "run_test", "arguments": [] }),
        json!({ "name": "run_test", "arguments": "x" }),
        json!({ "name": "no_such_tool" }),
    ][random.below(6)]
    .clone()
}

fn is_error(answer: &Value) -> bool {
    answer["jsonrpc"] == "2.0" && answer.get("id").is_some() && answer["error"]["code"].is_i64()
}

#[test]
fn ten_thousand_malformed_messages_over_stdio() {
    let mut client = initialized(&[]);
    let mut random = Seeded(0x5EED);
    let mut sent = 0;
    while sent < MESSAGES {
        // Some at once: whatever is wrong with one message must not spoil its neighbours.
        let together = (1 + random.below(40)).min(MESSAGES - sent);
        for nth in sent..sent + together {
            let mut line = malformed(&mut random, nth);
            line.push(b'\n');
            client.send_raw(&line).unwrap();
        }
        for _ in 0..together {
            let answer = client.next_message(LIMIT).unwrap();
            assert!(is_error(&answer), "{answer}");
        }
        sent += together;
    }
    assert_eq!(client.request("ping", json!({}), LIMIT).unwrap(), Ok(json!({})));
    client.send_raw(br#"{"jsonrpc":"2.0","id":2,"method":"pi"#).unwrap();
    client.close_stdin();
    assert!(
        client.wait_exit(LIMIT).unwrap().success(),
        "half a message and the end of input are a clean end"
    );
}

#[test]
fn ten_thousand_malformed_messages_over_http() {
    let (_server, address) = on_port();
    let mut random = Seeded(0x5EED);
    let mut connection = connect(address);
    let headers = [("MCP-Protocol-Version", "2025-11-25")];
    for nth in 0..MESSAGES {
        let answer = connection.post("/message", &headers, &malformed(&mut random, nth)).unwrap();
        assert!(is_error(&answer.json()), "{answer:?}");
        if answer.header("connection") == Some("close") {
            connection = connect(address);
        }
    }
    let ping = request(1, "ping", json!({}));
    let answer = connect(address).post("/message", &headers, ping.as_bytes()).unwrap();
    assert_eq!(answer.json()["result"], json!({}));
}

#[allow(clippy::needless_pass_by_value, reason = "what is passed is made for it")]
fn request(id: impl Into<Value>, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params }).to_string()
}

/// xorshift64*: the same sequence on every machine.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let random = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(random).unwrap() % bound
    }
}
