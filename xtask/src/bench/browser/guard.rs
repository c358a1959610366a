//! A process of ours that outlives an interrupted run, to end what the run can't end any more.
//!
//! A daemon of a peer would stay, with its browser, for as long as it likes.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use super::field::{self, Field};

/// The argument that makes `bench browser` the guard; behind it come the mark and the folder.
pub(super) const FLAG: &str = "--guard";

/// The guard of a run. Dropping it lets it go, and waits until it has.
#[derive(Debug)]
pub(super) struct Guard(Child);

impl Guard {
    pub(super) fn start(field: &Field) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["bench", "browser", FLAG, field.mark()]).arg(field.folder());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Out of reach of the Ctrl-C that ends the run.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(Self(command.spawn().context("no guard for the run")?))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// What the guard does: it waits until the run is over, however that happens, and clears up.
pub(super) fn run(mark: &str, folder: &Path) -> anyhow::Result<()> {
    std::io::stdin().read_to_end(&mut Vec::new())?;
    field::end_marked(mark);
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(())
}
