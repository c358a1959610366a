//! What holds for a server that is reached over HTTP: who is let in, and what they may take.

use std::net::IpAddr;
use std::time::Duration;

use url::Url;

use super::Transport;
use super::given::Given;
use super::refusal::ConfigError;
use super::settings::{HOST, service as settings};
use crate::auth::Issuer;
use crate::tools::Word;

/// Everything about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ServiceOptions {
    /// The address that clients use, where it is not the one that is listened on.
    pub(crate) public_url: Option<Url>,
    /// None lets everybody in who reaches the server, which is this machine only.
    pub(crate) authorization: Option<Authorization>,
    pub(crate) limits: HttpLimits,
    pub(crate) metrics: MetricsAccess,
    /// The project whose traces the log's lines belong to.
    pub(crate) trace_project: Option<String>,
}

/// Whose tokens let clients in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Authorization {
    pub(crate) issuer: Issuer,
    /// None for the server's own address.
    pub(crate) audiences: Option<Vec<String>>,
    pub(crate) scope: String,
    pub(crate) skew: Duration,
}

/// What clients may take of the server's time and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HttpLimits {
    /// How long a client may take for a request's headers, and how long it may keep a connection without a request.
    pub(crate) headers: Duration,
    /// How long a client may take for a request's body.
    pub(crate) body: Duration,
    /// What one body may weigh, in bytes.
    pub(crate) body_size: usize,
    /// What the bodies of all requests that are not answered yet may weigh together, in bytes.
    pub(crate) bodies: usize,
    /// How many connections there may be; beyond it clients wait to be accepted.
    pub(crate) connections: usize,
    /// How many calls may go on.
    pub(crate) calls: usize,
    /// The same of one client.
    pub(crate) calls_per_client: usize,
    /// Of one client; zero for no limit.
    pub(crate) calls_a_minute: u32,
    /// The same for calls that open a session.
    pub(crate) sessions_a_minute: u32,
    /// How long calls may go on after SIGTERM.
    pub(crate) drain: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        const MEBIBYTE: usize = 1024 * 1024;
        Self {
            headers: Duration::from_secs(60),
            body: Duration::from_secs(30),
            body_size: 16 * MEBIBYTE,
            // More than a machine's clients have to say at one time, unless one of them is broken.
            bodies: 64 * MEBIBYTE,
            // More clients than any machine has.
            connections: 512,
            calls: 100,
            calls_per_client: 50,
            calls_a_minute: 100,
            sessions_a_minute: 10,
            drain: Duration::from_secs(10),
        }
    }
}

/// Who reads `/metrics`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum MetricsAccess {
    #[default]
    Open,
    Token,
    Off,
}

impl Word for MetricsAccess {
    const WORDS: &'static [(&'static str, Self)] =
        &[("open", Self::Open), ("token", Self::Token), ("off", Self::Off)];
}

/// What the server is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Env {
    Development,
    Production,
}

impl Word for Env {
    const WORDS: &'static [(&'static str, Self)] =
        &[("development", Self::Development), ("production", Self::Production)];
}

/// What to set to let others in.
const LET_IN: &str = "set --oauth-issuer (E2E_MCP_OAUTH_ISSUER) to the URL of an authorization server, and --public-url \
                      (E2E_MCP_PUBLIC_URL) to the address that clients use";

impl ServiceOptions {
    pub(super) fn resolve(
        given: &Given,
        transport: &Transport,
        host: IpAddr,
        warnings: &mut Vec<String>,
    ) -> Result<Self, ConfigError> {
        let authorization = authorization(given)?;
        let public_url = public_url(given)?;
        match transport {
            Transport::Stdio => {
                if let Some(value) = given.get(&settings::OAUTH_ISSUER) {
                    warnings.push(format!("{} has no effect: the transport is stdio", value.source));
                }
            }
            Transport::Http { .. } => match (given.word(&settings::ENV)?, given.get(&settings::ENV)) {
                (Some(Env::Production), Some(value)) if authorization.is_none() => {
                    let expected = format!("possible over HTTP without authorization; {LET_IN}");
                    return Err(value.refuse(&expected));
                }
                _ => {}
            },
        }
        let elsewhere = given.get(&HOST).filter(|_| !host.is_loopback());
        if let (Some(value), None) = (elsewhere, &authorization) {
            return Err(value.refuse(&format!(
                "a loopback address, and without authorization only this machine may reach the server; {LET_IN}"
            )));
        }
        if let (Some(value), None) = (elsewhere, &public_url) {
            return Err(value.refuse(
                "a loopback address, and what tokens are meant for can't be guessed then; set --public-url \
                 (E2E_MCP_PUBLIC_URL) to the address that clients use, such as https://e2e.example.com",
            ));
        }
        let metrics = given.word(&settings::METRICS)?.unwrap_or(match authorization {
            Some(_) => MetricsAccess::Token,
            None => MetricsAccess::Open,
        });
        if let (MetricsAccess::Token, None, Some(value)) =
            (metrics, &authorization, given.get(&settings::METRICS))
        {
            return Err(value.refuse("possible without --oauth-issuer, which says whose tokens count"));
        }
        let trace_project = given.text(&settings::TRACE_PROJECT)?;
        Ok(Self { public_url, authorization, limits: limits(given)?, metrics, trace_project })
    }
}

fn authorization(given: &Given) -> Result<Option<Authorization>, ConfigError> {
    let Some(value) = given.get(&settings::OAUTH_ISSUER) else { return Ok(None) };
    let text = given.text(&settings::OAUTH_ISSUER)?.unwrap_or_default();
    let issuer = Issuer::parse(&text).map_err(|why| value.refuse(&format!("an issuer's URL: {why}")))?;
    if cfg!(not(feature = "oauth")) {
        return Err(value.refuse("possible in this build, which was made without the feature `oauth`"));
    }
    let scope = given.read(&settings::OAUTH_SCOPE, |text| is_scope(text).then(|| text.to_owned()))?;
    Ok(Some(Authorization {
        issuer,
        audiences: given
            .get(&settings::OAUTH_AUDIENCE)
            .map(super::given::Value::list)
            .filter(|list| !list.is_empty()),
        scope: scope.unwrap_or_else(|| "mcp:execute".to_owned()),
        skew: given.millis(&settings::OAUTH_CLOCK_SKEW)?.unwrap_or(Duration::from_secs(30)),
    }))
}

/// RFC 6749, section 3.3: one name, printable, without quotes and backslashes.
fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e))
}

fn public_url(given: &Given) -> Result<Option<Url>, ConfigError> {
    let Some(value) = given.get(&settings::PUBLIC_URL) else { return Ok(None) };
    let text = given.text(&settings::PUBLIC_URL)?.unwrap_or_default();
    let plain = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    };
    match Url::parse(&text).ok().filter(plain) {
        Some(url) => Ok(Some(url)),
        None => Err(value.refuse("an http or https URL without user, query and fragment")),
    }
}

fn limits(given: &Given) -> Result<HttpLimits, ConfigError> {
    let usual = HttpLimits::default();
    let count = |setting| {
        given.integer(setting).map(|count| count.map(|count| usize::try_from(count).unwrap_or(usize::MAX)))
    };
    let rate =
        |setting| given.integer(setting).map(|rate| rate.map(|rate| u32::try_from(rate).unwrap_or(u32::MAX)));
    Ok(HttpLimits {
        headers: given.millis(&settings::IDLE_TIMEOUT)?.unwrap_or(usual.headers),
        body: given.millis(&settings::BODY_TIMEOUT)?.unwrap_or(usual.body),
        body_size: count(&settings::MAX_BODY_SIZE)?.unwrap_or(usual.body_size),
        bodies: usual.bodies,
        connections: count(&settings::MAX_CONNECTIONS)?.unwrap_or(usual.connections),
        calls: count(&settings::MAX_CONCURRENT_CALLS)?.unwrap_or(usual.calls),
        calls_per_client: count(&settings::MAX_CONCURRENT_CALLS_PER_CLIENT)?
            .unwrap_or(usual.calls_per_client),
        calls_a_minute: rate(&settings::RATE_LIMIT_CALLS)?.unwrap_or(usual.calls_a_minute),
        sessions_a_minute: rate(&settings::RATE_LIMIT_SESSIONS)?.unwrap_or(usual.sessions_a_minute),
        drain: given.millis(&settings::DRAIN_TIMEOUT)?.unwrap_or(usual.drain),
    })
}
