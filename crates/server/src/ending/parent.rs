//! Watching the process that started the server: a client that was killed closes nothing in good order.

/// The process that started this one.
#[cfg(unix)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parent(Option<rustix::process::Pid>);

#[cfg(unix)]
impl Parent {
    /// The parent as of now; ask early, because a later one is only the reaper of orphans.
    pub(crate) fn now() -> Self {
        Self(rustix::process::getppid())
    }

    /// Waits until the parent is gone. Never comes when there was none (the first process of a container).
    pub(crate) async fn gone(self) {
        let Some(pid) = self.0 else { return std::future::pending().await };
        #[cfg(target_os = "linux")]
        if exited(pid).await.is_ok() {
            return;
        }
        self.poll(pid).await;
    }

    /// An orphan gets another parent; outside Linux that is all there is to observe.
    async fn poll(self, pid: rustix::process::Pid) {
        let mut every_second = tokio::time::interval(std::time::Duration::from_secs(1));
        while rustix::process::getppid() == Some(pid) {
            every_second.tick().await;
        }
    }
}

/// Waits for the exit of `pid`, our parent, by a descriptor of it.
#[cfg(target_os = "linux")]
async fn exited(pid: rustix::process::Pid) -> std::io::Result<()> {
    use rustix::process::{PidfdFlags, getppid, pidfd_open};
    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;

    let descriptor = pidfd_open(pid, PidfdFlags::NONBLOCK)?;
    #[expect(
        deprecated,
        reason = "its successor is unsafe for types that swap descriptors; OwnedFd is not one"
    )]
    let descriptor = AsyncFd::with_interest(descriptor, Interest::READABLE)?;
    // The id may have been given away between asking for it and opening it; it was ours if it still is.
    if getppid() == Some(pid) {
        let _ready = descriptor.readable().await?;
    }
    Ok(())
}

/// The process that started this one. Windows ends children by job objects; there is nothing to watch.
#[cfg(windows)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parent;

#[cfg(windows)]
impl Parent {
    /// The parent as of now.
    pub(crate) fn now() -> Self {
        Self
    }

    /// Never comes: standard input closes when the parent dies.
    pub(crate) async fn gone(self) {
        std::future::pending().await
    }
}
