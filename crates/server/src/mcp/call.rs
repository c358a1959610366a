//! One tool call on its way: who may end it, and what the client hears while it runs.
//!
//! The call itself is the tools' business; so is ending soon once its token fires.

use std::convert::Infallible;
use std::time::Duration;

use base::Activity;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use serde_json::{Map, Value};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Tools;
use crate::auth::Subject;
use crate::logging::Trace;
use crate::tools::{Arrival, Caller, Reply};

/// Most calls are over by then; for the others it lets headers and first bytes go out over HTTP.
const FIRST_PROGRESS: Duration = Duration::from_secs(1);
/// Clients count on a sign of life at least every 5 s.
const NEXT_PROGRESS: Duration = Duration::from_secs(4);

/// Where a call's progress goes, when the client asked for it.
pub(super) struct Audience {
    pub(super) peer: Peer<RoleServer>,
    pub(super) token: ProgressToken,
}

/// A call to be run.
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: Map<String, Value>,
    /// Fires when the client no longer wants the result.
    pub(super) unwanted: CancellationToken,
    /// Fires when the server is ending.
    pub(super) ending: &'a CancellationToken,
    pub(super) audience: Option<Audience>,
    /// When it came, where that is told.
    pub(super) arrival: Arrival,
    pub(super) subject: Subject,
    pub(super) trace: Option<Trace>,
}

impl Call<'_> {
    /// Runs the call to its reply.
    pub(super) async fn run(self, tools: &dyn Tools) -> Reply {
        let activity = Activity::default();
        let cancel = self.unwanted.child_token();
        let caller = Caller {
            cancel: cancel.clone(),
            activity: activity.clone(),
            arrival: self.arrival,
            subject: self.subject,
            trace: self.trace,
        };
        tokio::select! {
            biased;
            reply = tools.call(self.name, self.arguments, caller) => reply,
            never = pass_on(self.ending, &cancel) => match never {},
            never = tell(self.audience, &activity, &self.unwanted, tools) => match never {},
        }
    }
}

/// Cancels the call when the server ends.
async fn pass_on(ending: &CancellationToken, call: &CancellationToken) -> Infallible {
    ending.cancelled().await;
    call.cancel();
    std::future::pending().await
}

/// Tells the client that the call is alive and what it is doing, for as long as it is polled.
///
/// It runs beside the call, never in it: a client that reads nothing can hold up a notification, not the call. A call
/// that is no longer wanted says nothing more (MCP 2025-11-25, Progress: only tokens of active requests).
async fn tell(
    audience: Option<Audience>,
    activity: &Activity,
    unwanted: &CancellationToken,
    tools: &dyn Tools,
) -> Infallible {
    let Some(Audience { peer, token }) = audience else { return std::future::pending().await };
    let began = Instant::now();
    let mut next = began + FIRST_PROGRESS;
    let mut told = 0.0;
    loop {
        tokio::select! {
            () = tokio::time::sleep_until(next) => {}
            () = unwanted.cancelled() => return std::future::pending().await,
        }
        let elapsed = began.elapsed();
        // `progress` must increase with each notification (MCP 2025-11-25, Progress); so does time, but rounding
        // must not undo that.
        let progress = (elapsed.as_secs_f64() * 10.0).round() / 10.0;
        if progress > told {
            told = progress;
            let news = ProgressNotificationParam::new(token.clone(), progress)
                .with_message(tools.shown(line(elapsed, activity)));
            if peer.notify_progress(news).await.is_err() {
                return std::future::pending().await;
            }
        }
        next = Instant::now() + NEXT_PROGRESS;
    }
}

fn line(elapsed: Duration, activity: &Activity) -> String {
    let seconds = elapsed.as_secs();
    match activity.get() {
        activity if activity.is_empty() => format!("{seconds} s"),
        activity => format!("{seconds} s · {activity}"),
    }
}
