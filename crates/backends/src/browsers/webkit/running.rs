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
    processes: Vec<Weak<Process>>,
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

    /// Holds the browser's end off while a process is started; refused when it is gone.
    pub(super) fn begin(&self) -> Result<Beginning<'_>, Gone> {
        let mut known = self.known();
        if let Some(gone) = self.gone.borrow().clone() {
            return Err(gone);
        }
        known.beginning += 1;
        Ok(Beginning(self))
    }

    /// Follows a process to its end; refused when the browser was closed meanwhile.
    pub(super) fn add(self: &Arc<Self>, process: &Arc<Process>) -> Result<(), Gone> {
        let (all, ending, process) = (self.clone(), process.ending(), Arc::downgrade(process));
        {
            let mut known = self.known();
            if let Some(gone) = self.gone.borrow().clone() {
                return Err(gone);
            }
            known.processes.push(process.clone());
        }
        tokio::spawn(async move {
            let how = gone(ending).await;
            let by_itself = process.upgrade().is_some_and(|process| !process.is_unwanted());
            all.ended(how, by_itself);
        });
        Ok(())
    }

    fn ended(&self, how: Gone, by_itself: bool) {
        let mut known = self.known();
        known
            .processes
            .retain(|process| process.upgrade().is_some_and(|process| process.ending().borrow().is_none()));
        if by_itself && known.beginning == 0 && known.processes.is_empty() {
            self.tell(how);
        }
    }

    /// From here on nothing is started; answers what still runs.
    pub(super) fn close(&self) -> Vec<Arc<Process>> {
        let known = self.known();
        self.tell(Gone { why: "it was closed".to_owned(), stderr: Vec::new() });
        known.processes.iter().filter_map(Weak::upgrade).collect()
    }

    /// The first word stands.
    fn tell(&self, how: Gone) {
        self.gone.send_if_modified(|gone| {
            let first = gone.is_none();
            gone.get_or_insert(how);
            first
        });
    }

    /// How the browser will have ended.
    pub(super) fn ending(&self) -> watch::Receiver<Option<Gone>> {
        self.gone.subscribe()
    }
}
