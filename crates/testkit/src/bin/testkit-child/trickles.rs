//! Prints so little that it looks dead and so often that it is not silent.

use std::time::Duration;

use crate::Misbehaviour;
use crate::call::{Call, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "trickles",
    usage: "[INTERVAL_MS]",
    help: "prints one byte every INTERVAL_MS (1000) for ever, never a newline",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    let interval = Duration::from_millis(call.optional(0, "the interval")?.unwrap_or(1000));
    loop {
        say(b".");
        std::thread::sleep(interval);
    }
}
