//! Where a WebKit is on this machine.

use std::path::PathBuf;

use crate::browsers::places::{NotFound, Places, is_program};

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Exactly this program.
    pub executable: Option<PathBuf>,
    /// Whether a window is wanted, on the user's own display.
    pub headed: bool,
}

/// A WebKit that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executable {
    /// Its program: a `MiniBrowser` of the GTK 3 build, the only one that takes input.
    pub path: PathBuf,
    /// The display server for those that nobody is to see.
    pub display: Option<PathBuf>,
}

/// Debian's and Ubuntu's, by machine; Fedora's; Arch's.
const PLACES: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/arm-linux-gnueabihf/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/riscv64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/powerpc64le-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/s390x-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib64/webkit2gtk-4.1/MiniBrowser",
];

/// By package manager: what installs the browser, and what the display server.
const PACKAGES: &[(&str, &str, &str)] = &[
    ("/usr/bin/apt-get", "apt-get install webkit2gtk-driver", "apt-get install xvfb"),
    ("/usr/bin/dnf", "dnf install webkit2gtk4.1", "dnf install xorg-x11-server-Xvfb"),
    ("/usr/bin/pacman", "pacman -S webkit2gtk-4.1", "pacman -S xorg-server-xvfb"),
];

/// Finds the browser that was asked for: the program that was named, or the system's.
///
/// # Errors
/// [`NotFound`] says where it was looked for and what to do; also when only the display server is missing.
pub fn find(choice: &Choice, places: &Places) -> Result<Executable, NotFound> {
    let display = display(places);
    if let Some(path) = &choice.executable {
        let found = is_program(path).then(|| Executable { path: path.clone(), display: display.clone() });
        let found = found.ok_or_else(|| NotFound {
            wanted: format!("program {}", path.display()),
            remedy: "give the path of a MiniBrowser that may be executed".to_owned(),
            looked: vec![path.clone()],
        })?;
        return with_display(found, choice, places);
    }
    let looked: Vec<PathBuf> = PLACES.iter().map(|path| places.at(path)).collect();
    match looked.iter().find(|path| is_program(path)) {
        Some(path) => with_display(Executable { path: path.clone(), display }, choice, places),
        None => Err(NotFound {
            wanted: "webkit".to_owned(),
            remedy: match packages(places) {
                Some((command, _)) => {
                    format!("install it with `{command}`, or name a MiniBrowser with --executable-path")
                }
                None => {
                    "install WebKitGTK 4.1 with its MiniBrowser, or name it with --executable-path".to_owned()
                }
            },
            looked,
        }),
    }
}

/// A browser that nobody is to see needs a display of ours.
fn with_display(found: Executable, choice: &Choice, places: &Places) -> Result<Executable, NotFound> {
    if choice.headed || found.display.is_some() {
        return Ok(found);
    }
    Err(NotFound {
        wanted: "Xvfb, the display that WebKit draws on when nobody looks,".to_owned(),
        remedy: match packages(places) {
            Some((_, command)) => format!("install it with `{command}`, or run with a window (--headed)"),
            None => "install it, or run with a window (--headed)".to_owned(),
        },
        looked: displays(places),
    })
}

fn displays(places: &Places) -> Vec<PathBuf> {
    places.on_path("Xvfb").chain([places.at("/usr/bin/Xvfb")]).collect()
}

fn display(places: &Places) -> Option<PathBuf> {
    displays(places).into_iter().find(|path| is_program(path))
}

fn packages(places: &Places) -> Option<(&'static str, &'static str)> {
    let here = PACKAGES.iter().find(|(manager, ..)| places.at(manager).exists());
    here.map(|(_, browser, display)| (*browser, *display))
}

#[cfg(test)]
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
        let places = Places { root: root.path().to_owned(), ..Places::default() };
        (root, places)
    }

    #[test]
    fn each_distributions_place_is_known() {
        for place in PLACES {
            let (_root, places) = machine(&[place, "/usr/bin/Xvfb"]);
            let found = find(&Choice::default(), &places).unwrap();
            assert_eq!(found.path, places.at(place));
            assert_eq!(found.display, Some(places.at("/usr/bin/Xvfb")));
        }
    }

    #[test]
    fn the_gtk_4_build_is_none_of_them() {
        let (_root, places) =
            machine(&["/usr/lib/x86_64-linux-gnu/webkitgtk-6.0/MiniBrowser", "/usr/bin/apt-get"]);
        let missing = find(&Choice::default(), &places).unwrap_err();
        assert!(missing.to_string().contains("apt-get install webkit2gtk-driver"), "{missing}");
    }

    #[test]
    fn a_missing_display_is_told_with_its_package_unless_a_window_is_wanted() {
        let (_root, places) = machine(&[PLACES[0], "/usr/bin/dnf"]);
        let missing = find(&Choice::default(), &places).unwrap_err();
        assert!(missing.to_string().contains("dnf install xorg-x11-server-Xvfb"), "{missing}");
        assert!(find(&Choice { headed: true, ..Choice::default() }, &places).is_ok());
    }

    #[test]
    fn a_program_that_was_named_is_taken_or_nothing() {
        let (_root, places) = machine(&[PLACES[0], "/opt/mine", "/usr/bin/Xvfb"]);
        let named = |path: &str| Choice { executable: Some(places.at(path)), headed: false };
        assert_eq!(find(&named("/opt/mine"), &places).unwrap().path, places.at("/opt/mine"));
        assert!(find(&named("/opt/none"), &places).is_err());
    }
}
