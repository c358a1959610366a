//! Where cases are played: one browser for a family, a context of its own for each case.

mod chromium;
mod firefox;
mod webkit;

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use backends::browsers::{Places, about};
use base::Deadline;
use engine::backend::Browser;
use futures_util::{FutureExt as _, StreamExt as _};
use supervise::Supervisor;
use testkit::{Display, process};

use crate::case::{Case, Given};
use crate::expectations;

/// So many cases at a time.
const AT_ONCE: usize = 4;
/// Where each context has processes of its own.
const PROCESSES_AT_ONCE: usize = 3;
/// A case that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(40);
/// What the command lines of the processes have that draw pages: Chromium's, Firefox's, which end so, and WebKit's.
const DRAWS_PAGES: &[fn(&str) -> bool] = &[
    |line| line.contains("--type=renderer"),
    |line| line.contains("-contentproc") && line.trim_end().ends_with(" tab"),
    |line| line.contains("WebKitWebProcess"),
];
/// Names the one case to play: its name, or a part of it.
const ONLY: &str = "SUITE_CASE";

/// How the browser is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As an agent gets it: the headless shell.
    Usual,
    /// The full browser, without its windows.
    Full,
    /// The full browser with its windows, on a display of its own.
    Windows,
    /// Firefox, without its windows.
    Firefox,
    /// WebKit, on a display of its own.
    Webkit,
}

impl Mode {
    fn at_once(self) -> usize {
        if matches!(self, Self::Firefox | Self::Webkit) { PROCESSES_AT_ONCE } else { AT_ONCE }
    }

    /// As expectations.toml calls the browser.
    pub(crate) fn browser(self) -> &'static str {
        match self {
            Self::Usual | Self::Full | Self::Windows => "chromium",
            Self::Firefox => "firefox",
            Self::Webkit => "webkit",
        }
    }
}

/// Plays a family in a browser that is run like this, and fails with everything that went wrong.
pub(crate) fn play(mode: Mode, family: &str, cases: &'static [Case]) {
    // What the test needs is built before its time begins.
    testkit::bins().watchdog();
    let only = std::env::var(ONLY).unwrap_or_default();
    let cases = || cases.iter().filter(|case| case.name.contains(&only));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let failures = runtime.block_on(async {
        let own = own(mode).await;
        let played = futures_util::stream::iter(cases()).map(|case| judge(mode, family, case, &own.browser));
        let failures: Vec<String> =
            played.buffer_unordered(mode.at_once()).filter_map(std::future::ready).collect().await;
        own.close().await;
        failures
    });
    assert!(
        failures.is_empty(),
        "{} of {} failed\n\n{}",
        failures.len(),
        cases().count(),
        failures.join("\n\n")
    );
}

/// What is wrong with a case, if anything is.
async fn judge(mode: Mode, family: &str, case: &'static Case, browser: &Arc<dyn Browser>) -> Option<String> {
    let began = Instant::now();
    let outcome = run(mode, case, browser).await;
    let expected = expectations::reason(mode.browser(), family, case.name);
    match (outcome, expected) {
        (Ok(()), None) | (Err(_), Some(_)) => None,
        (Ok(()), Some(reason)) => Some(format!("{}: passes, but is expected to fail: {reason}", case.name)),
        (Err(why), None) => {
            let why = why.to_string().replace('\n', "\n    ");
            Some(format!("{} ({:.1?}):\n    {why}", case.name, began.elapsed()))
        }
    }
}

/// How a case came to nothing.
enum Fault {
    /// It hangs.
    Endless,
    /// It was given up by somebody else.
    Lost(tokio::task::JoinError),
    /// Its assertion, in its words.
    Panicked(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Endless => write!(f, "it did not come to its end in {LIMIT:?}"),
            Self::Lost(why) => why.fmt(f),
            Self::Panicked(message) => f.write_str(message),
        }
    }
}

async fn run(mode: Mode, case: &'static Case, browser: &Arc<dyn Browser>) -> Result<(), Fault> {
    let given = Arc::new(Given::prepare(mode, browser).await);
    // A task of its own: what blocks in one case holds no other.
    let played = {
        let given = given.clone();
        tokio::spawn(AssertUnwindSafe(async move { (case.run)(&given).await }).catch_unwind())
    };
    let end = played.abort_handle();
    let outcome = match tokio::time::timeout(LIMIT, played).await {
        Err(_) => Err(Fault::Endless),
        Ok(Err(lost)) => Err(Fault::Lost(lost)),
        Ok(Ok(Err(panic))) => Err(Fault::Panicked(message(panic.as_ref()))),
        Ok(Ok(Ok(()))) => Ok(()),
    };
    end.abort();
    given.close().await;
    outcome
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}

/// A browser, and the folder below which everything of it is.
pub(crate) struct Own {
    pub(crate) browser: Arc<dyn Browser>,
    folder: tempfile::TempDir,
    _display: Option<Display>,
}

impl Own {
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Ends the browser, of which nothing may be left then.
    pub(crate) async fn close(self) {
        self.browser.close(Deadline::after(Duration::from_secs(30))).await;
        assert_eq!(processes(self.folder()), Vec::<u32>::new());
        let left: Vec<_> = std::fs::read_dir(self.folder()).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// Starts a browser like this.
pub(crate) async fn own(mode: Mode) -> Own {
    let folder = tempfile::tempdir().unwrap();
    let supervisor = Supervisor::with_watchdog(testkit::bins().watchdog());
    let places = Places::of_environment(|name| std::env::var_os(name), None);
    let display = (mode == Mode::Windows).then(|| Display::start().unwrap());
    let setting = Setting { supervisor, places, folder: folder.path(), display: display.as_ref(), mode };
    let browser = match mode {
        Mode::Usual | Mode::Full | Mode::Windows => chromium::start(&setting).await,
        Mode::Firefox => firefox::start(&setting).await,
        Mode::Webkit => webkit::start(&setting).await,
    };
    assert_eq!(browser.identity().headed, mode == Mode::Windows);
    // What is told of a browser beforehand is true of it.
    assert_eq!(browser.capabilities(), about(browser.identity().kind).capabilities);
    Own { browser, folder, _display: display }
}

/// What a browser is started with.
struct Setting<'a> {
    mode: Mode,
    supervisor: Supervisor,
    places: Places,
    /// Everything of the browser's is below it.
    folder: &'a Path,
    display: Option<&'a Display>,
}

/// The processes that draw pages for the browser whose profile is below `folder`.
pub(crate) fn page_processes(folder: &Path) -> Vec<u32> {
    processes(folder)
        .into_iter()
        .filter(|pid| DRAWS_PAGES.iter().any(|draws| draws(&command_line(*pid))))
        .collect()
}

/// Kills the browser whose profile is below `folder`, and everything that it started.
pub(crate) fn kill_all(folder: &Path) {
    processes(folder).into_iter().for_each(process::kill);
}

/// The browser and what descends from it; the watchdog above it is none of them.
fn processes(folder: &Path) -> Vec<u32> {
    let folder = folder.display().to_string();
    // A browser whose command line does not name its folder has it in its environment.
    let named = |pid: u32| command_line(pid).contains(&folder) || environment(pid).contains(&folder);
    let is_ours = |pid: &u32| named(*pid) && !command_line(*pid).contains("watchdog");
    let mut found: Vec<u32> = process::descendants(std::process::id()).into_iter().filter(is_ours).collect();
    let below: Vec<u32> = found.iter().flat_map(|pid| process::descendants(*pid)).collect();
    found.extend(below);
    found.sort_unstable();
    found.dedup();
    found
}

fn command_line(pid: u32) -> String {
    words(&format!("/proc/{pid}/cmdline"))
}

fn environment(pid: u32) -> String {
    words(&format!("/proc/{pid}/environ"))
}

fn words(file: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).replace('\0', " ")
}
