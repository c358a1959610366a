//! Memory that was needed once and is kept for later goes back to the system when work is done.
//!
//! Each thread keeps at hand what it has freed, and gives it back only while it goes on allocating: a server that had
//! fifty clients and then none would hold megabytes of nothing for as long as nobody calls. So a moment after a session
//! has ended, each thread of the runtime empties what it keeps before it sleeps the next time.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How many threads serve.
pub(crate) const THREADS: usize = 2;

/// So long after a session's end, when what belonged to it has been freed, and not for each of many that end together.
const LATER: Duration = Duration::from_millis(1500);

/// How often the threads were asked to give back.
static ROUND: AtomicU64 = AtomicU64::new(0);

/// Whether they will be asked soon.
static COMING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The last round in which this thread took part.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// A session has ended. To be called by a task.
pub(crate) fn session_ended() {
    if !COMING.swap(true, Ordering::Relaxed) {
        let coming = Coming;
        tokio::spawn(async move {
            tokio::time::sleep(LATER).await;
            drop(coming);
            ask();
        });
    }
}

/// The runtime may end before the time has come.
struct Coming;

impl Drop for Coming {
    fn drop(&mut self) {
        COMING.store(false, Ordering::Relaxed);
    }
}

/// Asks every thread of the runtime, of which one runs this.
fn ask() {
    ROUND.fetch_add(1, Ordering::Relaxed);
    // Others sleep, and wake for tasks that wait.
    for _ in 0..THREADS {
        tokio::spawn(std::future::ready(()));
    }
}

/// What a thread of the runtime does before it sleeps.
pub(crate) fn before_sleep() {
    if is_due() {
        give_back();
    }
}

/// Whether the threads were asked and this one has not taken part yet, which it does now.
fn is_due() -> bool {
    let round = ROUND.load(Ordering::Relaxed);
    TAKEN.replace(round) != round
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back() {
    // What the allocator refuses is kept, and nothing else is lost.
    let _ = jemalloc::empty_thread();
    let _ = jemalloc::release();
}

/// The allocator of the other systems keeps nothing per thread.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod jemalloc {
    use std::sync::Mutex;

    use tikv_jemalloc_ctl::{Access as _, AsName as _, Mib, Result};

    /// Two threads that release at once would find each other's settings.
    static RELEASING: Mutex<()> = Mutex::new(());

    /// Empties what this thread keeps: it loses its store, and gets a new one.
    pub(super) fn empty_thread() -> Result<()> {
        let store = b"thread.tcache.enabled\0".name();
        if store.read()? {
            store.write(false)?;
            store.write(true)?;
        }
        Ok(())
    }

    /// Gives back all that is free, whatever its age: the settings for how long it may stay take effect when they are set.
    pub(super) fn release() -> Result<()> {
        let _alone = RELEASING.lock();
        let heaps: u32 = b"arenas.narenas\0".name().read()?;
        let usual: isize = b"opt.dirty_decay_ms\0".name().read()?;
        let mut patience: Mib<[usize; 3]> = b"arena.0.dirty_decay_ms\0".name().mib()?;
        for heap in 0..heaps {
            patience[1] = usize::try_from(heap).unwrap_or_default();
            // A heap that no thread has used yet has nothing and refuses.
            if patience.write(0_isize).is_ok() {
                patience.write(usual)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn every_thread_takes_part_after_a_session_has_ended() {
        let (told, threads) = mpsc::channel();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .enable_time()
            .on_thread_park(move || {
                if is_due() {
                    let _ = told.send(std::thread::current().id());
                }
            })
            .build()
            .unwrap();
        runtime.spawn(async { session_ended() });
        let limit = Duration::from_secs(20);
        let took_part: HashSet<_> = (0..THREADS).map(|_| threads.recv_timeout(limit).unwrap()).collect();
        assert_eq!(took_part.len(), THREADS);
        assert!(!COMING.load(Ordering::Relaxed), "another end of a session is heard of");
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn what_was_freed_goes_back_to_the_system() {
        let start = in_use();
        let pieces: Vec<Box<[u8; 4096]>> = (0..10_000).map(|_| Box::new([1; 4096])).collect();
        assert!(in_use() > start + 30_000);
        drop(pieces);
        jemalloc::empty_thread().unwrap();
        jemalloc::release().unwrap();
        let end = in_use();
        assert!(end < start + 10_000, "{start} KiB at first, {end} KiB now");
    }

    /// The memory of this process that is no file's, in KiB.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn in_use() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}
