//! A call's turn in a session: finding it, waiting in its row, the call's own time, and the evidence when it fails.
//!
//! A call's time begins with its turn: what waits behind a slow one does not fail because of it. Waiting is bounded, too.

use std::sync::Arc;
use std::time::Duration;

use base::scope::Interrupted;
use base::{CallScope, Deadline};
use engine::context::Moment;
use engine::page::{Interruption, Life, Page};
use engine::{Count, Failed, NotMet, Target};
use url::Url;

use super::codes::{BROWSER_CRASHED, PAGE_CLOSED};
use super::evidence;
use super::failed::{self, Deed};
use super::files::Files;
use super::stray;
use crate::config::{Options, Transport};
use crate::session::{End, Session, SessionRefused};
use crate::tools::run::TIMEOUT;
use crate::tools::{Args, Call, Failure, Reply};

/// How long a call waits for the calls before it in its session.
const QUEUE: Duration = Duration::from_secs(60);
/// How long a session that nobody asked for may take to open.
const OPENING: Duration = Duration::from_secs(35);
/// What an action caused is looked at this long after its limit at most; so is what a failure looks like.
pub(super) const AFTERMATH: Duration = Duration::from_millis(1800);

/// How long the end of a session whose browser died is waited for.
const BURIAL: Duration = Duration::from_secs(2);
/// How long a late call asks what it was late for.
const COUNT: Duration = Duration::from_millis(500);

/// How a call takes its turn.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct How {
    /// How long it may take when its arguments don't say.
    pub(super) usual: Duration,
    /// Behind the calls that came before it; otherwise at once, beside them.
    pub(super) queued: bool,
    /// It asks the document, which can't answer while the page is on its way elsewhere.
    asks: bool,
}

/// A call while it is in its session. Clones are the same visit.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Visit {
    pub(in crate::tools) session: Arc<Session>,
    pub(super) options: Arc<Options>,
    pub(super) files: Files,
    /// The call with its own limit.
    pub(in crate::tools) scope: CallScope,
    /// The call with the time that its aftermath has on top.
    pub(super) late: CallScope,
    pub(super) limit: Duration,
    /// How things were when its turn came.
    pub(super) before: Before,
    /// What the agent should know about its session.
    pub(super) note: Option<String>,
}

/// A moment of a session, to tell later what happened since.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub(super) moment: Moment,
}

impl Before {
    fn now(session: &Session) -> Self {
        Self { moment: session.context().moment() }
    }
}

impl How {
    /// Behind the others.
    pub(in crate::tools) fn queued(usual: Duration) -> Self {
        Self { usual, queued: true, asks: true }
    }

    /// Also while the page is on its way elsewhere, because that is what it is about.
    pub(in crate::tools) fn on_the_way(self) -> Self {
        Self { asks: false, ..self }
    }

    /// Beside the others, because they may wait for it.
    pub(super) fn urgent(usual: Duration) -> Self {
        Self { usual, queued: false, asks: false }
    }
}

/// The longest that a call of a tool with this usual limit can take, everything included; the toolbox ends it then.
pub(in crate::tools) fn outer_limit(args: &Args, usual: Duration) -> Duration {
    args.millis("timeout").unwrap_or(usual).saturating_add(QUEUE + OPENING)
}

impl Visit {
    /// The tab in front, or a new one.
    pub(super) async fn page(&self) -> Result<Page, Failure> {
        self.session.context().page(&self.scope).await.map_err(|why| self.interrupted(why))
    }

    /// A page that has been on its way to a silent server for half of the call's time stays where it is.
    async fn stay(&mut self) {
        let Some(page) = self.session.context().current() else { return };
        // What else is the matter with the page is told by what is asked of it next.
        if let Ok(Some(url)) = page.freed(self.limit / 2, &self.scope).await {
            let stopped = format!("The navigation to {url} was stopped: its server did not answer.");
            self.note =
                Some(self.note.take().map_or_else(|| stopped.clone(), |note| format!("{note} {stopped}")));
        }
    }

    /// What a relative address is relative to: the session's app.
    pub(super) fn base(&self) -> Option<Url> {
        Url::parse(&self.session.app()?.running().url).ok()
    }

    /// An engine's failure in an agent's words.
    pub(super) fn failed(&self, why: Failed, deed: Deed) -> Failure {
        failed::failed(why, deed, self.limit)
    }

    /// The same for what was to be done to an element. That a call was late says less than what it waited for in vain.
    pub(super) async fn failed_at(
        &self,
        page: &Page,
        why: Failed,
        target: Option<&Target>,
        deed: Deed,
    ) -> Failure {
        if let (Failed::Interrupted(Interruption::TimedOut), Some(target @ Target::Selector(_))) =
            (&why, target)
            && let Ok(Count { total: 0, .. }) = page.count(target, &self.late.within(COUNT)).await
        {
            return self.failed(Failed::NotFound { target: target.to_string() }, deed);
        }
        self.failed(why, deed)
    }

    pub(super) fn interrupted(&self, why: Interruption) -> Failure {
        failed::interrupted(why, self.limit)
    }

    pub(super) fn not_met(&self, why: NotMet) -> Failure {
        match why {
            NotMet::Failed(why) => self.failed(why, Deed::Look),
            NotMet::Seen(seen) => {
                Failure::new(TIMEOUT, seen).fact("timeout", self.limit.as_millis() as u64).suggest(
                    "take a snapshot to see what is there; pass a longer timeout if it only takes longer",
                )
            }
        }
    }
}

/// Runs `work` in the session that the call names.
pub(in crate::tools) async fn visit<W>(
    call: Call,
    how: How,
    work: impl FnOnce(Visit) -> W + Send,
) -> Result<Reply, Failure>
where
    W: Future<Output = Result<Reply, Failure>> + Send,
{
    if !how.queued {
        call.arrival.placed();
    }
    let (session, note) = find(&call).await?;
    let _awake = session.awake();
    let turn = async {
        match how.queued {
            false => Ok(None),
            true => {
                call.scope.within(QUEUE).race(call.arrival.in_order()).await.map_err(still_waiting)?;
                let place = session.place().await;
                call.arrival.placed();
                let waited = call.scope.within(QUEUE).race(place.turn()).await;
                waited.map(Some).map_err(still_waiting)
            }
        }
    };
    let limit = call.args.millis("timeout").unwrap_or(how.usual);
    let visited = async {
        let _turn = turn.await?;
        let mut visit = Visit {
            session: Arc::clone(&session),
            options: Arc::clone(&call.services.options),
            files: Files::of(&call.services),
            scope: call.scope.within(limit),
            late: call.scope.within(limit.saturating_add(AFTERMATH)),
            limit,
            before: Before::now(&session),
            note,
        };
        let hard = Deadline::after(limit.saturating_add(AFTERMATH));
        if how.asks {
            Box::pin(visit.stay()).await;
        }
        let done = hard.race(work(visit.clone())).await;
        let failure = match done {
            Ok(Ok(reply)) => match Box::pin(stray::refused(&visit)).await {
                Ok(()) => return Ok(reply),
                Err(stray) => stray,
            },
            Ok(Err(failure)) => Box::pin(stray::refused(&visit)).await.err().unwrap_or(failure),
            // Nothing that it waits for honours its scope; there is no time for evidence either.
            Err(_) => return Err(failed::interrupted(Interruption::TimedOut, limit)),
        };
        // Boxed: every call would carry it along, and few need it.
        Err(Box::pin(evidence::gathered(failure, &visit)).await)
    };
    let outcome = tokio::select! {
        biased;
        why = session.ended() => Err(failed::refused(why)),
        done = visited => done,
    };
    let outcome = match outcome {
        Err(failure) if may_be_dead(&failure, &session) => Err(buried(failure, &session).await),
        outcome => outcome,
    };
    outcome.map_err(|failure| evidence::with_past(failure, &session, call.tool))
}

/// Whether a call failed as one does whose browser died: that no tab is left may be told before it is known why.
fn may_be_dead(failure: &Failure, session: &Session) -> bool {
    let none_left = || session.context().pages().iter().all(|page| page.state().life == Life::Closed);
    failure.code() == BROWSER_CRASHED || (failure.code() == PAGE_CLOSED && none_left())
}

/// A browser's death may be met by a call before it is known how it died: the session's end tells, and is waited for, so
/// that the next call does not meet the dead.
async fn buried(failure: Failure, session: &Session) -> Failure {
    match Deadline::after(BURIAL).race(session.ended()).await {
        Ok(why) => failed::refused(why),
        Err(_) => failure,
    }
}

/// The session that the call names, or the only one that is open.
pub(in crate::tools) fn open_session(call: &Call) -> Result<Option<Arc<Session>>, Failure> {
    let sessions = &call.services.sessions;
    if let Some(id) = call.args.get("sessionId").and_then(serde_json::Value::as_str) {
        return sessions.find(id, &call.subject).map(Some).map_err(failed::refused);
    }
    if matches!(call.services.options.transport, Transport::Http { .. }) {
        return Err(failed::refused(SessionRefused::Required));
    }
    match sessions.open_ones(&call.subject).as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(Arc::clone(only))),
        several => {
            let open = several.iter().map(|session| session.summary()).collect();
            Err(failed::refused(SessionRefused::Unnamed { open }))
        }
    }
}

/// The session that the call names, or the only one; and what to tell about one that was opened unasked.
async fn find(call: &Call) -> Result<(Arc<Session>, Option<String>), Failure> {
    let sessions = &call.services.sessions;
    if let Some(id) = call.args.get("sessionId").and_then(serde_json::Value::as_str) {
        return sessions.find(id, &call.subject).map(|session| (session, None)).map_err(failed::refused);
    }
    if matches!(call.services.options.transport, Transport::Http { .. }) {
        return Err(failed::refused(SessionRefused::Required));
    }
    let mut fresh = false;
    let scope = call.scope.within(OPENING);
    let plan = || {
        fresh = true;
        super::plan::usual(&call.services)
    };
    let session = sessions.only(plan, &call.subject, &scope).await.map_err(failed::refused)?;
    let lost = sessions.last_end(&call.subject).filter(|end| fresh && *end != End::Closed);
    Ok((session, lost.map(|end| format!("This is a new session: the one before {end}."))))
}

fn still_waiting(why: Interrupted) -> Failure {
    match why {
        Interrupted::Cancelled => why.into(),
        Interrupted::Deadline => {
            Failure::new(TIMEOUT, "earlier calls of this session did not end; this one was not begun")
                .suggest("wait for their answers, or open another session with create_session")
        }
    }
}
