//! Holds so much memory that its death takes a while: the system gives that back before it calls the process dead.

use crate::Misbehaviour;
use crate::call::{Call, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "hoards",
    usage: "[MIB]",
    help: "fills MIB (512) of memory, prints \"full\" and waits for ever",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    let size: usize = call.optional(0, "how much memory")?.unwrap_or(512);
    let hoard = vec![1u8; size << 20];
    say(b"full\n");
    loop {
        std::hint::black_box(&hoard);
        std::thread::park();
    }
}
