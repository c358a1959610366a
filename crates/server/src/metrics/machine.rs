//! What the system says of this process and of those below it.

/// At one moment; zero where the system does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) processes: u64,
    /// In bytes.
    pub(crate) memory: u64,
    /// The same of the processes below.
    pub(crate) memory_of_children: u64,
}

impl Machine {
    /// Reads it off the system, which takes a while where many processes run: not for a thread that others wait for.
    #[cfg(unix)]
    pub(crate) fn now() -> Self {
        let below = supervise::descendants(std::process::id());
        let memory =
            |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/statm")).map(|told| resident(&told));
        Self {
            processes: below.len() as u64,
            memory: memory("self").unwrap_or_default(),
            // One that has just ended has none.
            memory_of_children: below.iter().filter_map(|pid| memory(&pid.to_string()).ok()).sum(),
        }
    }

    /// The same where nothing is told.
    #[cfg(not(unix))]
    pub(crate) fn now() -> Self {
        Self::default()
    }
}

/// proc_pid_statm(5): pages of the whole, pages that are resident, …
#[cfg(unix)]
fn resident(statm: &str) -> u64 {
    let pages: Option<u64> = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or_default().saturating_mul(rustix::param::page_size() as u64)
}
