//! What can be told of WebKit, as WebKitGTK ships it.

use engine::backend::{Ability, BrowserKind, Capabilities};

use super::{About, Instead};

const CAPABILITIES: Capabilities =
    Capabilities { pdf: false, touch: false, real_drag: false, beforeunload: false, ..Capabilities::ALL };

pub(super) static ABOUT: About = About {
    kind: BrowserKind::Webkit,
    name: "WebKit",
    capabilities: CAPABILITIES,
    privileged: CAPABILITIES,
    instead: &[
        (
            Ability::Beforeunload,
            Instead {
                why: "WebKitGTK answers the question itself while it is automated",
                next: "nothing: pages are left without asking; to see the question, use a session with browser: \"chromium\" or \"firefox\"",
            },
        ),
        (
            Ability::RealDrag,
            Instead {
                why: "WebKitGTK starts no drag for automated input",
                next: "nothing: drag works, its events are made by the injected script",
            },
        ),
        (
            Ability::Touch,
            Instead {
                why: "WebKitGTK has no touch events for automated input",
                next: "use a session with browser: \"chromium\"",
            },
        ),
        (
            Ability::Pdf,
            Instead {
                why: "the inspector can't print",
                next: "use a session with browser: \"chromium\" or \"firefox\"",
            },
        ),
    ],
    emulated: &[
        ("drag and drop", "the events are made by the injected script"),
        ("position, `navigator.language`, offline", "told to pages by a script that runs before theirs"),
        (
            "dialogs",
            "told by a script that runs before the page's own, because the inspector has no event for them",
        ),
        (
            "file choosers",
            "the browser closes them at once; pages hear `cancel` only when the chooser is answered without a file",
        ),
    ],
    quirks: &[
        (
            "sessions",
            "a browser process each, with a display of its own: about 0.7 s and 115 MB for every session",
        ),
        ("device scale", "whole numbers only; another one is refused when the session is opened"),
        (
            "endless scripts",
            "ended with their page's process; the page is loaded anew when it is next used, and its console says so",
        ),
        (
            "display",
            "with a window sessions are on yours; without one each has a private Xvfb (18 MB), which ends with it, so that \
             what one selects, copies or points at is no other's",
        ),
        (
            "windows",
            "what is selected and what is copied belong to your display then: a session that selects something takes the \
             selection of another one away, as it does with every program there",
        ),
        (
            "what stays",
            "the list of what plays media, `e2e-mcp-server/webkit` in your cache folder (`$XDG_CACHE_HOME`, or `~/.cache`): \
             without it the first page takes half a second longer; remove it whenever you like",
        ),
        (
            "isolated world",
            "the injected script lives in the page's own world, in a closure that the page can't reach",
        ),
    ],
    installs: &[
        ("Debian, Ubuntu", "apt-get install webkit2gtk-driver xvfb"),
        ("Fedora", "dnf install webkit2gtk4.1 xorg-x11-server-Xvfb"),
        ("Arch", "pacman -S webkit2gtk-4.1 xorg-server-xvfb"),
    ],
    programs: &["minibrowser", "webkit"],
};
