//! What sessions promise, with a browser that the test plays.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use backends::browsers::{Instead, about};
use base::{Activity, CallScope, Deadline};
use engine::backend::{Ability, Browser, BrowserKind, ContextOptions};
use engine::fake::FakeBrowser;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::browsers::Launched;
use super::*;
use crate::auth::Subject;
use crate::ending::Close;
use crate::metrics::Metrics;

const IDLE: Duration = Duration::from_secs(300);
const AGE: Duration = Duration::from_secs(3600);
const WANTED: Wanted = Wanted { kind: BrowserKind::Chromium, headless: true };

/// Starts fake browsers, each start taking a second, and remembers them.
#[derive(Debug, Default)]
struct Fakes {
    started: Mutex<Vec<Arc<FakeBrowser>>>,
    fails: AtomicUsize,
}

impl Fakes {
    fn started(&self) -> Vec<Arc<FakeBrowser>> {
        self.started.lock().unwrap().clone()
    }
}

impl Launcher for Fakes {
    fn launch(&self, _: Wanted, _: Deadline) -> BoxFuture<'_, Launched> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if self.fails.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok() {
                return Err(LaunchRefused::Failed { reason: "no luck".to_owned(), stderr: Vec::new() });
            }
            let browser = FakeBrowser::start();
            self.started.lock().unwrap().push(browser.clone());
            Ok(browser as Arc<dyn Browser>)
        })
    }

    fn instead_of(&self, ability: Ability, kind: BrowserKind) -> Option<Instead> {
        (!about(kind).capabilities.has(ability)).then(|| about(kind).instead_of(ability))
    }
}

fn sessions(most: usize) -> (Sessions, Arc<Fakes>) {
    let fakes = Arc::new(Fakes::default());
    let limits = Limits { idle: IDLE, idle_with_app: IDLE * 2, lifetime: AGE, most };
    (Sessions::new(limits, Boundary::default(), Browsers::new(fakes.clone(), Metrics::default())), fakes)
}

fn plan() -> Plan {
    Plan { name: None, wanted: WANTED, alone: false, options: ContextOptions::default(), storage: None }
}

fn scope() -> CallScope {
    CallScope::new(Deadline::after(Duration::from_secs(60)), CancellationToken::new(), Activity::default())
}

async fn open(sessions: &Sessions) -> Arc<Session> {
    sessions.open(plan(), &Subject::default(), &scope()).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_session_is_a_context_with_a_tab_and_an_id_of_its_own() {
    let (sessions, fakes) = sessions(10);
    let (first, second) = (open(&sessions).await, open(&sessions).await);
    assert_ne!(first.id(), second.id());
    let text = first.id().to_string();
    assert_eq!((text.len(), text.as_bytes()[14]), (36, b'4'), "a UUID v4: {text}");
    let browsers = fakes.started();
    assert_eq!(browsers.len(), 1, "the browser is shared");
    assert_eq!(browsers[0].contexts().len(), 2, "the contexts are not");
    assert!(browsers[0].contexts().iter().all(|context| context.pages().len() == 1));
    assert_eq!(sessions.find(&text, &Subject::default()).unwrap().id(), first.id());
}

#[tokio::test(start_paused = true)]
async fn sessions_that_are_opened_at_once_wait_for_one_start() {
    let (sessions, fakes) = sessions(10);
    sessions.prelaunch(WANTED);
    let (one, two, scope, nobody) = (sessions.clone(), sessions.clone(), scope(), Subject::default());
    let (first, second) = tokio::join!(one.open(plan(), &nobody, &scope), two.open(plan(), &nobody, &scope));
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(fakes.started().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn with_process_isolation_each_session_has_and_ends_its_own_browser() {
    let (sessions, fakes) = sessions(10);
    let alone = || Plan { alone: true, ..plan() };
    let first = sessions.open(alone(), &Subject::default(), &scope()).await.unwrap();
    let _second = sessions.open(alone(), &Subject::default(), &scope()).await.unwrap();
    assert_eq!(fakes.started().len(), 2);
    sessions.close(&first, scope().deadline()).await;
    let ended: Vec<bool> = fakes.started().iter().map(|browser| browser.is_gone()).collect();
    assert_eq!(ended, [true, false]);
}

#[tokio::test(start_paused = true)]
async fn the_browser_stays_when_its_last_session_closes() {
    let (sessions, fakes) = sessions(10);
    let session = open(&sessions).await;
    sessions.close(&session, scope().deadline()).await;
    assert_eq!(sessions.count(), 0);
    assert!(fakes.started()[0].contexts()[0].is_closed());
    open(&sessions).await;
    assert_eq!(fakes.started().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_calls_is_closed_without_a_call() {
    let (sessions, fakes) = sessions(10);
    let session = open(&sessions).await;
    tokio::time::sleep(IDLE - Duration::from_secs(1)).await;
    drop(session.awake());
    tokio::time::sleep(IDLE - Duration::from_secs(1)).await;
    assert_eq!(sessions.count(), 1, "a call pushed it out");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(sessions.count(), 0);
    assert!(fakes.started()[0].contexts()[0].is_closed());
    let refused = sessions.find(&session.id().to_string(), &Subject::default()).unwrap_err();
    assert!(matches!(refused, SessionRefused::Expired { .. }), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_session_ends_at_its_age_even_while_a_call_runs() {
    let (sessions, _fakes) = sessions(10);
    let session = open(&sessions).await;
    let _call = session.awake();
    let refused = session.ended().await;
    assert!(matches!(&refused, SessionRefused::Expired { why, .. } if why.contains("3600")), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn what_never_was_what_was_closed_and_what_expired_are_told_apart() {
    let (sessions, _fakes) = sessions(10);
    for id in ["6e0f3b0e-7a3c-4b3e-9f67-0b8f0f4f2b11", "nonsense", ""] {
        assert!(
            matches!(sessions.find(id, &Subject::default()), Err(SessionRefused::NotFound { .. })),
            "{id}"
        );
    }
    let session = open(&sessions).await;
    sessions.close(&session, scope().deadline()).await;
    let refused = sessions.find(&session.id().to_string(), &Subject::default()).unwrap_err();
    assert!(matches!(refused, SessionRefused::ClosedBefore { .. }), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn beyond_the_maximum_the_open_ones_are_named_and_closing_one_makes_room() {
    let (sessions, _fakes) = sessions(2);
    let (first, _second) = (open(&sessions).await, open(&sessions).await);
    tokio::time::sleep(Duration::from_secs(7)).await;
    let refused = sessions.open(plan(), &Subject::default(), &scope()).await.unwrap_err();
    let SessionRefused::TooMany { open, .. } = &refused else { panic!("{refused}") };
    assert_eq!((open.len(), open[0].id.clone()), (2, first.id().to_string()));
    assert!(open[0].idle >= Duration::from_secs(7));
    sessions.close(&first, scope().deadline()).await;
    assert!(sessions.open(plan(), &Subject::default(), &scope()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn sessions_that_are_opened_at_once_do_not_exceed_the_maximum() {
    let (sessions, _fakes) = sessions(3);
    let tries = (0..8).map(|_| {
        let sessions = sessions.clone();
        async move { sessions.open(plan(), &Subject::default(), &scope()).await.is_ok() }
    });
    let opened = futures_util::future::join_all(tries).await;
    assert_eq!(opened.iter().filter(|opened| **opened).count(), 3);
    assert_eq!(sessions.count(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_crash_ends_the_sessions_of_that_browser_and_the_next_gets_a_fresh_one() {
    let (sessions, fakes) = sessions(10);
    let (first, second) = (open(&sessions).await, open(&sessions).await);
    fakes.started()[0].crash();
    for session in [&first, &second] {
        assert!(matches!(session.ended().await, SessionRefused::Crashed { .. }));
        let later = sessions.find(&session.id().to_string(), &Subject::default()).unwrap_err();
        assert!(matches!(later, SessionRefused::Crashed { .. }), "{later}");
    }
    open(&sessions).await;
    assert_eq!(fakes.started().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_fails_is_told_and_the_next_session_tries_again() {
    let (sessions, fakes) = sessions(1);
    fakes.fails.store(1, Ordering::SeqCst);
    let refused = sessions.open(plan(), &Subject::default(), &scope()).await.unwrap_err();
    assert!(matches!(refused, SessionRefused::Launch(LaunchRefused::Failed { .. })), "{refused}");
    open(&sessions).await;
}

#[tokio::test(start_paused = true)]
async fn closing_a_session_ends_its_running_calls_at_once() {
    let (sessions, _fakes) = sessions(10);
    let session = open(&sessions).await;
    let running = tokio::spawn({
        let session = session.clone();
        async move { session.ended().await }
    });
    sessions.close(&session, scope().deadline()).await;
    assert_eq!(running.await.unwrap(), SessionRefused::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_session_is_there_for_whom_it_was_opened_and_for_nobody_else() {
    let (sessions, _fakes) = sessions(2);
    let (alice, bob) = (Subject::of("alice"), Subject::of("bob"));
    let hers = sessions.open(plan(), &alice, &scope()).await.unwrap();
    let id = hers.id().to_string();
    assert_eq!(sessions.find(&id, &alice).unwrap().id(), hers.id());
    for other in [&bob, &Subject::default()] {
        assert!(matches!(sessions.find(&id, other), Err(SessionRefused::NotFound { .. })));
        assert!(sessions.open_ones(other).is_empty());
    }
    let his = sessions.only(plan, &bob, &scope()).await.unwrap();
    assert_ne!(his.id(), hers.id());
    let SessionRefused::TooMany { most, open } = sessions.open(plan(), &bob, &scope()).await.unwrap_err()
    else {
        panic!("the places are everybody's")
    };
    assert_eq!((most, open.len()), (2, 1), "but only one's own are named");
    sessions.close(&hers, scope().deadline()).await;
    assert!(matches!(sessions.find(&id, &alice), Err(SessionRefused::ClosedBefore { .. })));
    assert!(matches!(sessions.find(&id, &bob), Err(SessionRefused::NotFound { .. })));
    assert_eq!((sessions.last_end(&alice), sessions.last_end(&bob)), (Some(End::Closed), None));
}

#[tokio::test(start_paused = true)]
async fn without_a_name_there_is_one_default_session_however_many_ask() {
    let (sessions, _fakes) = sessions(10);
    let (scope, nobody) = (scope(), Subject::default());
    let (first, second) =
        tokio::join!(sessions.only(plan, &nobody, &scope), sessions.only(plan, &nobody, &scope));
    assert_eq!(first.unwrap().id(), second.unwrap().id());
    open(&sessions).await;
    let refused = sessions.only(plan, &nobody, &scope).await.unwrap_err();
    assert!(matches!(&refused, SessionRefused::Unnamed { open } if open.len() == 2), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_leaves_no_session_behind() {
    let (sessions, fakes) = sessions(1);
    let scope = scope();
    scope.cancel_token().cancel();
    assert!(sessions.open(plan(), &Subject::default(), &scope).await.is_err());
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(sessions.count(), 0);
    assert!(fakes.started()[0].contexts().iter().all(|context| context.is_closed()));
    open(&sessions).await;
}

#[tokio::test(start_paused = true)]
async fn the_servers_end_closes_sessions_and_browsers_and_refuses_new_ones() {
    let (sessions, fakes) = sessions(10);
    let session = open(&sessions).await;
    let closed = Close::close(&sessions, scope().deadline()).await;
    assert_eq!(closed.stopped, [format!("session {}", session.id())]);
    assert!(fakes.started()[0].is_gone());
    assert!(matches!(
        sessions.open(plan(), &Subject::default(), &scope()).await,
        Err(SessionRefused::Ending)
    ));
}

#[tokio::test(start_paused = true)]
async fn a_browser_that_is_just_starting_is_ended_with_the_server() {
    let (sessions, fakes) = sessions(10);
    sessions.prelaunch(WANTED);
    // The start has begun.
    tokio::task::yield_now().await;
    let began = tokio::time::Instant::now();
    Close::close(&sessions, scope().deadline()).await;
    assert!(fakes.started().iter().all(|browser| browser.is_gone()));
    assert_eq!(began.elapsed(), Duration::ZERO, "nobody waits for it to come up");
}

#[tokio::test(start_paused = true)]
async fn what_a_browser_cannot_do_is_refused_before_one_is_started() {
    let (sessions, fakes) = sessions(10);
    let dark = ContextOptions { color_scheme: Some("dark".to_owned()), ..ContextOptions::default() };
    let in_browser = |kind| Plan { wanted: Wanted { kind, ..WANTED }, options: dark.clone(), ..plan() };
    let refused =
        sessions.open(in_browser(BrowserKind::Firefox), &Subject::default(), &scope()).await.unwrap_err();
    assert!(matches!(refused, SessionRefused::Unsupported { browser: "Firefox", .. }), "{refused}");
    assert!(fakes.started().is_empty() && sessions.count() == 0);
    sessions.open(in_browser(BrowserKind::Chromium), &Subject::default(), &scope()).await.unwrap();
}
