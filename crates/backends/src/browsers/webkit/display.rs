//! A display that nobody looks at, for browsers that can't do without one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::Deadline;
use supervise::{Spec, Stream, Supervisor};

use super::launch::LaunchFailed;
use crate::browsers::process::Kept;

/// An Xvfb of ours, in a tree of its own.
#[derive(Debug, Clone)]
pub(super) struct Display {
    pub(super) process: Arc<Kept>,
    pub(super) name: String,
    /// Goes with it.
    pub(super) folder: PathBuf,
}

/// As large as windows may be that are seen whole.
const SCREEN: &str = "1920x1200x24";

impl Display {
    /// Starts one with a number that is free, and waits until it answers.
    pub(super) async fn start(
        supervisor: &Supervisor,
        program: &Path,
        folder: &Path,
        deadline: Deadline,
    ) -> Result<Self, LaunchFailed> {
        // It is told to write its number when it is ready.
        let flags = ["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"];
        // Nothing of the user's own is read.
        let spec = Spec::new(program, folder).args(flags).env("HOME", folder).remove_afterwards(folder);
        let (tree, mut output) = supervisor.spawn(&spec).await?;
        let mut said = Vec::new();
        let reading = async {
            let mut buffer = [0; 256];
            while let Some((stream, length)) = output.read(&mut buffer).await {
                if stream == Stream::Stdout {
                    said.extend_from_slice(&buffer[..length]);
                }
                if said.contains(&b'\n') {
                    break;
                }
            }
        };
        let timed_out = deadline.race(reading).await.is_err();
        let process = Arc::new(Kept::keep(tree, output));
        let number = String::from_utf8_lossy(&said).trim().to_owned();
        if timed_out || number.is_empty() {
            let stderr = process.last_lines();
            process.end_now().await;
            return Err(LaunchFailed::Display { stderr });
        }
        Ok(Self { process, name: format!(":{number}"), folder: folder.to_owned() })
    }
}
