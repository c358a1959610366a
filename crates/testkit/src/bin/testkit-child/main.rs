//! One program, many misbehaviours: the children that a process supervisor must survive.
//!
//! `testkit-child [--pid-file PATH] MISBEHAVIOUR [ARGUMENTS]`. Every process of it, grandchildren included, first
//! appends its pid to the pid file, so that a test can check afterwards that none lives; and every one ends itself
//! after three minutes, so that a failed test leaves nothing behind. Each misbehaviour is one file.

mod call;
mod clears_env_daemon;
mod closes_stdout;
mod dies_by;
mod double_forks;
mod env;
mod exits;
mod floods;
mod fork_bombs;
mod hoards;
mod ignores_term;
mod long_line;
mod prints;
mod prompts;
mod setsid_holds_pipe;
mod stops_itself;
mod trickles;

use std::io::Write;
use std::process::ExitCode;

use call::Call;

/// A way to misbehave: its name on the command line, what it does, and the doing.
struct Misbehaviour {
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    /// Done before the pid is written down: whoever reads the pid may count on it.
    before_pid: fn() -> anyhow::Result<()>,
    run: fn(&Call) -> anyhow::Result<u8>,
}

/// Every misbehaviour there is; adding one is a file and a line here.
const MISBEHAVIOURS: &[Misbehaviour] = &[
    clears_env_daemon::MISBEHAVIOUR,
    closes_stdout::MISBEHAVIOUR,
    dies_by::MISBEHAVIOUR,
    double_forks::MISBEHAVIOUR,
    env::MISBEHAVIOUR,
    exits::MISBEHAVIOUR,
    floods::MISBEHAVIOUR,
    fork_bombs::MISBEHAVIOUR,
    hoards::MISBEHAVIOUR,
    ignores_term::MISBEHAVIOUR,
    long_line::MISBEHAVIOUR,
    prints::MISBEHAVIOUR,
    prompts::MISBEHAVIOUR,
    setsid_holds_pipe::MISBEHAVIOUR,
    stops_itself::MISBEHAVIOUR,
    trickles::MISBEHAVIOUR,
];

/// The exit code of a misuse, far from those that tests ask for.
const MISUSED: u8 = 64;

fn main() -> ExitCode {
    let outcome = Call::from_command_line().and_then(|call| {
        let Some(chosen) = MISBEHAVIOURS.iter().find(|known| known.name == call.name()) else {
            anyhow::bail!("there is no misbehaviour {:?}", call.name());
        };
        (chosen.before_pid)()?;
        call.record_pid()?;
        call::fasten_seat_belt();
        (chosen.run)(&call)
    });
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let mut stderr = std::io::stderr().lock();
            let _ = writeln!(stderr, "testkit-child: {error:#}");
            let _ = writeln!(stderr, "usage: testkit-child [--pid-file PATH] MISBEHAVIOUR [ARGUMENTS]");
            for known in MISBEHAVIOURS {
                let head = format!("{} {}", known.name, known.usage);
                let _ = writeln!(stderr, "  {head:<44} {}", known.help);
            }
            ExitCode::from(MISUSED)
        }
    }
}
