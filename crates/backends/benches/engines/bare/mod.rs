//! The same through the bare protocol: nothing is awaited that the protocol does not answer, nothing is checked but the
//! outcome.

mod child;
mod chromium;
mod firefox;
mod webkit;

use std::time::Instant;

use anyhow::ensure;
use futures_util::future::BoxFuture;
use supervise::Supervisor;

use crate::engine::Engine;
use crate::figures::{Figures, What, Who};
use crate::memory;
use crate::page::COUNT;

type Step<'a, T> = BoxFuture<'a, anyhow::Result<T>>;

/// A browser that was started and answers.
trait Browser: Send {
    /// Opens a page in a context of its own, and waits until it is loaded.
    fn open<'a>(&'a mut self, url: &'a str) -> Step<'a, Box<dyn Tab>>;

    /// Ends it.
    fn close(self: Box<Self>) -> BoxFuture<'static, ()>;
}

/// A page.
trait Tab: Send {
    /// Presses and releases the mouse on the button.
    fn click(&mut self) -> Step<'_, ()>;

    /// Whether the browser has told it nothing of the page's documents so far, and clicks cost less for that.
    fn is_deaf(&self) -> bool {
        false
    }

    /// Has the browser tell of the page's documents from then on.
    fn listen(&mut self) -> Step<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// The value of an expression, which is a text.
    fn evaluate<'a>(&'a mut self, expression: &'a str) -> Step<'a, String>;
}

/// A bare browser with one page.
pub(crate) struct Run {
    engine: Engine,
    browser: Box<dyn Browser>,
    tab: Box<dyn Tab>,
    clicked: usize,
}

impl Run {
    pub(crate) async fn start(
        engine: Engine,
        supervisor: &Supervisor,
        url: &str,
        figures: &mut Figures,
    ) -> anyhow::Result<Self> {
        let began = Instant::now();
        let mut browser: Box<dyn Browser> = match engine {
            Engine::Chromium => Box::new(chromium::Chromium::start(supervisor).await?),
            Engine::Firefox => Box::new(firefox::Firefox::start(supervisor).await?),
            Engine::Webkit => Box::new(webkit::Webkit::start(supervisor).await?),
        };
        figures.add(engine, What::StartUp, Who::Bare, millis(began));
        let tab = browser.open(url).await?;
        figures.add(engine, What::FirstPage, Who::Bare, millis(began));
        figures.add(engine, What::Memory, Who::Bare, memory::of_browsers());
        Ok(Self { engine, browser, tab, clicked: 0 })
    }

    pub(crate) async fn session(&mut self, url: &str, figures: &mut Figures) -> anyhow::Result<()> {
        let began = Instant::now();
        self.browser.open(url).await?;
        figures.add(self.engine, What::ExtraSession, Who::Bare, millis(began));
        Ok(())
    }

    /// See [`Tab::is_deaf`].
    pub(crate) fn is_deaf(&self) -> bool {
        self.tab.is_deaf()
    }

    /// See [`Tab::listen`].
    pub(crate) async fn listen(&mut self) -> anyhow::Result<()> {
        self.tab.listen().await
    }

    pub(crate) async fn click(&mut self, what: What, figures: &mut Figures) -> anyhow::Result<()> {
        let began = Instant::now();
        self.tab.click().await?;
        let counted = self.tab.evaluate(COUNT).await?;
        figures.add(self.engine, what, Who::Bare, millis(began));
        self.clicked += 1;
        ensure!(counted == self.clicked.to_string(), "{counted} clicks instead of {}", self.clicked);
        Ok(())
    }

    /// Makes the page ready for [`Run::snapshot`].
    pub(crate) async fn install(&mut self) -> anyhow::Result<()> {
        let install = format!("(window.script = {}, 'there')", engine::injected::script());
        self.tab.evaluate(&install).await.map(drop)
    }

    /// The injected script's own work, asked for in one question.
    pub(crate) async fn snapshot(&mut self, figures: &mut Figures) -> anyhow::Result<()> {
        let began = Instant::now();
        let yaml = self.tab.evaluate("JSON.stringify(window.script.snapshot({}))").await?;
        figures.add(self.engine, What::Snapshot, Who::Bare, millis(began));
        ensure!(yaml.contains("Line 199"), "the snapshot ends early");
        Ok(())
    }

    pub(crate) async fn close(self) {
        self.browser.close().await;
    }
}

fn millis(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}
