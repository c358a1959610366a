//! How a browser is installed on this machine.

use super::Places;

/// What a browser is called by each manager of packages.
#[derive(Debug)]
pub(super) struct Packages {
    pub(super) apt: &'static str,
    pub(super) dnf: &'static str,
    pub(super) pacman: &'static str,
    pub(super) apk: &'static str,
    pub(super) brew: &'static str,
}

/// What to do about a browser that is missing here; `None` for one that no manager has.
pub(super) fn remedy(packages: Option<&Packages>, places: &Places) -> String {
    let command = packages.and_then(|packages| {
        let managers = [
            ("/usr/bin/apt-get", "apt-get install", packages.apt),
            ("/usr/bin/dnf", "dnf install", packages.dnf),
            ("/usr/bin/pacman", "pacman -S", packages.pacman),
            ("/sbin/apk", "apk add", packages.apk),
            ("/opt/homebrew/bin/brew", "brew install", packages.brew),
        ];
        let found = managers.into_iter().find(|(manager, ..)| places.at(manager).exists());
        found.map(|(_, command, names)| format!("{command} {names}"))
    });
    match command {
        Some(command) => format!("install it with `{command}`, or name one with --executable-path"),
        None => "install it, or name one with --executable-path".to_owned(),
    }
}
