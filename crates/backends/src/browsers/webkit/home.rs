//! The folder of a process: what it finds in its home, and what it is told by it.

use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use crate::webkit::Around;

/// Where the browser saves files.
pub(super) const DOWNLOADS: &str = "d";
/// Where it finds the languages of the system.
pub(super) const LOCALES: &str = "l";
/// The system's own neutral locale, which is always there.
const NEUTRAL: &str = "/usr/lib/locale/C.utf8";

/// A page is no smaller than what the browser draws around it, which nobody looks at here.
const SLIM: &str = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border-width: 0; font-size: 2px; \
                    -gtk-icon-transform: scale(0.1); }\n";

/// How much of it is left all the same, in the browsers that we have seen. A page that has another size then is corrected,
/// which takes a moment.
pub(super) const LEFT: Around = (0, 20);

/// Two clicks beside each other by a pixel are no double click: by that the back end tells two clicks in one place from one.
const SETTINGS: &str = "[Settings]\ngtk-double-click-distance=1\n";

/// Makes what the process finds in its home.
pub(super) fn furnish(home: &Path, locale: Option<&str>, unseen: bool) -> std::io::Result<()> {
    let mut private = std::fs::DirBuilder::new();
    private.mode(0o700);
    for folder in ["config", "config/gtk-3.0", "cache", "data", DOWNLOADS, LOCALES] {
        private.create(home.join(folder))?;
    }
    std::fs::write(home.join("config/gtk-3.0/settings.ini"), SETTINGS)?;
    let downloads = home.join(DOWNLOADS);
    let dirs = format!("XDG_DOWNLOAD_DIR=\"{}\"\n", downloads.display());
    std::fs::write(home.join("config/user-dirs.dirs"), dirs)?;
    if unseen {
        std::fs::write(home.join("config/gtk-3.0/gtk.css"), SLIM)?;
    }
    if let Some(locale) = locale {
        // The browser takes its language from the name of the system's locale, if that can be loaded: under this name it
        // can, whatever languages are installed.
        std::os::unix::fs::symlink(NEUTRAL, home.join(LOCALES).join(system_name(locale)))?;
    }
    Ok(())
}

/// `de-DE` as the system writes it: `de_DE.UTF-8`.
pub(super) fn system_name(locale: &str) -> String {
    let plain: String =
        locale.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    format!("{}.UTF-8", plain.replace('-', "_"))
}

/// Whether there is a time zone of this name (IANA), as far as this machine knows.
pub(super) fn is_time_zone(name: &str) -> bool {
    let zones = Path::new("/usr/share/zoneinfo");
    let plain = !name.is_empty() && !name.starts_with('/') && !name.contains("..");
    plain && (!zones.is_dir() || zones.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_the_systems_by_its_own_name() {
        assert_eq!(system_name("de-DE"), "de_DE.UTF-8");
        assert_eq!(system_name("../x"), "x.UTF-8");
        let home = tempfile::tempdir().unwrap();
        furnish(home.path(), Some("pt-BR"), true).unwrap();
        assert!(home.path().join("l/pt_BR.UTF-8").is_symlink());
    }

    #[test]
    fn a_time_zone_that_is_none_is_known_before_anything_is_started() {
        assert!(is_time_zone("Europe/Berlin") || !Path::new("/usr/share/zoneinfo/Europe").exists());
        assert!(!is_time_zone("../etc/passwd") && !is_time_zone(""));
    }
}
