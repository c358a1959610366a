//! Exits, while a grandchild in its own session silently keeps stdout open: EOF never comes.

use anyhow::Context;

use crate::Misbehaviour;
use crate::call::{Call, leave_session, live_on, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "setsid-holds-pipe",
    usage: "[CODE]",
    help: "exits with CODE (0) while a grandchild in its own session silently holds stdout and stderr",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    if call.arguments().first().is_some_and(|stage| stage == "holder") {
        leave_session()?;
        live_on();
    }
    let code: u8 = call.optional(0, "the exit code")?.unwrap_or(0);
    let holder = call.again(&["holder"])?.spawn().context("can't start the holder")?;
    wait_until_away(holder.id())?;
    say(b"exiting while a grandchild holds the pipe\n");
    Ok(code)
}

/// Waits until the holder is the leader of its own session, so that our exit never comes first.
#[cfg(target_os = "linux")]
fn wait_until_away(holder: u32) -> anyhow::Result<()> {
    let away = || (testkit::process::session(holder) == Some(holder)).then_some(());
    testkit::process::wait_until(std::time::Duration::from_secs(10), away)
        .context("the holder did not leave its session")
}

#[cfg(not(target_os = "linux"))]
fn wait_until_away(_holder: u32) -> anyhow::Result<()> {
    Ok(())
}
