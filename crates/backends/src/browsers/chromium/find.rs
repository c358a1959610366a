//! Where a Chromium is on this machine.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::browsers::install::{self, Packages};
use crate::browsers::places::{NotFound, Places, is_program, versions};

/// A distribution of Chromium that users ask for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Chromium itself.
    Chromium,
    /// Google Chrome.
    Chrome,
    /// Google Chrome Beta.
    ChromeBeta,
    /// Google Chrome Dev.
    ChromeDev,
    /// Microsoft Edge.
    Msedge,
}

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Exactly this program.
    pub executable: Option<PathBuf>,
    /// Only this distribution.
    pub channel: Option<Channel>,
    /// Whether a window is wanted; the headless shell has none.
    pub headed: bool,
}

/// A Chromium that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executable {
    /// Its program.
    pub path: PathBuf,
    /// It is the headless shell: it needs no flag to be headless, and can't be anything else.
    pub shell: bool,
}

impl Channel {
    const ALL: &'static [(&'static str, Self)] = &[
        ("chromium", Self::Chromium),
        ("chrome", Self::Chrome),
        ("chrome-beta", Self::ChromeBeta),
        ("chrome-dev", Self::ChromeDev),
        ("msedge", Self::Msedge),
    ];

    /// Programs of this name on PATH.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["chromium", "chromium-browser"],
            Self::Chrome => &["google-chrome-stable", "google-chrome"],
            Self::ChromeBeta => &["google-chrome-beta"],
            Self::ChromeDev => &["google-chrome-unstable"],
            Self::Msedge => &["microsoft-edge-stable", "microsoft-edge"],
        }
    }

    /// Where its installers put it.
    fn places(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &[
                "/usr/bin/chromium",
                "/usr/bin/chromium-browser",
                "/snap/bin/chromium",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
            ],
            Self::Chrome => &[
                "/opt/google/chrome/chrome",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "/Program Files/Google/Chrome/Application/chrome.exe",
                "/Program Files (x86)/Google/Chrome/Application/chrome.exe",
            ],
            Self::ChromeBeta => &[
                "/opt/google/chrome-beta/chrome",
                "/Applications/Google Chrome Beta.app/Contents/MacOS/Google Chrome Beta",
            ],
            Self::ChromeDev => &[
                "/opt/google/chrome-unstable/chrome",
                "/Applications/Google Chrome Dev.app/Contents/MacOS/Google Chrome Dev",
            ],
            Self::Msedge => &[
                "/opt/microsoft/msedge/msedge",
                "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
                "/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
            ],
        }
    }
}

impl FromStr for Channel {
    type Err = UnknownChannel;

    fn from_str(text: &str) -> Result<Self, UnknownChannel> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, channel)| *channel);
        found.ok_or_else(|| UnknownChannel(text.to_owned()))
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL.iter().find(|(_, channel)| channel == self).map_or("", |(name, _)| name))
    }
}

/// A channel that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no channel {0:?}; use chromium, chrome, chrome-beta, chrome-dev or msedge")]
pub struct UnknownChannel(String);

/// The headless shell's places: its real program, not the shell script around it, whose pid is not the browser's.
const SHELLS: &[&str] =
    &["/usr/lib/chromium/chromium-headless-shell", "/usr/lib64/chromium-browser/headless_shell"];

/// Inside one version's folder of Playwright's or Puppeteer's cache.
const CACHED: &[&str] = &[
    "chrome-linux/chrome",
    "chrome-linux64/chrome",
    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-win/chrome.exe",
    "chrome-win64/chrome.exe",
];
const CACHED_SHELLS: &[&str] = &[
    "chrome-linux/headless_shell",
    "chrome-headless-shell-linux64/chrome-headless-shell",
    "chrome-headless-shell-mac-arm64/chrome-headless-shell",
    "chrome-headless-shell-win64/chrome-headless-shell.exe",
];

/// Finds the browser that was asked for: the program that was named, or the first of the usual ones.
///
/// # Errors
/// [`NotFound`] says where it was looked for and what to do.
pub fn find(choice: &Choice, places: &Places) -> Result<Executable, NotFound> {
    if let Some(path) = &choice.executable {
        let found =
            is_program(path).then(|| Executable { path: path.clone(), shell: looks_like_shell(path) });
        return found.ok_or_else(|| NotFound {
            wanted: format!("program {}", path.display()),
            remedy: "give the path of a browser that may be executed".to_owned(),
            looked: vec![path.clone()],
        });
    }
    let candidates = candidates(choice, places);
    match candidates.iter().find(|candidate| is_program(&candidate.path)) {
        Some(found) => Ok(found.clone()),
        None => Err(NotFound {
            wanted: choice.channel.unwrap_or(Channel::Chromium).to_string(),
            remedy: remedy(choice, places),
            looked: candidates.into_iter().map(|candidate| candidate.path).collect(),
        }),
    }
}

/// A program that was named by path is the shell if it is called so.
fn looks_like_shell(path: &Path) -> bool {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.ends_with("headless-shell") || name.ends_with("headless_shell")
}

/// Everything worth a look, the best first: the headless shell where no window is wanted, then the system's own
/// browsers, then what other tools have downloaded.
fn candidates(choice: &Choice, places: &Places) -> Vec<Executable> {
    let mut found = Vec::new();
    let mut add = |path: PathBuf, shell: bool| found.push(Executable { path, shell });
    let any_chromium = choice.channel.is_none_or(|channel| channel == Channel::Chromium);
    if any_chromium && !choice.headed {
        SHELLS.iter().for_each(|path| add(places.at(path), true));
        for folder in cached(places, &["chromium_headless_shell-", "chrome-headless-shell/"]) {
            CACHED_SHELLS.iter().for_each(|path| add(folder.join(path), true));
        }
    }
    let channels = match choice.channel {
        Some(channel) => vec![channel],
        None => vec![Channel::Chromium, Channel::Chrome, Channel::Msedge],
    };
    for channel in channels {
        channel.names().iter().flat_map(|name| places.on_path(name)).for_each(|path| add(path, false));
        channel.places().iter().for_each(|path| add(places.at(path), false));
    }
    if any_chromium {
        for folder in cached(places, &["chromium-", "chrome/"]) {
            CACHED.iter().for_each(|path| add(folder.join(path), false));
        }
    }
    found
}

/// The versions that Playwright (`chromium-1228`) and Puppeteer (`chrome/linux-138.0.1`) have in their caches.
fn cached(places: &Places, prefixes: &[&str]) -> Vec<PathBuf> {
    let in_cache = |prefix: &&str| match prefix.strip_suffix('/') {
        Some(product) => places.puppeteer_cache().map(|cache| versions(&cache.join(product), "")),
        None => places.playwright_cache().map(|cache| versions(&cache, prefix)),
    };
    prefixes.iter().filter_map(in_cache).flatten().collect()
}

/// How to get one here.
fn remedy(choice: &Choice, places: &Places) -> String {
    let packages = Packages {
        apt: "chromium chromium-headless-shell",
        dnf: "chromium chromium-headless",
        pacman: "chromium",
        apk: "chromium",
        brew: "--cask chromium",
    };
    let packaged = choice.channel.is_none_or(|channel| channel == Channel::Chromium);
    install::remedy(packaged.then_some(&packages), places)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A machine with these programs.
    fn machine(programs: &[&str]) -> (tempfile::TempDir, Places) {
        let root = tempfile::tempdir().unwrap();
        for program in programs {
            let path = root.path().join(program.trim_start_matches('/'));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let places = Places {
            root: root.path().to_owned(),
            path: vec![root.path().join("usr/bin")],
            home: Some(root.path().join("home")),
            ..Places::default()
        };
        (root, places)
    }

    fn found(programs: &[&str], choice: &Choice) -> Option<(String, bool)> {
        let (root, places) = machine(programs);
        let executable = find(choice, &places).ok()?;
        let path = executable.path.strip_prefix(root.path()).unwrap().display().to_string();
        Some((path, executable.shell))
    }

    const SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

    #[test]
    fn the_headless_shell_is_taken_where_no_window_is_wanted() {
        let programs = ["/usr/bin/chromium", SHELL];
        assert_eq!(found(&programs, &Choice::default()), Some((SHELL[1..].to_owned(), true)));
        let headed = Choice { headed: true, ..Choice::default() };
        assert_eq!(found(&programs, &headed), Some(("usr/bin/chromium".to_owned(), false)));
    }

    #[test]
    fn a_channel_is_that_and_nothing_else() {
        let chrome = Choice { channel: Some(Channel::Chrome), ..Choice::default() };
        assert_eq!(found(&["/usr/bin/chromium", SHELL], &chrome), None);
        let programs = ["/usr/bin/chromium", "/usr/bin/google-chrome-stable"];
        assert_eq!(found(&programs, &chrome), Some(("usr/bin/google-chrome-stable".to_owned(), false)));
    }

    #[test]
    fn of_the_caches_of_other_tools_the_newest_version_counts() {
        let old = "/home/.cache/ms-playwright/chromium-999/chrome-linux/chrome";
        let new = "/home/.cache/ms-playwright/chromium-1228/chrome-linux/chrome";
        assert_eq!(found(&[old, new], &Choice::default()), Some((new[1..].to_owned(), false)));
        let puppeteer = "/home/.cache/puppeteer/chrome/linux-138.0.7204.168/chrome-linux64/chrome";
        assert_eq!(found(&[puppeteer], &Choice::default()), Some((puppeteer[1..].to_owned(), false)));
    }

    #[test]
    fn a_program_that_was_named_is_taken_or_refused() {
        let (root, places) = machine(&[SHELL]);
        let named = |path: PathBuf| find(&Choice { executable: Some(path), ..Choice::default() }, &places);
        assert!(named(root.path().join(&SHELL[1..])).unwrap().shell);
        assert!(named(root.path().join("nothing")).is_err());
        std::fs::write(root.path().join("text"), "").unwrap();
        assert!(named(root.path().join("text")).is_err(), "it may not be executed");
    }

    #[test]
    fn what_is_missing_is_told_with_the_command_that_installs_it_here() {
        let (_root, places) = machine(&["/usr/bin/apt-get"]);
        let missing = find(&Choice::default(), &places).unwrap_err();
        assert!(missing.to_string().contains("apt-get install chromium"), "{missing}");
        assert!(missing.looked.len() > 5);
    }

    #[test]
    fn channels_are_read_and_strangers_are_told_the_known_ones() {
        assert_eq!("msedge".parse(), Ok(Channel::Msedge));
        assert_eq!(Channel::ChromeBeta.to_string(), "chrome-beta");
        assert!("opera".parse::<Channel>().unwrap_err().to_string().contains("chrome-dev"));
    }
}
