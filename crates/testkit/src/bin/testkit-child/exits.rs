//! Exits at once, without a word.

use crate::Misbehaviour;
use crate::call::Call;

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "exits",
    usage: "CODE",
    help: "exits with CODE at once",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    call.required(0, "an exit code")
}
