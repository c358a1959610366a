//! The dev server's process, as its command named it.

use std::time::Duration;

use base::Deadline;
use supervise::{Ladder, Recorded};

/// How often a process that is not our child is looked at: nothing tells us when it ends. Where there is no /proc, a
/// look costs a process.
const LOOK_EVERY: Duration = Duration::from_millis(if cfg!(target_os = "linux") { 10 } else { 100 });

/// A dev server's process, recorded by its number and its start, so that a reused number is never taken for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerProcess(Recorded);

impl ServerProcess {
    /// The process that has this number now.
    pub fn of(pid: u32) -> Option<Self> {
        Recorded::of(pid).map(Self)
    }

    /// Its number.
    pub fn pid(&self) -> u32 {
        self.0.pid
    }

    /// Whether it lives.
    pub fn alive(&self) -> bool {
        self.0.alive()
    }

    /// Waits until it is gone; false if it still lives at the deadline.
    pub async fn gone(&self, deadline: Deadline) -> bool {
        gone(&self.0, deadline).await
    }

    /// Ends it: TERM, the ladder's grace, KILL. False if even that did not help. It ends this process only; its
    /// descendants are its tree's business.
    pub async fn force_stop(&self, ladder: Ladder) -> bool {
        if !ladder.grace.is_zero() {
            self.0.terminate();
            if self.gone(Deadline::after(ladder.grace)).await {
                return true;
            }
        }
        self.0.kill();
        self.gone(Deadline::after(ladder.kill)).await
    }
}

/// Waits until a process is gone; false if it still lives at the deadline.
pub(crate) async fn gone(process: &Recorded, deadline: Deadline) -> bool {
    loop {
        if !process.alive() {
            return true;
        }
        if deadline.has_passed() {
            return false;
        }
        tokio::time::sleep(LOOK_EVERY.min(deadline.remaining())).await;
    }
}
