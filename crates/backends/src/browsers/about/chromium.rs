//! What can be told of Chromium.

use engine::backend::{BrowserKind, Capabilities};

use super::About;

pub(super) static ABOUT: About = About {
    kind: BrowserKind::Chromium,
    name: "Chromium",
    capabilities: Capabilities::ALL,
    privileged: Capabilities::ALL,
    instead: &[],
    emulated: &[],
    quirks: &[
        (
            "headless",
            "the headless shell is taken where it is installed: three to five times cheaper than the full browser",
        ),
        (
            "kin",
            "Chrome and Edge are found, too, and asked for with `--channel`; one that runs elsewhere with `--cdp-endpoint`",
        ),
    ],
    installs: &[
        ("Debian, Ubuntu", "apt-get install chromium chromium-headless-shell"),
        ("Fedora", "dnf install chromium chromium-headless"),
        ("Arch", "pacman -S chromium"),
        ("Alpine", "apk add chromium"),
        ("macOS", "brew install --cask chromium"),
    ],
    programs: &["chromium", "chrome", "google-chrome", "headless_shell", "microsoft-edge", "msedge"],
};
