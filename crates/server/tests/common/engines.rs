//! The browser that a test plays. Each test is written once, for any browser: under its own name it plays Chromium, and
//! [`on_each_browser`] gives it again for the others, as `firefox::name` and `webkit::name`.

use std::cell::Cell;

use testkit::process;

/// A browser, and how its processes are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
    Webkit,
}

thread_local! {
    /// A test and its helpers run in one thread.
    static PLAYED: Cell<Engine> = const { Cell::new(Engine::Chromium) };
}

/// Runs a test in this browser.
pub(crate) fn play(engine: Engine, test: fn()) {
    PLAYED.set(engine);
    test();
}

/// Gives the tests that are named for the other browsers, too.
macro_rules! on_each_browser {
    ($($test:ident),* $(,)?) => {
        mod firefox {
            $(#[test]
            fn $test() {
                crate::common::engines::play(crate::common::engines::Engine::Firefox, crate::$test);
            })*
        }

        mod webkit {
            $(#[test]
            fn $test() {
                crate::common::engines::play(crate::common::engines::Engine::Webkit, crate::$test);
            })*
        }
    };
}
pub(crate) use on_each_browser;

impl Engine {
    /// The browser of this test.
    pub(crate) fn played() -> Self {
        PLAYED.get()
    }

    /// As `--browser` calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::Webkit => "webkit",
        }
    }

    /// A part of what it calls itself.
    pub(crate) fn product(self) -> &'static str {
        match self {
            Self::Chromium => "Chrom",
            Self::Firefox => "Firefox",
            Self::Webkit => "WebKit",
        }
    }

    /// Whether its sessions are in one process, or have one each.
    pub(crate) fn shares_a_process(self) -> bool {
        self != Self::Webkit
    }

    /// How many browser processes there are for so many sessions.
    pub(crate) fn processes_of(self, sessions: usize) -> usize {
        if self.shares_a_process() { sessions.min(1) } else { sessions }
    }

    /// The browsers below a server, without what they started themselves.
    pub(crate) fn browsers(self, server: u32) -> Vec<u32> {
        self.processes(server, |words| match self {
            Self::Chromium => words.contains("--remote-debugging-pipe") && !words.contains("--type="),
            // One may run beside it for a moment, to prepare the profile of those to come (`begun-`).
            Self::Firefox => {
                let is_other = ["-contentproc", "/begun-"].iter().any(|part| words.contains(part));
                words.contains("--remote-debugging-port") && !is_other
            }
            Self::Webkit => words.contains("MiniBrowser"),
        })
    }

    /// The processes below a server that draw its pages.
    pub(crate) fn painters(self, server: u32) -> Vec<u32> {
        self.processes(server, |words| match self {
            Self::Chromium => words.contains("--type=renderer"),
            // The last word is the process's kind.
            Self::Firefox => words.contains("-contentproc") && words.trim_end().ends_with(" tab"),
            Self::Webkit => words.contains("WebKitWebProcess"),
        })
    }

    fn processes(self, server: u32, is_one: impl Fn(&str) -> bool) -> Vec<u32> {
        let matches = |pid: &u32| {
            let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            !words.contains("watchdog") && is_one(&words)
        };
        let mut found: Vec<u32> = process::descendants(server).into_iter().filter(matches).collect();
        found.sort_unstable();
        found
    }
}

/// Displays of ours that are gone have left no lock behind, which would take their numbers away for good.
pub(crate) fn no_lock_of(gone: &[u32]) {
    let Ok(entries) = std::fs::read_dir("/tmp") else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(".X") && name.ends_with("-lock") {
            let owner = std::fs::read_to_string(entry.path()).unwrap_or_default();
            let is_ours = owner.trim().parse().is_ok_and(|pid: u32| gone.contains(&pid));
            assert!(!is_ours, "{name} is left behind");
        }
    }
}
