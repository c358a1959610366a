//! Every setting there is. Adding one is a value here and its field in `Options`.

pub(super) mod app;
pub(super) mod browser;
pub(super) mod egress;
pub(super) mod service;

use tracing::Level;

use super::options::Mode;
use super::setting::{Kind, Section, Setting, words_of};
use crate::tools::{Cap, Family, Spelling};

/// All of them, in the order of `--help`.
pub(super) static SETTINGS: &[&Setting] = &[
    &TRANSPORT,
    &HOST,
    &PORT,
    &service::PUBLIC_URL,
    &service::ENV,
    &service::OAUTH_ISSUER,
    &service::OAUTH_AUDIENCE,
    &service::OAUTH_SCOPE,
    &service::OAUTH_CLOCK_SKEW,
    &service::RATE_LIMIT_CALLS,
    &service::RATE_LIMIT_SESSIONS,
    &service::MAX_CONCURRENT_CALLS,
    &service::MAX_CONCURRENT_CALLS_PER_CLIENT,
    &service::MAX_BODY_SIZE,
    &service::MAX_CONNECTIONS,
    &service::IDLE_TIMEOUT,
    &service::BODY_TIMEOUT,
    &service::DRAIN_TIMEOUT,
    &service::METRICS,
    &service::TRACE_PROJECT,
    &TOOLS,
    &CAPS,
    &TOOL_NAMES,
    &STRUCTURED_RESULTS,
    &app::SERVER_COMMAND,
    &app::SERVER_ARGS,
    &app::DEV,
    &app::READY_URL,
    &app::READY_LOG,
    &app::SECRETS,
    &browser::BROWSER,
    &browser::HEADLESS,
    &browser::EXECUTABLE_PATH,
    &browser::CHANNEL,
    &browser::CDP_ENDPOINT,
    &browser::FIREFOX_SYSTEM_ACCESS,
    &browser::BROWSER_ARGS,
    &browser::NO_SANDBOX,
    &egress::ALLOWED_HOSTS,
    &egress::STRICT_LOOPBACK,
    &browser::ISOLATION,
    &browser::PRELAUNCH,
    &browser::VIEWPORT_SIZE,
    &browser::USER_AGENT,
    &browser::IGNORE_HTTPS_ERRORS,
    &browser::TEST_ID_ATTRIBUTE,
    &browser::TIMEOUT_ACTION,
    &browser::TIMEOUT_NAVIGATION,
    &browser::CODEGEN,
    &browser::OUTPUT_DIR,
    &browser::SESSION_TIMEOUT,
    &browser::SESSION_MAX_LIFETIME,
    &browser::MAX_SESSIONS,
    &RUNNERS,
    &KILL_GRACE,
    &WORKSPACE,
    &CONFIG,
    &LOG_LEVEL,
];

pub(super) static TRANSPORT: Setting = Setting {
    name: "transport",
    variables: &["TRANSPORT_MODE"],
    kind: Kind::OneOf(words_of::<Mode>),
    default: "stdio, or http when a port is given",
    section: Section::Connection,
    help: "How clients reach the server: over its stdin and stdout, or by Streamable HTTP at /mcp and /message",
};

pub(super) static HOST: Setting = Setting {
    name: "host",
    variables: &[],
    kind: Kind::Text("ADDRESS"),
    default: "127.0.0.1",
    section: Section::Connection,
    help: "The address to listen on; one that other machines reach needs --oauth-issuer and --public-url",
};

pub(super) static PORT: Setting = Setting {
    name: "port",
    // Not PORT: dev servers use it, and an agent's shell may have it set.
    variables: &[],
    kind: Kind::Integer(0..=65_535),
    default: "3000 with http",
    section: Section::Connection,
    help: "The port to listen on, 0 for any free one; implies --transport http",
};

pub(super) static TOOLS: Setting = Setting {
    name: "tools",
    variables: &[],
    kind: Kind::SomeOf(words_of::<Family>),
    default: "app,browser,test",
    section: Section::Tools,
    help: "The families of tools that exist",
};

pub(super) static CAPS: Setting = Setting {
    name: "caps",
    variables: &[],
    kind: Kind::SomeOf(words_of::<Cap>),
    default: "none",
    section: Section::Tools,
    help: "Further groups of tools and arguments to switch on; each listed tool costs every conversation tokens",
};

pub(super) static TOOL_NAMES: Setting = Setting {
    name: "tool-names",
    variables: &[],
    kind: Kind::OneOf(words_of::<Spelling>),
    default: "snake",
    section: Section::Tools,
    help: "How the list spells the tools' names; calls may use every spelling",
};

pub(super) static STRUCTURED_RESULTS: Setting = Setting {
    name: "structured-results",
    variables: &[],
    kind: Kind::Switch,
    default: "false",
    section: Section::Tools,
    help: "List output schemas, and add structured content to results that are text otherwise; for programs",
};

pub(super) static RUNNERS: Setting = Setting {
    name: "runners",
    variables: &[],
    kind: Kind::Names("LIST"),
    default: "all",
    section: Section::Tests,
    help: "The test runners that run_test may start, separated by commas",
};

pub(super) static KILL_GRACE: Setting = Setting {
    name: "kill-grace",
    variables: &[],
    kind: Kind::Millis(0..=60_000),
    default: "1000",
    section: Section::Tests,
    help: "How long a process that was asked to end may take until it is killed",
};

pub(super) static WORKSPACE: Setting = Setting {
    name: "workspace",
    variables: &[],
    kind: Kind::Path("DIR"),
    default: "$CLAUDE_PROJECT_DIR, or the current folder",
    section: Section::General,
    help: "The project's folder; paths that an agent gives stay inside it",
};

pub(super) static CONFIG: Setting = Setting {
    name: "config",
    variables: &[],
    kind: Kind::Path("FILE"),
    default: "none",
    section: Section::General,
    help: "Read settings from a TOML or JSON file whose keys are the names of these flags",
};

pub(super) static LOG_LEVEL: Setting = Setting {
    name: "log-level",
    variables: &[],
    kind: Kind::OneOf(words_of::<Level>),
    default: "info",
    section: Section::General,
    help: "What is logged, as lines of JSON: to stderr over stdio, to stdout over http",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    #[test]
    fn every_setting_has_its_own_name_help_and_section() {
        for (at, setting) in SETTINGS.iter().enumerate() {
            assert!(!setting.help.is_empty() && !setting.help.ends_with('.'), "{}", setting.name);
            assert!(Section::ALL.contains(&setting.section));
            for other in &SETTINGS[..at] {
                assert_ne!(fold(setting.name), fold(other.name));
                assert!(other.all_variables().iter().all(|name| !setting.all_variables().contains(name)));
            }
        }
    }
}
