//! Asks a question, as installers do, and waits for the answer.

use crate::Misbehaviour;
use crate::call::{Call, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "prompts",
    usage: "",
    help: "asks without a newline and reads stdin; at EOF prints \"no answer\" and exits 3",
    before_pid: || Ok(()),
    run,
};

fn run(_call: &Call) -> anyhow::Result<u8> {
    say(b"Continue? [y/N] ");
    let mut answer = String::new();
    if std::io::stdin().read_line(&mut answer)? == 0 {
        say(b"no answer\n");
        return Ok(3);
    }
    say(format!("answer: {}\n", answer.trim_end()).as_bytes());
    Ok(0)
}
