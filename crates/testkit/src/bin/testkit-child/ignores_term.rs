//! Ignores every polite request to end, and goes on printing.

use std::time::Duration;

use crate::Misbehaviour;
use crate::call::{Call, live_on, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "ignores-term",
    usage: "[INTERVAL_MS]",
    help: "prints a line every INTERVAL_MS (200; 0: only the first) and ignores TERM, INT and HUP",
    before_pid: ignore_polite_signals,
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    let interval: u64 = call.optional(0, "the interval")?.unwrap_or(200);
    say(b"ignoring TERM\n");
    if interval == 0 {
        live_on();
    }
    loop {
        std::thread::sleep(Duration::from_millis(interval));
        say(b"still here\n");
    }
}

/// A handler that sets a flag which nobody reads.
#[cfg(unix)]
fn ignore_polite_signals() -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGTERM, SIGINT, SIGHUP] {
        signal_hook::flag::register(signal, std::sync::Arc::default())?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn ignore_polite_signals() -> anyhow::Result<()> {
    Ok(())
}
