//! What can be told of a browser without starting it: what it can do, what it does in another way than a user would
//! think, what to use instead of what it can't, and how it is installed.

mod chromium;
mod firefox;
mod webkit;

use std::path::Path;

use engine::backend::{Ability, BrowserKind, Capabilities};

/// One browser, told beforehand.
#[derive(Debug)]
pub struct About {
    /// The engine.
    pub kind: BrowserKind,
    /// As people call it.
    pub name: &'static str,
    /// What it can do as it is started by default.
    pub capabilities: Capabilities,
    /// The same when it is asked for its privileged scope (`--firefox-system-access`).
    pub privileged: Capabilities,
    /// What to use instead of each thing that it can't do.
    pub instead: &'static [(Ability, Instead)],
    /// What works, but not as the browser itself would do it: what, and how.
    pub emulated: &'static [(&'static str, &'static str)],
    /// What its user should know besides: what, and how it is.
    pub quirks: &'static [(&'static str, &'static str)],
    /// How each system installs it.
    pub installs: &'static [(&'static str, &'static str)],
    /// How the file names of its programs begin, in lower case.
    programs: &'static [&'static str],
}

/// What to use instead of what is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instead {
    /// Why it is missing.
    pub why: &'static str,
    /// What to do then.
    pub next: &'static str,
}

impl About {
    /// All browsers, in the order in which people are told of them.
    pub const ALL: &'static [&'static Self] = &[&chromium::ABOUT, &firefox::ABOUT, &webkit::ABOUT];

    /// What it can do, with or without its privileged scope.
    pub const fn able(&self, privileged: bool) -> Capabilities {
        if privileged { self.privileged } else { self.capabilities }
    }

    /// What to use instead of this, which it lacks.
    pub fn instead_of(&self, ability: Ability) -> Instead {
        let told = self.instead.iter().find(|(lacking, _)| *lacking == ability);
        told.map_or(ANOTHER, |(_, instead)| *instead)
    }

    /// Whether a program of this name is plainly another browser, and which.
    pub fn plainly_another(&self, program: &Path) -> Option<&'static Self> {
        let name = program.file_name()?.to_string_lossy().to_lowercase();
        let is = |about: &&&Self| about.programs.iter().any(|start| name.starts_with(start));
        Self::ALL.iter().find(is).copied().filter(|about| about.kind != self.kind)
    }
}

const ANOTHER: Instead =
    Instead { why: "its protocol has nothing for it", next: "use a session with browser: \"chromium\"" };

/// What can be told of a browser.
pub fn about(kind: BrowserKind) -> &'static About {
    match kind {
        BrowserKind::Chromium => &chromium::ABOUT,
        BrowserKind::Firefox => &firefox::ABOUT,
        BrowserKind::Webkit => &webkit::ABOUT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_use_instead_is_told_of_exactly_what_is_missing() {
        for about in About::ALL {
            for ability in Ability::ALL {
                let told = about.instead.iter().any(|(lacking, _)| lacking == ability);
                assert_eq!(told, !about.capabilities.has(*ability), "{} {ability:?}", about.name);
            }
        }
    }

    #[test]
    fn the_privileged_scope_takes_nothing_away() {
        for about in About::ALL {
            for ability in Ability::ALL.iter().filter(|ability| about.capabilities.has(**ability)) {
                assert!(about.privileged.has(*ability), "{} {ability:?}", about.name);
            }
        }
    }

    #[test]
    fn a_program_that_is_plainly_another_browser_is_known_by_its_name() {
        let other = |kind, path: &str| about(kind).plainly_another(Path::new(path)).map(|other| other.kind);
        use BrowserKind::{Chromium, Firefox, Webkit};
        assert_eq!(other(Chromium, "/usr/bin/firefox-esr"), Some(Firefox));
        assert_eq!(other(Firefox, "/usr/lib/chromium/chromium-headless-shell"), Some(Chromium));
        assert_eq!(other(Firefox, "/opt/google/chrome/google-chrome"), Some(Chromium));
        assert_eq!(other(Chromium, "/usr/libexec/webkit2gtk-4.1/MiniBrowser"), Some(Webkit));
        assert_eq!(other(Webkit, "/usr/bin/MiniBrowser"), None);
        assert_eq!(other(Firefox, "/opt/mine/browser"), None, "it may be one");
    }
}
