//! A moderate fork bomb: a tree of sleepers, every third in a session of its own.

use anyhow::Context;

use crate::Misbehaviour;
use crate::call::{Call, leave_session, live_on, say};

pub(crate) const MISBEHAVIOUR: Misbehaviour = Misbehaviour {
    name: "fork-bombs",
    usage: "N",
    help: "starts N descendants in a tree, every third in its own session; all sleep",
    before_pid: || Ok(()),
    run,
};

/// How many children one process has at most.
const BRANCHES: u32 = 4;

fn run(call: &Call) -> anyhow::Result<u8> {
    let below: u32 = call.required(0, "a number of children")?;
    // Descendants are numbered from 1 in the order of a walk down the tree; the root is 0.
    let number: u32 = call.optional(1, "the process's number")?.unwrap_or(0);
    if number % 3 == 2 {
        leave_session()?;
    }
    let mut next = number + 1;
    for share in shares(below) {
        let mut child = call.again(&[&(share - 1).to_string(), &next.to_string()])?;
        child.spawn().context("can't start a child")?;
        next += share;
    }
    if number == 0 {
        say(format!("started {below} descendants\n").as_bytes());
    }
    live_on()
}

/// Splits `total` into at most [`BRANCHES`] parts of nearly the same size, none of them empty.
fn shares(total: u32) -> impl Iterator<Item = u32> {
    (0..BRANCHES).map(move |nth| (total + nth) / BRANCHES).filter(|share| *share > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_the_whole() {
        for total in 0..50 {
            assert_eq!(shares(total).sum::<u32>(), total);
        }
    }
}
