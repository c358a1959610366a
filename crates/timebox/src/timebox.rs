//! The whole of `run_test`: a checked request in, a report out.

use std::ffi::OsString;
use std::time::Duration;

use base::{Activity, Deadline, Secrets, Workspace};
use supervise::{Ladder, Supervisor};
use tokio_util::sync::CancellationToken;

use crate::folder::Folders;
use crate::hiding;
use crate::report::Report;
use crate::request::Request;
use crate::run::{NotStarted, Watch, run};
use crate::summary::Summary;
use crate::time;

/// How long the report may take: a disk that hangs must not hold the answer.
const REPORT: Duration = Duration::from_secs(5);

/// Runs tests in one workspace.
#[derive(Debug)]
pub struct Timebox {
    supervisor: Supervisor,
    workspace: Workspace,
    ladder: Ladder,
    path: Option<OsString>,
    folders: Folders,
    secrets: Secrets,
}

impl Timebox {
    /// Runs tests of `workspace` with runners found on `path`, and stops what must be stopped by `ladder`.
    pub fn new(supervisor: Supervisor, workspace: Workspace, ladder: Ladder, path: Option<OsString>) -> Self {
        Self { supervisor, workspace, ladder, path, folders: Folders::default(), secrets: Secrets::default() }
    }

    /// The same, with these secrets in none of its artifacts.
    #[must_use]
    pub fn hiding(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    /// The longest that a run may take beyond its own time limit: stopping it, hearing its last words, reporting.
    pub fn overtime(ladder: Ladder) -> Duration {
        crate::run::OVERTIME + ladder.grace + ladder.kill + REPORT
    }

    /// Runs what was asked for. Comes back within the request's limits and [`Timebox::overtime`].
    ///
    /// # Errors
    /// [`NotStarted`] when nothing was started; there are no artifacts then.
    pub async fn run(
        &self,
        request: &Request,
        cancel: CancellationToken,
        activity: Activity,
    ) -> Result<Report, NotStarted> {
        let command = request.runner.command_on(&request.scope, &self.workspace, self.path.as_deref())?;
        let folder = self.folders.claim(request.report_dir.as_ref(), &self.workspace)?;
        let started_at = time::now();
        let watch = Watch { limits: request.limits, ladder: self.ladder, cancel, activity };
        tracing::info!(component = "Timebox", event = "run_started", command = %command);
        let finished =
            run(&self.supervisor, &command, self.workspace.root(), &folder.raw_log(), &watch).await;
        let finished = match finished {
            Ok(finished) => finished,
            Err(refused) => {
                folder.discard();
                return Err(refused);
            }
        };
        watch.activity.set("writing the report");
        let mut report = Report::of(request, &folder, &finished);
        let summary = Summary {
            request: request.clone(),
            command,
            folder,
            root: self.workspace.root().to_owned(),
            started_at,
            finished,
        };
        let unwritten = report.clone();
        // Reading and searching megabytes is no work for the threads that answer calls.
        let secrets = self.secrets.clone();
        let writing = tokio::task::spawn_blocking(move || {
            if let Err(error) = hiding::hide(&summary.folder.raw_log(), &secrets) {
                tracing::error!(component = "Timebox", event = "secrets_not_hidden", %error);
            }
            summary.complete(&mut report);
            report
        });
        let report = match Deadline::after(REPORT).race(writing).await {
            Ok(Ok(report)) => report,
            Ok(Err(_)) | Err(_) => unwritten.warn("the summaries could not be written in time"),
        };
        tracing::info!(component = "Timebox", event = "run_ended", status = ?report.status, duration_ms = report.duration_ms);
        Ok(report)
    }
}
