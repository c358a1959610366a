//! Leaves a daemon that nothing marks: own session, orphaned, no environment, no pipe of ours.

use std::process::Stdio;

use anyhow::bail;

use crate::Misbehaviour;
use crate::call::{Call, leave_session, live_on, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "clears-env-daemon",
    usage: "",
    help: "leaves a sleeping daemon in its own session with an empty environment and no pipes; exits 0",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    match call.arguments().first().map(String::as_str) {
        None => {
            call.again(&["session"])?.status()?;
            say(b"daemon started\n");
            Ok(0)
        }
        Some("session") => {
            leave_session()?;
            let mut daemon = call.again(&["daemon"])?;
            daemon.env_clear().stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
            Ok(0)
        }
        Some("daemon") => live_on(),
        Some(other) => bail!("clears-env-daemon takes no argument {other:?}"),
    }
}
