//! Whether a call may begin: how many a client has made, how many go on, and whether the server still takes any.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::client::Client;
use super::limits::Limits;
use super::message::refuse;
use crate::mcp::fault::Fault;

/// As many clients as are remembered before those that have not called for long are forgotten.
const MANY: usize = 4096;
/// When a client that came while the server was ending may find its successor.
const SUCCESSOR: Duration = Duration::from_secs(5);
/// When one of many calls may be over.
const SOON: Duration = Duration::from_secs(1);

type Rate = DefaultKeyedRateLimiter<Client>;

/// Lets calls begin.
#[derive(Debug)]
pub(super) struct Admission {
    limits: Limits,
    calls: Option<Rate>,
    starts: Option<Rate>,
    going_on: Arc<Mutex<GoingOn>>,
    /// No call begins once this fires.
    draining: CancellationToken,
    running: TaskTracker,
}

#[derive(Debug, Default)]
struct GoingOn {
    all: usize,
    by_client: HashMap<Client, usize>,
}

/// A call that may go on; it does until the last clone is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Permit {
    _place: Arc<Place>,
}

#[derive(Debug)]
struct Place {
    client: Client,
    going_on: Arc<Mutex<GoingOn>>,
    _running: TaskTrackerToken,
}

/// A call that may not begin now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotNow {
    #[error("{limit} calls a minute are allowed, and these were made; wait {} s", seconds(*.wait))]
    Calls { limit: u32, wait: Duration },
    #[error("{limit} sessions may be opened a minute, and these were; wait {} s", seconds(*.wait))]
    Starts { limit: u32, wait: Duration },
    #[error("{limit} calls of this client are going on, which is the most that may; wait for one to end")]
    ClientBusy { limit: usize },
    #[error("{limit} calls are going on, which is the most that may; wait a little")]
    Busy { limit: usize },
    #[error("the server is ending and takes no more calls")]
    Draining,
}

impl Admission {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            limits: *limits,
            calls: rate(limits.calls_a_minute),
            starts: rate(limits.sessions_a_minute),
            going_on: Arc::default(),
            draining: CancellationToken::new(),
            running: TaskTracker::new(),
        }
    }

    /// Lets a call begin, if it may.
    ///
    /// # Errors
    /// [`NotNow`] says why not, and when it may.
    pub(super) fn admit(&self, client: &Client, opens_session: bool) -> Result<Permit, NotNow> {
        if self.is_draining() {
            return Err(NotNow::Draining);
        }
        // A call that has to wait for others has not been made.
        let place = self.place(client)?;
        if opens_session {
            let limit = self.limits.sessions_a_minute;
            spend(self.starts.as_ref(), client).map_err(|wait| NotNow::Starts { limit, wait })?;
        }
        let limit = self.limits.calls_a_minute;
        spend(self.calls.as_ref(), client).map_err(|wait| NotNow::Calls { limit, wait })?;
        Ok(Permit { _place: Arc::new(place) })
    }

    fn place(&self, client: &Client) -> Result<Place, NotNow> {
        let mut going_on = locked(&self.going_on);
        if going_on.all >= self.limits.calls {
            return Err(NotNow::Busy { limit: self.limits.calls });
        }
        let own = going_on.by_client.entry(client.clone()).or_default();
        if *own >= self.limits.calls_per_client {
            return Err(NotNow::ClientBusy { limit: self.limits.calls_per_client });
        }
        *own += 1;
        going_on.all += 1;
        Ok(Place {
            client: client.clone(),
            going_on: Arc::clone(&self.going_on),
            _running: self.running.token(),
        })
    }

    pub(super) fn is_draining(&self) -> bool {
        self.draining.is_cancelled()
    }

    /// Lets no call begin any more, and waits until none goes on.
    pub(super) async fn drained(&self) {
        self.draining.cancel();
        self.running.close();
        self.running.wait().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut going_on = locked(&self.going_on);
        going_on.all -= 1;
        if let Some(own) = going_on.by_client.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                going_on.by_client.remove(&self.client);
            }
        }
    }
}

fn locked(going_on: &Mutex<GoingOn>) -> MutexGuard<'_, GoingOn> {
    going_on.lock().unwrap_or_else(PoisonError::into_inner)
}

fn rate(a_minute: u32) -> Option<Rate> {
    NonZeroU32::new(a_minute).map(|a_minute| RateLimiter::keyed(Quota::per_minute(a_minute)))
}

fn spend(rate: Option<&Rate>, client: &Client) -> Result<(), Duration> {
    let Some(rate) = rate else { return Ok(()) };
    if rate.len() > MANY {
        rate.retain_recent();
    }
    rate.check_key(client).map_err(|not_until| not_until.wait_time_from(DefaultClock::default().now()))
}

/// Rounded up: whoever comes a moment too early has come in vain.
fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

impl NotNow {
    /// As in the errors of the tools.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Calls { .. } | Self::Starts { .. } => "rate_limited",
            Self::ClientBusy { .. } => "too_many_calls",
            Self::Busy { .. } => "server_busy",
            Self::Draining => "server_ending",
        }
    }

    fn wait(self) -> Duration {
        match self {
            Self::Calls { wait, .. } | Self::Starts { wait, .. } => wait,
            Self::ClientBusy { .. } | Self::Busy { .. } => SOON,
            Self::Draining => SUCCESSOR,
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::Calls { .. } | Self::Starts { .. } | Self::ClientBusy { .. } => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::Busy { .. } | Self::Draining => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The refusal with the time after which the call may come again (RFC 9110, section 10.2.3).
    pub(super) fn into_response(self, id: Option<&RequestId>) -> Response {
        let wait = seconds(self.wait()).max(1);
        let fault = Fault::Named {
            name: self.name(),
            message: self.to_string(),
            suggestion: format!("call again after {wait} s"),
            retry_after: Some(wait),
        };
        let mut response = refuse(self.status(), &fault, id);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str) -> Client {
        Client::Subject(name.into())
    }

    #[test]
    fn each_client_has_its_own_calls_and_starts_a_minute() {
        let admission =
            Admission::new(&Limits { calls_a_minute: 5, sessions_a_minute: 2, ..Limits::default() });
        for opens in [true, true, false] {
            assert!(admission.admit(&client("alice"), opens).is_ok());
        }
        let refused = admission.admit(&client("alice"), true).expect_err("two sessions were opened");
        assert!(
            matches!(refused, NotNow::Starts { limit: 2, wait } if wait > Duration::from_secs(25)),
            "{refused}"
        );
        for _ in 0..2 {
            assert!(admission.admit(&client("alice"), false).is_ok(), "a refused start is no call");
        }
        let refused = admission.admit(&client("alice"), false).expect_err("five calls were made");
        assert!(
            matches!(refused, NotNow::Calls { limit: 5, wait } if wait > Duration::from_secs(10)),
            "{refused}"
        );
        assert!(admission.admit(&client("bob"), true).is_ok());
    }

    #[test]
    fn zero_is_no_limit() {
        let admission =
            Admission::new(&Limits { calls_a_minute: 0, sessions_a_minute: 0, ..Limits::default() });
        assert!((0..10_000).all(|_| admission.admit(&client("alice"), true).is_ok()));
    }

    #[tokio::test]
    async fn calls_that_go_on_are_counted_until_the_last_of_them_is_dropped() {
        let admission = Admission::new(&Limits { calls: 3, calls_per_client: 2, ..Limits::default() });
        let first = admission.admit(&client("alice"), false).expect("one");
        let clone = first.clone();
        let _second = admission.admit(&client("alice"), false).expect("two");
        drop(first);
        let refused = |name: &str| admission.admit(&client(name), false).err();
        assert_eq!(refused("alice"), Some(NotNow::ClientBusy { limit: 2 }));
        let third = admission.admit(&client("bob"), false).expect("three");
        assert_eq!(refused("carol"), Some(NotNow::Busy { limit: 3 }));
        drop(clone);
        assert_eq!(refused("carol"), None);
        drop(third);
        assert_eq!(locked(&admission.going_on).by_client.len(), 1, "who has no call is forgotten");
    }

    #[tokio::test]
    async fn draining_waits_for_what_goes_on_and_lets_nothing_begin() {
        let admission = Arc::new(Admission::new(&Limits::default()));
        let permit = admission.admit(&client("alice"), false).expect("a call");
        let draining = tokio::spawn({
            let admission = admission.clone();
            async move { admission.drained().await }
        });
        while !admission.is_draining() {
            tokio::task::yield_now().await;
        }
        assert_eq!(admission.admit(&client("bob"), false).err(), Some(NotNow::Draining));
        assert!(!draining.is_finished());
        drop(permit);
        draining.await.expect("drained");
    }

    #[test]
    fn a_refusal_says_when_to_come_back() {
        let refused = NotNow::Calls { limit: 100, wait: Duration::from_millis(1200) };
        let response = refused.into_response(Some(&RequestId::Number(7)));
        assert_eq!(
            (response.status().as_u16(), &response.headers()[header::RETRY_AFTER]),
            (429, &HeaderValue::from(2))
        );
    }
}
