//! The runs of one server: those that go on and those whose report may still be asked for.
//!
//! A run belongs to nobody's call: it is a task of its own, so that a call can stop waiting while the run goes on.
//! Whoever starts one decides with [`Leash`] whether it ends with the call.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use base::{Activity, Deadline};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::report::Report;
use crate::request::Request;
use crate::run::NotStarted;
use crate::timebox::Timebox;

/// As many finished runs as are remembered.
const REMEMBERED: usize = 50;

/// Names a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunId(Uuid);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RunId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::parse_str(text).map(Self)
    }
}

/// What a run came to.
pub type Outcome = Arc<Result<Report, NotStarted>>;

/// One run, going on or over.
#[derive(Debug)]
pub struct Run {
    id: RunId,
    owner: Arc<str>,
    cancel: CancellationToken,
    activity: Activity,
    began: Instant,
    outcome: watch::Receiver<Option<Outcome>>,
}

/// Every run of a server.
#[derive(Debug)]
pub struct Runs {
    timebox: Arc<Timebox>,
    runs: Mutex<VecDeque<Arc<Run>>>,
}

impl Runs {
    /// No runs yet.
    pub fn new(timebox: Timebox) -> Self {
        Self { timebox: Arc::new(timebox), runs: Mutex::default() }
    }

    /// Starts a run that is nobody's in particular. It goes on until it ends, is cancelled, or the server closes.
    pub fn start(&self, request: Request) -> Arc<Run> {
        self.start_for(Arc::default(), request)
    }

    /// The same for somebody, by whose name it is found later.
    pub fn start_for(&self, owner: Arc<str>, request: Request) -> Arc<Run> {
        let (tell, outcome) = watch::channel(None);
        let run = Arc::new(Run {
            id: RunId(Uuid::new_v4()),
            owner,
            cancel: CancellationToken::new(),
            activity: Activity::default(),
            began: Instant::now(),
            outcome,
        });
        self.remember(run.clone());
        let (timebox, cancel, activity) = (self.timebox.clone(), run.cancel.clone(), run.activity.clone());
        // Its own task; its handle is the run's outcome, which `close` waits for.
        tokio::spawn(async move {
            let outcome = timebox.run(&request, cancel, activity).await;
            let _ = tell.send(Some(Arc::new(outcome)));
        });
        run
    }

    /// Finds a run that goes on or is still remembered.
    pub fn find(&self, id: RunId) -> Option<Arc<Run>> {
        self.all().find(|run| run.id == id)
    }

    /// The same, if it is `owner`'s.
    pub fn find_of(&self, owner: &str, id: RunId) -> Option<Arc<Run>> {
        self.find(id).filter(|run| &*run.owner == owner)
    }

    /// The newest runs of `owner`'s first.
    pub fn all_of<'a>(&self, owner: &'a str) -> impl Iterator<Item = Arc<Run>> + use<'a> {
        self.all().filter(move |run| &*run.owner == owner)
    }

    /// The newest runs first.
    pub fn all(&self) -> impl Iterator<Item = Arc<Run>> + use<> {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.iter().rev().cloned().collect::<Vec<_>>().into_iter()
    }

    /// Cancels every run that goes on and waits until each has ended what it started. True if all did in time.
    pub async fn close(&self, deadline: Deadline) -> bool {
        let running: Vec<Arc<Run>> = self.all().filter(|run| !run.is_over()).collect();
        for run in &running {
            run.cancel();
        }
        let mut all = true;
        for run in running {
            all &= run.wait(deadline).await.is_some();
        }
        all
    }

    fn remember(&self, run: Arc<Run>) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push_back(run);
        if runs.len() > REMEMBERED
            && let Some(oldest) = runs.iter().position(|run| run.is_over())
        {
            runs.remove(oldest);
        }
    }
}

impl Run {
    /// Its name.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// What it is doing right now.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Since when it goes on.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Whether it has come to its end.
    pub fn is_over(&self) -> bool {
        self.outcome.borrow().is_some()
    }

    /// Ends it. Its report is written all the same.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Waits for its outcome, but no longer than until `deadline`.
    pub async fn wait(&self, deadline: Deadline) -> Option<Outcome> {
        let mut outcome = self.outcome.clone();
        let told = deadline.race(outcome.wait_for(Option::is_some)).await;
        told.ok()?.ok()?.clone()
    }

    /// Ties the run to the holder: it is cancelled when the leash is dropped, unless it was let go.
    pub fn leash(self: &Arc<Self>) -> Leash {
        Leash { run: Some(self.clone()) }
    }
}

/// Cancels its run when it is dropped.
#[derive(Debug)]
pub struct Leash {
    run: Option<Arc<Run>>,
}

impl Leash {
    /// The run goes on by itself.
    pub fn let_go(mut self) {
        self.run = None;
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        if let Some(run) = &self.run {
            run.cancel();
        }
    }
}
