//! Becomes a daemon the classic way, and the daemon prints for ever to the stdout that it inherited.

use std::time::Duration;

use anyhow::bail;

use crate::Misbehaviour;
use crate::call::{Call, leave_session, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "double-forks",
    usage: "",
    help: "leaves a daemon in its own session that prints for ever to the inherited stdout; exits 0",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    match call.arguments().first().map(String::as_str) {
        // The middle one is waited for, as a real daemon's parent does: when we exit, the daemon is away.
        None => {
            call.again(&["session"])?.status()?;
            say(b"daemon started\n");
            Ok(0)
        }
        Some("session") => {
            leave_session()?;
            call.again(&["daemon"])?.spawn()?;
            Ok(0)
        }
        Some("daemon") => loop {
            say(b"the daemon prints\n");
            std::thread::sleep(Duration::from_millis(50));
        },
        Some(other) => bail!("double-forks takes no argument {other:?}"),
    }
}
