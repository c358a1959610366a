//! What can be told of Firefox.

use engine::backend::{Ability, BrowserKind, Capabilities};

use super::{About, Instead};

const CAPABILITIES: Capabilities =
    Capabilities { real_drag: false, media_emulation: false, touch: false, ..Capabilities::ALL };

pub(super) static ABOUT: About = About {
    kind: BrowserKind::Firefox,
    name: "Firefox",
    capabilities: CAPABILITIES,
    privileged: Capabilities { media_emulation: true, touch: true, ..CAPABILITIES },
    instead: &[
        (
            Ability::MediaEmulation,
            Instead {
                why: "WebDriver BiDi has no command for it in Firefox",
                next: "start the server with --firefox-system-access, or use a session with browser: \"chromium\" or \"webkit\"",
            },
        ),
        (
            Ability::Touch,
            Instead {
                why: "WebDriver BiDi has no command for it in Firefox",
                next: "start the server with --firefox-system-access, or use a session with browser: \"chromium\"; \
                       the size and scale of a phone's screen work without",
            },
        ),
        (
            Ability::RealDrag,
            Instead {
                why: "Firefox stops before `drop` when the input is not a person's",
                next: "nothing: drag works, its last events are made by the injected script",
            },
        ),
    ],
    emulated: &[
        (
            "drag and drop",
            "the browser's own events up to `dragover`; `drop` and `dragend` are made by the injected script, and everything in a \
             frame that something is dragged into",
        ),
        (
            "a text that is written at once",
            "`beforeinput` is made by a script; the browser's command asks nobody before",
        ),
        (
            "file choosers",
            "the browser closes them at once; pages hear `cancel` only when the chooser is answered without a file",
        ),
    ],
    quirks: &[
        ("sessions", "containers of one browser process (user contexts)"),
        (
            "what stays",
            "a profile of a first start, `e2e-mcp-server/firefox` in your cache folder (`$XDG_CACHE_HOME`, or `~/.cache`), with \
             nothing of yours or of a page's in it: starts from a copy of it take two thirds of the time; remove it whenever \
             you like",
        ),
        (
            "a script without end",
            "Firefox ends what has kept a page busy for 8 s, because WebDriver BiDi can't; until then the page answers nothing",
        ),
        (
            "workers of workers",
            "seen with Firefox 153: as long as anybody drives it, a worker that starts another one hangs for good at \
             times, without an error (of pairs under bare WebDriver BiDi 3 of 72, and 3 to 9 of 24 when the first one goes \
             on working); try such a page with another browser",
        ),
        (
            "`--firefox-system-access`",
            "opens the privileged scope of the browser to the server, for what WebDriver BiDi has no command for; \
             leave it off when pages are not your own",
        ),
    ],
    installs: &[
        ("Debian", "apt-get install firefox-esr"),
        ("Ubuntu", "apt-get install firefox"),
        ("Fedora", "dnf install firefox"),
        ("Arch", "pacman -S firefox"),
        ("macOS", "brew install --cask firefox"),
    ],
    programs: &["firefox"],
};
