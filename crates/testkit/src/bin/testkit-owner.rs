//! A server in miniature, to be killed by a test: `testkit-owner FOLDER [--farewell SCRIPT] PROGRAM [ARGUMENTS]` starts the
//! program as a tree, with FOLDER to be removed afterwards and a shell's SCRIPT as its farewell, prints the program's pid
//! and lives on.

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use supervise::{Spec, Supervisor};

/// A failed test leaves nothing behind for longer.
const SEAT_BELT: Duration = Duration::from_secs(120);
/// How long a farewell may take.
const FAREWELL: Duration = Duration::from_secs(1);

fn main() -> anyhow::Result<()> {
    #[cfg(unix)]
    supervise::watchdog::run_if_asked();
    let mut arguments = std::env::args_os().skip(1);
    let folder = arguments.next().context("no folder")?;
    let mut program = arguments.next().context("no program")?;
    let mut farewell = None;
    if program == "--farewell" {
        farewell = Some(arguments.next().context("no script")?);
        program = arguments.next().context("no program")?;
    }
    let here = std::env::temp_dir();
    let mut spec = Spec::new(program, &here).args(arguments).remove_afterwards(folder);
    if let Some(script) = farewell {
        spec = spec.farewell("/bin/sh", ["-c".into(), script], here, FAREWELL);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (tree, _output) = Supervisor::of_this_program()?.spawn(&spec).await?;
        writeln!(std::io::stdout(), "{}", tree.pid())?;
        tokio::time::sleep(SEAT_BELT).await;
        Ok(())
    })
}
