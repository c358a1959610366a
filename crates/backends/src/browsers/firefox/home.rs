//! A home for Firefox, in its profile. In the user's it would leave folders behind, and meet the user's own Firefox: after a minute it
//! looks there for reports of crashes that were not sent yet, and has a program of its own send them.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use supervise::Spec;

/// What pages and windows look like is the user's affair: these are taken from the user's home.
const SHARED: &[&str] = &[".Xauthority", ".config/fontconfig", ".fonts", ".fonts.conf", ".local/share/fonts"];
/// They would lead away from the home.
const MISLEADING: &[&str] = &["XDG_CACHE_HOME", "XDG_CONFIG_HOME"];
/// Programs of snap have their home below the user's, and none elsewhere.
const SNAP: &str = "/snap";

/// The name of the home in a profile.
pub(super) const NAME: &str = "h";

/// Makes a home in a profile, with what the user's has to share.
pub(super) fn make(profile: &Path, users: Option<&Path>) -> io::Result<()> {
    let home = of(profile);
    let mut folders = DirBuilder::new();
    folders.recursive(true).mode(0o700).create(&home)?;
    let shared = SHARED.iter().filter_map(|name| Some((users?.join(name), home.join(name))));
    for (theirs, ours) in shared.filter(|(theirs, _)| theirs.exists()) {
        folders.create(ours.parent().unwrap_or(&home))?;
        symlink(theirs, ours)?;
    }
    Ok(())
}

/// Lets a program live there.
pub(super) fn settle(spec: Spec, profile: &Path, program: &Path) -> Spec {
    if program.starts_with(SNAP) {
        return spec;
    }
    MISLEADING.iter().fold(spec.env("HOME", of(profile)), Spec::env_remove)
}

fn of(profile: &Path) -> PathBuf {
    profile.join(NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_fonts_are_there_and_nothing_else_is() {
        let (users, profile) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in [".local/share/fonts", ".config/mozilla", "Downloads"] {
            std::fs::create_dir_all(users.path().join(folder)).unwrap();
        }
        std::fs::write(users.path().join(".local/share/fonts/a.ttf"), "a").unwrap();
        make(profile.path(), Some(users.path())).unwrap();
        let home = of(profile.path());
        assert!(home.join(".local/share/fonts/a.ttf").is_file());
        assert!(!home.join(".config").exists() && !home.join("Downloads").exists());
        // It goes with the profile, and what it shares does not.
        std::fs::remove_dir_all(profile.path()).unwrap();
        assert!(users.path().join(".local/share/fonts/a.ttf").is_file());
    }

    #[test]
    fn whoever_has_no_home_has_one_all_the_same() {
        let profile = tempfile::tempdir().unwrap();
        make(profile.path(), None).unwrap();
        assert!(of(profile.path()).is_dir());
    }
}
