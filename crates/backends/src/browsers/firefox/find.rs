//! Where a Firefox is on this machine.

use std::path::PathBuf;

use crate::browsers::install::{self, Packages};
use crate::browsers::places::{NotFound, Places, is_program};

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Exactly this program.
    pub executable: Option<PathBuf>,
}

/// A Firefox that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executable {
    /// Its program.
    pub path: PathBuf,
}

/// Programs of these names on PATH.
const NAMES: &[&str] = &["firefox-esr", "firefox"];

/// Where packages and installers put it.
const PLACES: &[&str] = &[
    "/usr/bin/firefox-esr",
    "/usr/bin/firefox",
    "/usr/lib/firefox-esr/firefox-esr",
    "/usr/lib/firefox/firefox",
    "/usr/lib64/firefox/firefox",
    "/opt/firefox/firefox",
    "/snap/bin/firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "/Applications/Firefox Developer Edition.app/Contents/MacOS/firefox",
    "/Program Files/Mozilla Firefox/firefox.exe",
    "/Program Files (x86)/Mozilla Firefox/firefox.exe",
];

const PACKAGES: Packages = Packages {
    apt: "firefox-esr",
    dnf: "firefox",
    pacman: "firefox",
    apk: "firefox",
    brew: "--cask firefox",
};

/// Finds the browser that was asked for: the program that was named, or the first of the usual ones.
///
/// # Errors
/// [`NotFound`] says where it was looked for and what to do.
pub fn find(choice: &Choice, places: &Places) -> Result<Executable, NotFound> {
    if let Some(path) = &choice.executable {
        return is_program(path).then(|| Executable { path: path.clone() }).ok_or_else(|| NotFound {
            wanted: format!("program {}", path.display()),
            remedy: "give the path of a browser that may be executed".to_owned(),
            looked: vec![path.clone()],
        });
    }
    let on_path = NAMES.iter().flat_map(|name| places.on_path(name));
    let looked: Vec<PathBuf> = on_path.chain(PLACES.iter().map(|path| places.at(path))).collect();
    match looked.iter().find(|path| is_program(path)) {
        Some(path) => Ok(Executable { path: path.clone() }),
        None => {
            let remedy = install::remedy(Some(&PACKAGES), places);
            Err(NotFound { wanted: "firefox".to_owned(), remedy, looked })
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn machine(programs: &[&str]) -> (tempfile::TempDir, Places) {
        let root = tempfile::tempdir().unwrap();
        for program in programs {
            let path = root.path().join(program.trim_start_matches('/'));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = vec![root.path().join("usr/bin")];
        let places = Places { root: root.path().to_owned(), path, ..Places::default() };
        (root, places)
    }

    #[test]
    fn the_usual_places_are_searched() {
        for program in ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/usr/lib64/firefox/firefox"] {
            let (root, places) = machine(&[program]);
            let found = find(&Choice::default(), &places).unwrap();
            assert_eq!(found.path, root.path().join(program.trim_start_matches('/')));
        }
    }

    #[test]
    fn one_that_is_missing_is_told_with_the_command_that_installs_it() {
        for (manager, command) in
            [("/usr/bin/apt-get", "apt-get install firefox-esr"), ("/usr/bin/dnf", "dnf install firefox")]
        {
            let (_root, places) = machine(&[manager]);
            let missing = find(&Choice::default(), &places).unwrap_err();
            assert!(missing.to_string().contains(command), "{missing}");
            assert!(missing.looked.len() > PLACES.len());
        }
    }

    #[test]
    fn a_named_program_is_taken_or_refused() {
        let (root, places) = machine(&["/x/own"]);
        let named = |name: &str| find(&Choice { executable: Some(root.path().join(name)) }, &places);
        assert!(named("x/own").is_ok());
        assert!(named("x/other").unwrap_err().to_string().contains("may be executed"));
    }
}
