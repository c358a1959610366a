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
        (
            "a device's scale",
            "frames of other sites are told it in the headless shell; in the full browser and in one that runs elsewhere they are told the screen's, as the protocol sets it for a page's topmost frame only",
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
