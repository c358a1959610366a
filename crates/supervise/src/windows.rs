//! Trees on Windows: each in a job object, which the system ends when our handle on it closes.
//!
//! There is no TERM here: a console program can't be asked to end without sharing its console. The ladder's grace is
//! given to a tree that is ending anyway; then the job is terminated as a whole.

use std::process::{ExitStatus, Stdio};

use base::Deadline;
use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};

use crate::will::Will;
use crate::{Ended, EndedBy, Exit, Ladder, Output, Process, SpawnError, Spec, StopReport, Supervisor};

#[derive(Debug)]
pub(crate) struct Handle {
    pid: u32,
    command: String,
    job: Box<dyn ChildWrapper>,
    exit: Option<Exit>,
    will: Will,
}

/// Nothing but the first three is passed here.
#[derive(Debug, Default)]
pub(crate) struct Descriptors;

pub(crate) async fn spawn(
    _: &Supervisor,
    spec: &Spec,
    _: Descriptors,
) -> Result<(Handle, Output), SpawnError> {
    let mut wrap = CommandWrap::with_new(&spec.program, |command| {
        command
            .args(&spec.args)
            .current_dir(&spec.folder)
            .envs(spec.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for name in &spec.env_removed {
            command.env_remove(name);
        }
    });
    wrap.wrap(KillOnDrop).wrap(JobObject);
    let mut job = wrap.spawn().map_err(|error| refused(error, spec))?;
    let output = Output::new(job.stdout().take(), job.stderr().take());
    let pid = job.id().unwrap_or_default();
    let command = base::clip::head(&spec.program.display().to_string(), 120).into_owned();
    Ok((Handle { pid, command, job, exit: None, will: spec.will.clone() }, output))
}

fn refused(error: std::io::Error, spec: &Spec) -> SpawnError {
    let program = spec.program.clone();
    match error.kind() {
        std::io::ErrorKind::NotFound => SpawnError::NotFound { program },
        std::io::ErrorKind::PermissionDenied => SpawnError::PermissionDenied { program },
        _ => SpawnError::Refused { program, reason: error.to_string() },
    }
}

/// A job object leaves nothing behind when its owner dies.
pub(crate) fn sweep_leftovers() -> StopReport {
    StopReport::default()
}

/// As little as there is to sweep.
pub(crate) fn leftovers() -> Vec<Process> {
    Vec::new()
}

/// What a process is told.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asked {
    ToEnd,
    Killed,
}

/// The system tells it only to those who hold a handle.
pub(crate) fn start_of(_: u32) -> Option<String> {
    None
}

/// Nobody is known by a start here, so nobody is signalled.
pub(crate) fn signal(_: u32, _: &str, _: Asked) {}

/// Jobs know their own.
pub(crate) fn descendants(_: u32) -> Vec<u32> {
    Vec::new()
}

impl Handle {
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    pub(crate) async fn exited(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        // The inner child's end, not the job's: descendants may go on.
        let exit = self.job.inner_mut().wait().await.ok().as_ref().and_then(ExitStatus::code);
        *self.exit.insert(exit.map_or(Exit::Unknown, Exit::Code))
    }

    #[expect(clippy::unused_async, clippy::unused_self, reason = "elsewhere a watchdog is told")]
    pub(crate) async fn follow(&mut self, _: u32) {}

    #[expect(clippy::unused_async, clippy::unused_self, reason = "elsewhere a watchdog tells")]
    pub(crate) async fn followed(&mut self) -> Exit {
        Exit::Unknown
    }

    pub(crate) async fn stop(mut self, ladder: Ladder) -> StopReport {
        let lived = self.job.try_wait().ok().flatten().is_none();
        let _ = self.job.start_kill();
        let gone = Deadline::after(ladder.grace + ladder.kill).race(self.job.wait()).await.is_ok();
        std::mem::take(&mut self.will).execute_aside().await;
        let process = Process { pid: self.pid, command: std::mem::take(&mut self.command) };
        match (lived, gone) {
            (_, false) => StopReport { ended: Vec::new(), survivors: vec![process] },
            (true, true) => {
                StopReport { ended: vec![Ended { process, by: EndedBy::Kill }], survivors: Vec::new() }
            }
            (false, true) => StopReport::default(),
        }
    }
}

/// A forgotten tree is ended by its job; its last will must wait until that has happened.
impl Drop for Handle {
    fn drop(&mut self) {
        let will = std::mem::take(&mut self.will);
        if !will.is_empty() {
            let _ = self.job.start_kill();
            std::thread::spawn(move || will.execute());
        }
    }
}
