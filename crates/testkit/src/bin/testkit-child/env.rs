//! Tells what it was given: arguments, environment, working folder, and whether stdin has anything to say.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};

use serde_json::json;

use crate::Misbehaviour;
use crate::call::{Call, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "env",
    usage: "[ANYTHING]…",
    help: "prints argv, env, cwd and stdin (\"terminal\", \"empty\" or \"bytes\") as one line of JSON",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    let env: BTreeMap<String, String> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let told = json!({
        "argv": call.arguments(),
        "env": env,
        "cwd": std::env::current_dir()?.to_string_lossy(),
        "stdin": stdin()?,
    });
    say(format!("{told}\n").as_bytes());
    Ok(0)
}

/// What stdin is; reads one byte, so an open stdin without input makes this child wait.
fn stdin() -> anyhow::Result<&'static str> {
    let mut stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Ok("terminal");
    }
    Ok(if stdin.read(&mut [0])? == 0 { "empty" } else { "bytes" })
}
