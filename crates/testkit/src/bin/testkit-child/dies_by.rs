//! Dies by a signal: there is no exit code.

use crate::Misbehaviour;
use crate::call::Call;

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "dies-by",
    usage: "SIGNAL",
    help: "prints a line and dies by SIGNAL, a number or one of ABRT HUP INT KILL QUIT SEGV TERM USR1",
    before_pid: || Ok(()),
    run,
};

#[cfg(unix)]
fn run(call: &Call) -> anyhow::Result<u8> {
    use rustix::process::{Resource, Rlimit, getpid, kill_process, setrlimit};
    use std::time::Duration;

    let word: String = call.required(0, "a signal")?;
    let signal = named(&word)?;
    // No core file in anybody's project.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    crate::call::say(format!("dying by {word}\n").as_bytes());
    // The standard library catches the first SEGV to tell a stack overflow; the second one kills.
    loop {
        kill_process(getpid(), signal)?;
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The signal of that name or number.
#[cfg(unix)]
fn named(word: &str) -> anyhow::Result<rustix::process::Signal> {
    use anyhow::Context;
    use rustix::process::Signal;

    Ok(match word.trim_start_matches("SIG") {
        "ABRT" => Signal::ABORT,
        "HUP" => Signal::HUP,
        "INT" => Signal::INT,
        "KILL" => Signal::KILL,
        "QUIT" => Signal::QUIT,
        "SEGV" => Signal::SEGV,
        "TERM" => Signal::TERM,
        "USR1" => Signal::USR1,
        number => number
            .parse()
            .ok()
            .and_then(Signal::from_named_raw)
            .with_context(|| format!("no signal {number:?}"))?,
    })
}

#[cfg(not(unix))]
fn run(_call: &Call) -> anyhow::Result<u8> {
    anyhow::bail!("nobody dies by a signal on this system")
}
