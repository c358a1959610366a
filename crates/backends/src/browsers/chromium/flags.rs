//! How a Chromium is started so that it serves us, says nothing to anybody else and shows no first-run pages.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{Executable, confined};

/// Whether renderers are confined by the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sandbox {
    /// They are.
    On,
    /// They are not: asked for, or because Chromium refuses to run as root otherwise.
    Off,
}

/// What a launch needs to know.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The profile's folder, empty and ours.
    pub profile: PathBuf,
    /// Without a window.
    pub headless: bool,
    /// The confinement of renderers.
    pub sandbox: Sandbox,
    /// Nothing goes around the proxies of its contexts.
    pub confined: bool,
    /// Flags of the user's, which come last and win.
    pub extra: Vec<OsString>,
}

/// Always given. Without the first group Chromium talks to its maker at every start; without the second, pages in the
/// background are slowed down and tests with them.
const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    // A first page that nobody asked for would start a process of its own, just when ours needs the machine.
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--metrics-recording-only",
    "--no-pings",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    // A document that comes back from it has no load of its own, and the worlds that it left with.
    "--disable-back-forward-cache",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-dev-shm-usage",
    "--mute-audio",
    // A page that is tested is to behave as it does for its users; `navigator.webdriver` is for pages that want to know.
    "--disable-blink-features=AutomationControlled",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--site-per-process",
];

/// Switched off always. The last of them holds a page's tasks back for a frame after each click.
const WITHOUT: &[&str] = &[
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    "DialMediaRouteProvider",
    "PaintHolding",
    "HttpsUpgrades",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "InterestFeedContentSuggestions",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "GlobalMediaControls",
    "ImprovedCookieControls",
    "LensOverlay",
    "DeferRendererTasksAfterInput",
];

/// The command line for `executable`.
pub fn flags(executable: &Executable, launch: &Launch) -> Vec<OsString> {
    let mut flags: Vec<OsString> = ALWAYS.iter().map(OsString::from).collect();
    if launch.headless && !executable.shell {
        flags.push("--headless=new".into());
    }
    if launch.sandbox == Sandbox::Off {
        flags.push("--no-sandbox".into());
    }
    let mut without = WITHOUT.to_vec();
    if launch.confined {
        flags.extend(confined::FLAGS.iter().map(OsString::from));
        without.extend(confined::WITHOUT);
    }
    // One list: of several, only the last would count.
    flags.push(format!("--disable-features={}", without.join(",")).into());
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(&launch.profile);
    flags.push(profile);
    flags.extend(launch.extra.iter().cloned());
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(shell: bool, headless: bool, sandbox: Sandbox) -> Vec<String> {
        words(shell, headless, sandbox, false)
    }

    fn words(shell: bool, headless: bool, sandbox: Sandbox, confined: bool) -> Vec<String> {
        let launch = Launch {
            profile: "/tmp/a profile".into(),
            headless,
            sandbox,
            confined,
            extra: vec!["--lang=de".into()],
        };
        let flags = flags(&Executable { path: "/x".into(), shell }, &launch);
        flags.into_iter().map(|flag| flag.into_string().unwrap()).collect()
    }

    #[test]
    fn the_sandbox_is_dropped_only_when_told() {
        assert!(!line(false, true, Sandbox::On).contains(&"--no-sandbox".to_owned()));
        assert!(line(false, true, Sandbox::Off).contains(&"--no-sandbox".to_owned()));
    }

    #[test]
    fn the_shell_needs_no_flag_to_be_headless() {
        let headless = "--headless=new".to_owned();
        assert!(line(false, true, Sandbox::On).contains(&headless));
        assert!(!line(true, true, Sandbox::On).contains(&headless));
        assert!(!line(false, false, Sandbox::On).contains(&headless));
    }

    #[test]
    fn the_users_flags_come_last_and_features_are_disabled_in_one_list() {
        for confined in [false, true] {
            let line = words(false, true, Sandbox::On, confined);
            assert_eq!(line[line.len() - 2..], ["--user-data-dir=/tmp/a profile", "--lang=de"]);
            assert_eq!(line.iter().filter(|flag| flag.starts_with("--disable-features=")).count(), 1);
            assert!(line.iter().all(|flag| !flag.contains(", ") && !flag.contains('\n')));
        }
    }

    #[test]
    fn a_browser_is_confined_only_when_told() {
        let proxied = |line: &[String]| line.iter().any(|flag| flag.starts_with("--proxy-server="));
        assert!(!proxied(&line(true, true, Sandbox::On)));
        assert!(proxied(&words(true, true, Sandbox::On, true)));
    }
}
