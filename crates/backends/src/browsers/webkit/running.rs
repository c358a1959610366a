//! Which processes of a browser run, and whether there may be more.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use engine::backend::Gone;
use tokio::sync::watch;

use super::process::Process;
use crate::browsers::process::gone;

/// The processes of a browser. It is gone when it was closed, and when the last of them died by itself: what ended that one
/// (a system without memory, somebody's signal) is told, and who wants to go on starts another browser.
#[derive(Debug, Default)]
pub(super) struct Running {
    known: Mutex<Known>,
    gone: watch::Sender<Option<Gone>>,
}

#[derive(Debug, Default)]
struct Known {
    /// So many are about to be started.
    beginning: usize,
    processes: Vec<Followed>,
    /// Nothing is started any more.
    over: Option<Gone>,
}

/// A process, which nobody may hold any more before it has ended.
#[derive(Debug, Clone)]
struct Followed {
    process: Weak<Process>,
    ending: watch::Receiver<Option<Gone>>,
}

/// Somebody starts a process.
#[derive(Debug)]
pub(super) struct Beginning<'a>(&'a Running);

impl Drop for Beginning<'_> {
    fn drop(&mut self) {
        self.0.known().beginning -= 1;
    }
}

impl Running {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds the browser's end off while a process is started; refused when it is over.
    pub(super) fn begin(&self) -> Result<Beginning<'_>, Gone> {
        let mut known = self.known();
        known.refuse()?;
        known.beginning += 1;
        Ok(Beginning(self))
    }

    /// Follows a process to its end; refused when the browser was closed meanwhile.
    pub(super) fn add(self: &Arc<Self>, process: &Arc<Process>) -> Result<(), Gone> {
        let followed = Followed { process: Arc::downgrade(process), ending: process.ending() };
        {
            let mut known = self.known();
            known.refuse()?;
            known.processes.push(followed.clone());
        }
        let all = self.clone();
        tokio::spawn(async move {
            let how = gone(followed.ending).await;
            all.ended(how, followed.process.upgrade().is_some_and(|process| !process.is_unwanted()));
        });
        Ok(())
    }

    fn ended(&self, how: Gone, by_itself: bool) {
        let mut known = self.known();
        known.processes.retain(|followed| followed.ending.borrow().is_none());
        if by_itself && known.beginning == 0 && known.processes.is_empty() && known.over.is_none() {
            known.over = Some(how.clone());
            self.gone.send_replace(Some(how));
        }
    }

    /// Starts nothing from here on, and ends what runs.
    pub(super) async fn close(&self) {
        let over = Gone { why: "it was closed".to_owned(), stderr: Vec::new() };
        let (over, followed) = {
            let mut known = self.known();
            (known.over.get_or_insert(over).clone(), known.processes.clone())
        };
        let ends = followed.into_iter().map(async |followed| match followed.process.upgrade() {
            Some(process) => process.end_now().await,
            None => drop(gone(followed.ending).await),
        });
        futures_util::future::join_all(ends).await;
        self.gone.send_replace(Some(over));
    }

    /// How the browser will have ended.
    pub(super) fn ending(&self) -> watch::Receiver<Option<Gone>> {
        self.gone.subscribe()
    }
}

impl Known {
    fn refuse(&self) -> Result<(), Gone> {
        self.over.clone().map_or(Ok(()), Err)
    }
}
