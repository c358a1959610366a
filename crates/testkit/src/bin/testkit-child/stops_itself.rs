//! Stops itself: a process in state `T` handles no TERM until someone continues it.

use crate::Misbehaviour;
use crate::call::Call;

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "stops-itself",
    usage: "",
    help: "sends itself STOP; once continued, lives on (the one child whose seat belt does not hold while stopped)",
    before_pid: || Ok(()),
    run,
};

#[cfg(unix)]
fn run(_call: &Call) -> anyhow::Result<u8> {
    use rustix::process::{Signal, getpid, kill_process};

    crate::call::say(b"stopping\n");
    kill_process(getpid(), Signal::STOP)?;
    crate::call::say(b"continued\n");
    crate::call::live_on()
}

#[cfg(not(unix))]
fn run(_call: &Call) -> anyhow::Result<u8> {
    anyhow::bail!("this system has no stop signal")
}
