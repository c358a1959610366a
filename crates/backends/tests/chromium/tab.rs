//! A browser and its pages as a test wants them: everything that happens is kept, and waiting has an end.

use std::sync::Arc;
use std::time::Duration;

use backends::browsers::chromium::{self, Executable, LaunchOptions, Sandbox};
use base::Deadline;
use engine::backend::*;
use serde_json::{Value, json};
use supervise::Supervisor;
use testkit::bins;
use tokio::sync::mpsc::UnboundedReceiver;

/// Far more than any test here takes on a loaded machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

pub(crate) const SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// Runs a test with a browser, which is closed afterwards and must leave nothing.
pub(crate) async fn with_browser<F: Future<Output = ()>>(test: impl FnOnce(Arc<dyn Browser>) -> F) {
    let profiles = tempfile::tempdir().unwrap();
    let supervisor = Supervisor::with_watchdog(bins().watchdog());
    let work = async {
        let options = options(profiles.path());
        let browser = chromium::launch(&supervisor, options, Deadline::after(LIMIT)).await.unwrap();
        test(browser.clone()).await;
        browser.close(Deadline::after(LIMIT)).await;
    };
    tokio::time::timeout(LIMIT, work).await.expect("took too long");
    let left: Vec<_> =
        std::fs::read_dir(profiles.path().join("p")).unwrap().flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "{left:?} is left");
}

pub(crate) fn options(profiles: &std::path::Path) -> LaunchOptions {
    LaunchOptions {
        executable: Executable { path: SHELL.into(), shell: true },
        headless: true,
        sandbox: Sandbox::On,
        args: Vec::new(),
        profiles: profiles.join("p"),
        confined: false,
    }
}

/// A page with everything that has happened in it.
pub(crate) struct Tab {
    pub(crate) page: Arc<dyn Page>,
    pub(crate) main: FrameId,
    pub(crate) opener: Option<PageId>,
    events: UnboundedReceiver<PageEvent>,
    pub(crate) log: Vec<PageEvent>,
}

/// A context, and what happens in it.
pub(crate) struct Room {
    pub(crate) context: Arc<dyn Context>,
    events: UnboundedReceiver<ContextEvent>,
}

impl Room {
    pub(crate) async fn open(browser: &Arc<dyn Browser>, options: ContextOptions) -> Self {
        let OpenedContext { context, events } = browser.new_context(options).await.unwrap();
        Self { context, events }
    }

    pub(crate) async fn tab(&self) -> Tab {
        Tab::new(self.context.new_page().await.unwrap())
    }

    pub(crate) async fn next(&mut self) -> ContextEvent {
        in_time(self.events.recv()).await.expect("the context is closed")
    }

    /// The next page that another page opens.
    pub(crate) async fn popup(&mut self) -> Tab {
        match self.next().await {
            ContextEvent::Opened(opened) => Tab::new(opened),
            other => panic!("{other:?}"),
        }
    }

    /// What has happened by now.
    pub(crate) fn now(&mut self) -> Option<ContextEvent> {
        self.events.try_recv().ok()
    }
}

pub(crate) async fn in_time<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT / 3, work).await.expect("took too long")
}

/// A context of its own and a page in it.
pub(crate) async fn tab(browser: &Arc<dyn Browser>) -> (Room, Tab) {
    let room = Room::open(browser, ContextOptions::default()).await;
    let tab = room.tab().await;
    (room, tab)
}

impl Tab {
    pub(crate) fn new(opened: OpenedPage) -> Self {
        let OpenedPage { page, events, main_frame: main, opener } = opened;
        Self { page, main, opener, events, log: Vec::new() }
    }

    /// Waits for an event, from now or from before.
    pub(crate) async fn wait<T>(&mut self, look: impl Fn(&PageEvent) -> Option<T>) -> T {
        if let Some(seen) = self.log.iter().find_map(&look) {
            return seen;
        }
        loop {
            let event = match tokio::time::timeout(LIMIT / 3, self.events.recv()).await {
                Ok(event) => event.unwrap_or_else(|| panic!("the events ended: {:#?}", self.log)),
                Err(_) => panic!("nothing of the kind happened: {:#?}", self.log),
            };
            let seen = look(&event);
            self.log.push(event);
            if let Some(seen) = seen {
                return seen;
            }
        }
    }

    /// Forgets what has happened until now.
    pub(crate) fn forget(&mut self) {
        while self.events.try_recv().is_ok() {}
        self.log.clear();
    }

    /// The rest, until the page is closed.
    pub(crate) async fn rest(mut self) -> Vec<PageEvent> {
        while let Some(event) = in_time(self.events.recv()).await {
            self.log.push(event);
        }
        self.log
    }

    /// Goes somewhere and waits until everything is there.
    pub(crate) async fn go(&mut self, url: &str) {
        self.forget();
        let started = in_time(self.page.navigate(&self.main, url, None)).await.unwrap();
        let Started::Navigation(wanted) = started else { panic!("{started:?}") };
        self.wait(|event| match event {
            PageEvent::Committed { navigation: Some(navigation), .. } if *navigation == wanted => Some(()),
            _ => None,
        })
        .await;
        self.loaded(&self.main.clone()).await;
    }

    pub(crate) async fn loaded(&mut self, wanted: &FrameId) {
        self.wait(|event| matches!(event, PageEvent::Loaded { frame } if frame == wanted).then_some(()))
            .await;
    }

    /// The frame that appears in the topmost one, once it is loaded.
    pub(crate) async fn child(&mut self) -> FrameId {
        let frame = self
            .wait(|event| match event {
                PageEvent::FrameAttached { frame, .. } => Some(frame.clone()),
                _ => None,
            })
            .await;
        self.loaded(&frame).await;
        frame
    }

    pub(crate) async fn dialog(&mut self) -> Dialog {
        self.wait(|event| match event {
            PageEvent::DialogOpened(dialog) => Some(dialog.clone()),
            _ => None,
        })
        .await
    }

    /// The value of an expression in the page's own world.
    pub(crate) async fn evaluate(&self, expression: &str) -> Value {
        self.evaluate_in(&self.main, expression).await
    }

    pub(crate) async fn evaluate_in(&self, frame: &FrameId, expression: &str) -> Value {
        let function = format!("() => ({expression})");
        let raw = in_time(self.page.evaluate(frame, &function, Vec::new())).await.unwrap();
        serde_json::from_str(raw.get()).unwrap()
    }

    pub(crate) async fn click(&self, x: f64, y: f64) {
        in_time(self.page.input(click(x, y))).await.unwrap();
    }

    /// How many elements a CSS selector finds, by the injected script.
    pub(crate) async fn count(&self, frame: &FrameId, css: &str) -> Result<Value, BackendError> {
        let raw = in_time(self.page.ask(frame, &count(css))).await?;
        Ok(serde_json::from_str(raw.get()).unwrap())
    }
}

/// A selector as the injected script takes it.
pub(crate) fn selector(css: &str) -> Value {
    let selector = engine::locator::Selector::parse(css).unwrap();
    json!(selector)
}

pub(crate) fn count(css: &str) -> Question {
    Question::new("count", selector(css))
}

pub(crate) fn click(x: f64, y: f64) -> Vec<InputEvent> {
    let (at, button, clicks, modifiers) = (Point { x, y }, MouseButton::Left, 1, Modifiers::default());
    vec![
        InputEvent::Move { at, held: None, modifiers },
        InputEvent::Down { at, button, clicks, modifiers },
        InputEvent::Up { at, button, clicks, modifiers },
    ]
}
