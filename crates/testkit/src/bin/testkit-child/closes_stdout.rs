//! Closes stdout and stderr and goes on living: EOF does not mean the end.

use crate::Misbehaviour;
use crate::call::Call;

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "closes-stdout",
    usage: "",
    help: "prints a line, lets go of stdout and stderr, and lives on",
    before_pid: || Ok(()),
    run,
};

/// The null device takes the pipes' places: their ends close, and nothing in this program can trip over a missing
/// descriptor.
#[cfg(unix)]
fn run(_call: &Call) -> anyhow::Result<u8> {
    crate::call::say(b"closing stdout\n");
    let nothing = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    crate::call::live_on()
}

#[cfg(not(unix))]
fn run(_call: &Call) -> anyhow::Result<u8> {
    anyhow::bail!("stdout can't be closed on this system")
}
