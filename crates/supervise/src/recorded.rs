//! A process that somebody else started, remembered by its number and its start.
//!
//! A number alone would be a stranger's one day; with the start it names one process for ever. It can be written to a
//! file and asked about by another program of ours.

use serde::{Deserialize, Serialize};

use crate::platform;

/// One process, whoever started it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its number.
    pub pid: u32,
    /// When it started, in the measure of the system's process table.
    pub started: String,
}

impl Recorded {
    /// The process that has this number now. `None` if there is none, and on systems that don't tell.
    pub fn of(pid: u32) -> Option<Self> {
        platform::start_of(pid).map(|started| Self { pid, started })
    }

    /// Whether it still lives. One that ended and waits to be reaped does not.
    pub fn alive(&self) -> bool {
        platform::start_of(self.pid).as_ref() == Some(&self.started)
    }

    /// Asks it to end. That it is gone already is fine.
    pub fn terminate(&self) {
        platform::signal(self.pid, &self.started, platform::Asked::ToEnd);
    }

    /// Ends it.
    pub fn kill(&self) {
        platform::signal(self.pid, &self.started, platform::Asked::Killed);
    }
}

/// Everyone alive who descends from `pid`, nearest first; empty on systems that don't tell.
pub fn descendants(pid: u32) -> Vec<u32> {
    platform::descendants(pid)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_start_and_a_reused_number_is_not_it() {
        let me = Recorded::of(std::process::id()).unwrap();
        assert!(me.alive());
        let namesake = Recorded { started: "1".to_owned(), ..me };
        assert!(!namesake.alive());
        // Not sent: it is not the one that was meant.
        namesake.kill();
        namesake.terminate();
    }

    #[test]
    fn one_that_ended_does_not_live_even_before_it_is_reaped() {
        let mut child = std::process::Command::new("/bin/sleep").arg("60").spawn().unwrap();
        let recorded = Recorded::of(child.id()).unwrap();
        assert!(recorded.alive() && descendants(std::process::id()).contains(&child.id()));
        recorded.kill();
        while recorded.alive() {
            std::thread::yield_now();
        }
        assert!(Recorded::of(child.id()).is_none());
        child.wait().unwrap();
    }
}
