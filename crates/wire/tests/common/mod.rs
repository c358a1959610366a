//! Real browsers for the tests of this crate, each in a tree of its own.
#![allow(dead_code, reason = "each test file uses its part")]

use std::time::Duration;

use supervise::{Descriptors, Ladder, Output, Spec, Supervisor, Tree};
use testkit::{bins, process};
use wire::cdp::types::target;
use wire::cdp::{Connection, Events, Session};
use wire::transport::pipe;

/// Far more than any test here takes on a loaded machine.
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) async fn in_time<T>(work: impl Future<Output = T>) -> T {
    // What the test needs is built before its time begins.
    bins().watchdog();
    tokio::time::timeout(LIMIT, work).await.expect("took too long")
}

/// A browser on a pipe, and everything that must be gone afterwards.
pub(crate) struct Chromium {
    pub(crate) connection: Connection,
    pub(crate) events: Events,
    pub(crate) tree: Tree,
    pub(crate) output: Output,
    pub(crate) profile: tempfile::TempDir,
}

impl Chromium {
    pub(crate) async fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let pair = pipe::pair().unwrap();
        let descriptors = Descriptors::new().pass(3, pair.browser_reads).pass(4, pair.browser_writes);
        let spec = spec(&profile, "--remote-debugging-pipe");
        let (tree, output) = supervisor().spawn_passing(&spec, descriptors).await.unwrap();
        let (connection, events) = Connection::open(pair.inbound, pair.outbound);
        Self { connection, events, tree, output, profile }
    }

    pub(crate) async fn page(&self) -> (Session, Events) {
        page(&self.connection).await
    }

    /// Ends it and checks that nothing is left.
    pub(crate) async fn stop(self) {
        stop(self.tree, &self.profile).await;
    }
}

/// A browser on a port.
pub(crate) struct Listening {
    pub(crate) address: String,
    tree: Tree,
    output: Output,
    profile: tempfile::TempDir,
}

impl Listening {
    pub(crate) async fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let (tree, mut output) =
            supervisor().spawn(&spec(&profile, "--remote-debugging-port=0")).await.unwrap();
        let (mut said, mut buffer) = (String::new(), vec![0; 4096]);
        let address = loop {
            if let Some((_, rest)) = said.split_once("DevTools listening on ws://")
                && let Some((address, _)) = rest.split_once('/')
            {
                break format!("http://{address}");
            }
            let (_, length) = output.read(&mut buffer).await.expect("it ended before it listened");
            said.push_str(&String::from_utf8_lossy(&buffer[..length]));
        };
        Self { address, tree, output, profile }
    }

    pub(crate) async fn stop(self) {
        stop(self.tree, &self.profile).await;
    }
}

/// A page in a context of its own.
pub(crate) async fn page(connection: &Connection) -> (Session, Events) {
    let context = connection.call(&target::CreateBrowserContext::new()).await.unwrap();
    let create = target::CreateTarget {
        browser_context_id: Some(context.browser_context_id),
        ..target::CreateTarget::new("about:blank")
    };
    let page = connection.call(&create).await.unwrap();
    let attached = connection.call(&target::AttachToTarget::new(page.target_id, true)).await.unwrap();
    let events = connection.events(&attached.session_id).unwrap();
    (connection.session(attached.session_id), events)
}

fn supervisor() -> Supervisor {
    Supervisor::with_watchdog(bins().watchdog())
}

fn spec(profile: &tempfile::TempDir, debugging: &str) -> Spec {
    let user_data = format!("--user-data-dir={}", profile.path().display());
    Spec::new("/usr/lib/chromium/chromium-headless-shell", "/")
        .args([debugging, user_data.as_str(), "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--disable-extensions", "--mute-audio"])
        .args(["--password-store=basic", "--disable-dev-shm-usage"])
        .args(rustix::process::geteuid().is_root().then_some("--no-sandbox"))
        .remove_afterwards(profile.path())
}

async fn stop(tree: Tree, profile: &tempfile::TempDir) {
    let everyone = [process::descendants(tree.pid()), vec![tree.pid()]].concat();
    tree.stop(Ladder::default()).await;
    process::wait_gone(&everyone, Duration::ZERO).unwrap();
    assert!(!profile.path().exists());
}
