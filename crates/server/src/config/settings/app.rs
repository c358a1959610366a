//! The settings of dev servers, and the secrets that are used in their pages.

use crate::config::setting::{Kind, Section, Setting};

pub(crate) static SERVER_COMMAND: Setting = Setting {
    name: "server-command",
    variables: &["SERVER_COMMAND_PATH"],
    kind: Kind::Path("PROGRAM"),
    default: "what start_session names",
    section: Section::App,
    help: "The program that starts, restarts, watches and stops the dev server (--start, --restart, --status, \
           --shutdown); when it is set, start_session runs no other",
};

pub(crate) static SERVER_ARGS: Setting = Setting {
    name: "server-args",
    variables: &[],
    kind: Kind::Arguments("ARGS"),
    default: "none",
    section: Section::App,
    help: "Further arguments of --server-command, separated by spaces; a list in the config file",
};

pub(crate) static DEV: Setting = Setting {
    name: "dev",
    variables: &[],
    kind: Kind::Text("COMMAND"),
    default: "none",
    section: Section::App,
    help: "A plain dev server in place of --server-command, such as \"npm run dev\"; its free port is in PORT and {port}",
};

pub(crate) static READY_URL: Setting = Setting {
    name: "ready-url",
    variables: &[],
    kind: Kind::Text("URL"),
    default: "its port answers",
    section: Section::App,
    help: "With --dev: ready when this URL, or this path of the server, answers",
};

pub(crate) static READY_LOG: Setting = Setting {
    name: "ready-log",
    variables: &[],
    kind: Kind::Text("REGEX"),
    default: "its port answers",
    section: Section::App,
    help: "With --dev: ready when a line of its output matches",
};

pub(crate) static SECRETS: Setting = Setting {
    name: "secrets",
    variables: &[],
    kind: Kind::Path("FILE"),
    default: "none",
    section: Section::App,
    help: "A dotenv file whose values are written as {{secret:NAME}} in type and fill_form, and in whatever is told, \
           logged or saved",
};
