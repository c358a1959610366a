//! Prints lines as fast as the reader takes them.

use std::io::Write;

use anyhow::ensure;

use crate::Misbehaviour;
use crate::call::Call;

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "floods",
    usage: "BYTES [LINE_BYTES]",
    help: "prints exactly BYTES bytes in lines of LINE_BYTES (80, newline included), the last one maybe shorter",
    before_pid: || Ok(()),
    run,
};

/// About a mebibyte a write: the system call costs nothing beside the copying.
const BLOCK: usize = 1 << 20;

fn run(call: &Call) -> anyhow::Result<u8> {
    let mut left: usize = call.required(0, "a number of bytes")?;
    let length: usize = call.optional(1, "the line's length")?.unwrap_or(80);
    ensure!(length > 0, "a line has at least its newline");
    let block = line(length).repeat((BLOCK / length).max(1));
    let mut stdout = std::io::stdout().lock();
    while left > block.len() {
        stdout.write_all(&block)?;
        left -= block.len();
    }
    // What is left: whole lines, and one that ends early but ends with its newline.
    let whole = left - left % length;
    stdout.write_all(&block[..whole])?;
    if left > whole {
        stdout.write_all(&line(left - whole))?;
    }
    stdout.flush()?;
    Ok(0)
}

/// A line of `length` bytes with its newline, readable enough to be recognised in a log.
fn line(length: usize) -> Vec<u8> {
    let mut line: Vec<u8> = b"a line of the flood, ".iter().copied().cycle().take(length - 1).collect();
    line.push(b'\n');
    line
}
