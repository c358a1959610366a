//! Prints one line that does not end.

use std::io::Write;

use crate::Misbehaviour;
use crate::call::Call;

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "long-line",
    usage: "BYTES",
    help: "prints BYTES times the letter x, without a newline, and exits 0",
    before_pid: || Ok(()),
    run,
};

fn run(call: &Call) -> anyhow::Result<u8> {
    let mut left: usize = call.required(0, "a number of bytes")?;
    let block = vec![b'x'; left.min(1 << 20)];
    let mut stdout = std::io::stdout().lock();
    while left > 0 {
        let part = left.min(block.len());
        stdout.write_all(&block[..part])?;
        left -= part;
    }
    stdout.flush()?;
    Ok(0)
}
