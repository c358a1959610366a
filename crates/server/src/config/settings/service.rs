//! The settings of a server that others reach over the network.

use crate::config::service::{Env, MetricsAccess};
use crate::config::setting::{Kind, Section, Setting, words_of};

pub(crate) static PUBLIC_URL: Setting = Setting {
    name: "public-url",
    variables: &[],
    kind: Kind::Text("URL"),
    default: "the address listened on",
    section: Section::Authorization,
    help: "The address that clients use, in front of every proxy, without /mcp: tokens must be meant for it, and \
           requests must be addressed to it",
};

pub(crate) static ENV: Setting = Setting {
    name: "env",
    variables: &[],
    kind: Kind::OneOf(words_of::<Env>),
    default: "development",
    section: Section::Authorization,
    help: "In production the server does not start over HTTP without --oauth-issuer",
};

pub(crate) static OAUTH_ISSUER: Setting = Setting {
    name: "oauth-issuer",
    variables: &[],
    kind: Kind::Text("URL"),
    default: "none: nobody is asked who they are",
    section: Section::Authorization,
    help: "The authorization server whose access tokens (JWT) let clients in; https, or http on loopback",
};

pub(crate) static OAUTH_AUDIENCE: Setting = Setting {
    name: "oauth-audience",
    variables: &[],
    kind: Kind::Names("LIST"),
    default: "the public URL, alone and with /mcp and /message",
    section: Section::Authorization,
    help: "What tokens must be meant for (aud), where the issuer has names of its own for it",
};

pub(crate) static OAUTH_SCOPE: Setting = Setting {
    name: "oauth-scope",
    variables: &[],
    kind: Kind::Text("SCOPE"),
    default: "mcp:execute",
    section: Section::Authorization,
    help: "The scope that tokens must have",
};

pub(crate) static OAUTH_CLOCK_SKEW: Setting = Setting {
    name: "oauth-clock-skew",
    variables: &[],
    kind: Kind::Millis(0..=300_000),
    default: "30000",
    section: Section::Authorization,
    help: "How far the issuer's clock and this machine's may be apart",
};

pub(crate) static RATE_LIMIT_CALLS: Setting = Setting {
    name: "rate-limit-calls",
    variables: &[],
    kind: Kind::Integer(0..=1_000_000),
    default: "100",
    section: Section::Service,
    help: "Calls of tools a minute and client, which is a token's subject, or else an address; 0 for no limit",
};

pub(crate) static RATE_LIMIT_SESSIONS: Setting = Setting {
    name: "rate-limit-sessions",
    variables: &[],
    kind: Kind::Integer(0..=1_000_000),
    default: "10",
    section: Section::Service,
    help: "Sessions that a client may open a minute; 0 for no limit",
};

pub(crate) static MAX_CONCURRENT_CALLS: Setting = Setting {
    name: "max-concurrent-calls",
    variables: &[],
    kind: Kind::Integer(1..=100_000),
    default: "100",
    section: Section::Service,
    help: "Calls that may go on at one time, of all clients together",
};

pub(crate) static MAX_CONCURRENT_CALLS_PER_CLIENT: Setting = Setting {
    name: "max-concurrent-calls-per-client",
    variables: &[],
    kind: Kind::Integer(1..=100_000),
    default: "50",
    section: Section::Service,
    help: "The same of one client",
};

pub(crate) static MAX_BODY_SIZE: Setting = Setting {
    name: "max-body-size",
    variables: &[],
    kind: Kind::Integer(1024..=16_777_216),
    default: "16777216",
    section: Section::Service,
    help: "The largest body of a request, in bytes",
};

pub(crate) static MAX_CONNECTIONS: Setting = Setting {
    name: "max-connections",
    variables: &[],
    kind: Kind::Integer(1..=65_535),
    default: "512",
    section: Section::Service,
    help: "Connections at one time; beyond them clients wait to be accepted",
};

pub(crate) static IDLE_TIMEOUT: Setting = Setting {
    name: "idle-timeout",
    variables: &[],
    kind: Kind::Millis(100..=3_600_000),
    default: "60000",
    section: Section::Service,
    help: "How long a client may take for a request's headers, and how long a connection may be without a request",
};

pub(crate) static BODY_TIMEOUT: Setting = Setting {
    name: "body-timeout",
    variables: &[],
    kind: Kind::Millis(100..=3_600_000),
    default: "30000",
    section: Section::Service,
    help: "How long a client may take for a request's body",
};

pub(crate) static DRAIN_TIMEOUT: Setting = Setting {
    name: "drain-timeout",
    variables: &[],
    kind: Kind::Millis(0..=600_000),
    default: "10000",
    section: Section::Service,
    help: "After SIGTERM no call is taken any more; those that go on are cut after this time",
};

pub(crate) static METRICS: Setting = Setting {
    name: "metrics",
    variables: &[],
    kind: Kind::OneOf(words_of::<MetricsAccess>),
    default: "token with --oauth-issuer, otherwise open",
    section: Section::Service,
    help: "Who reads /metrics: whoever reaches it, who has a token, or nobody",
};

pub(crate) static TRACE_PROJECT: Setting = Setting {
    name: "trace-project",
    variables: &["GOOGLE_CLOUD_PROJECT"],
    kind: Kind::Text("PROJECT"),
    default: "none",
    section: Section::Service,
    help: "The Google Cloud project whose traces the lines of the log belong to",
};
