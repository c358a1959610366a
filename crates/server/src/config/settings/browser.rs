//! The settings of browsers and their sessions.

use backends::browsers::chromium::Channel;
use engine::backend::BrowserKind;
use engine::locator::Language;

use super::super::browser::{Isolation, Prelaunch};
use super::super::setting::{Kind, Section, Setting, words_of};

/// Half a day: longer than any agent works on one thing.
const LONGEST: u64 = 12 * 3_600_000;

pub(crate) static BROWSER: Setting = Setting {
    name: "browser",
    variables: &[],
    kind: Kind::OneOf(words_of::<BrowserKind>),
    default: "chromium",
    section: Section::Browser,
    help: "The browser that sessions use unless they ask for another",
};

pub(crate) static HEADLESS: Setting = Setting {
    name: "headless",
    variables: &[],
    kind: Kind::Switch,
    default: "false where there is a display, true elsewhere",
    section: Section::Browser,
    help: "Run browsers without a window; without a display, no browser has one",
};

pub(crate) static EXECUTABLE_PATH: Setting = Setting {
    name: "executable-path",
    variables: &[],
    kind: Kind::Path("FILE"),
    default: "the first that is found",
    section: Section::Browser,
    help: "The program of the browser that --browser names; sessions in others use what is found",
};

pub(crate) static CHANNEL: Setting = Setting {
    name: "channel",
    variables: &[],
    kind: Kind::OneOf(words_of::<Channel>),
    default: "whichever is found",
    section: Section::Browser,
    help: "The distribution of Chromium to look for; not with another --browser",
};

pub(crate) static CDP_ENDPOINT: Setting = Setting {
    name: "cdp-endpoint",
    variables: &[],
    kind: Kind::Text("URL"),
    default: "none",
    section: Section::Browser,
    help: "Use a Chromium that already runs, by its DevTools address (ws:// or http://); not with another --browser",
};

pub(crate) static FIREFOX_SYSTEM_ACCESS: Setting = Setting {
    name: "firefox-system-access",
    variables: &[],
    kind: Kind::Switch,
    default: "false",
    section: Section::Browser,
    help: "Open Firefox's privileged scope to the server, for what WebDriver BiDi lacks, such as colour schemes",
};

pub(crate) static BROWSER_ARGS: Setting = Setting {
    name: "browser-args",
    variables: &[],
    kind: Kind::Arguments("ARGS"),
    default: "none",
    section: Section::Browser,
    help: "Further arguments for the browser that --browser names, separated by spaces (--browser-args=\"--lang=de --mute-audio\")",
};

pub(crate) static NO_SANDBOX: Setting = Setting {
    name: "no-sandbox",
    variables: &[],
    kind: Kind::Switch,
    default: "true for root, who can't have one",
    section: Section::Browser,
    help: "Run the browser without its sandbox",
};

pub(crate) static ISOLATION: Setting = Setting {
    name: "isolation",
    variables: &[],
    kind: Kind::OneOf(words_of::<Isolation>),
    default: "shared",
    section: Section::Browser,
    help: "Whether sessions share a browser process, each in a context of its own, or have one each",
};

pub(crate) static PRELAUNCH: Setting = Setting {
    name: "prelaunch",
    variables: &[],
    kind: Kind::OneOf(words_of::<Prelaunch>),
    default: "auto: headless ones only",
    section: Section::Browser,
    help: "Whether the browser starts as soon as a client is there, or when it is first needed",
};

pub(crate) static VIEWPORT_SIZE: Setting = Setting {
    name: "viewport-size",
    variables: &[],
    kind: Kind::Text("WIDTHxHEIGHT"),
    default: "1280x720",
    section: Section::Browser,
    help: "The size of pages",
};

pub(crate) static USER_AGENT: Setting = Setting {
    name: "user-agent",
    variables: &[],
    kind: Kind::Text("TEXT"),
    default: "the browser's own",
    section: Section::Browser,
    help: "What pages are told about the browser",
};

pub(crate) static IGNORE_HTTPS_ERRORS: Setting = Setting {
    name: "ignore-https-errors",
    variables: &[],
    kind: Kind::Switch,
    default: "false",
    section: Section::Browser,
    help: "Accept invalid certificates",
};

pub(crate) static TEST_ID_ATTRIBUTE: Setting = Setting {
    name: "test-id-attribute",
    variables: &[],
    kind: Kind::Text("NAME"),
    default: "data-testid",
    section: Section::Browser,
    help: "The attribute that getByTestId and generated locators look at",
};

pub(crate) static TIMEOUT_ACTION: Setting = Setting {
    name: "timeout-action",
    variables: &[],
    kind: Kind::Millis(1..=LONGEST),
    default: "5000",
    section: Section::Browser,
    help: "How long a tool that acts on a page waits, unless its call says",
};

pub(crate) static TIMEOUT_NAVIGATION: Setting = Setting {
    name: "timeout-navigation",
    variables: &[],
    kind: Kind::Millis(1..=LONGEST),
    default: "60000",
    section: Section::Browser,
    help: "How long a navigation may take, unless its call says",
};

pub(crate) static CODEGEN: Setting = Setting {
    name: "codegen",
    variables: &[],
    kind: Kind::OneOf(words_of::<Option<Language>>),
    default: "typescript",
    section: Section::Browser,
    help: "The language of the Playwright lines in results",
};

pub(crate) static OUTPUT_DIR: Setting = Setting {
    name: "output-dir",
    variables: &[],
    kind: Kind::Path("DIR"),
    default: ".cache/e2e-mcp-server in the workspace",
    section: Section::Browser,
    help: "Where screenshots, downloads and results that are too long go",
};

pub(crate) static SESSION_TIMEOUT: Setting = Setting {
    name: "session-timeout",
    variables: &[],
    kind: Kind::Millis(1..=LONGEST),
    default: "300000, with a dev server 600000",
    section: Section::Sessions,
    help: "A session without calls is closed after this time, its dev server shut down",
};

pub(crate) static SESSION_MAX_LIFETIME: Setting = Setting {
    name: "session-max-lifetime",
    variables: &[],
    kind: Kind::Millis(1..=7 * 24 * 3_600_000),
    default: "3600000",
    section: Section::Sessions,
    help: "No session lives longer than this",
};

pub(crate) static MAX_SESSIONS: Setting = Setting {
    name: "max-sessions",
    variables: &[],
    kind: Kind::Integer(1..=1_000),
    default: "10",
    section: Section::Sessions,
    help: "How many sessions may be open at once",
};
