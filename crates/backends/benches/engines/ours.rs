//! Everything through the engine and our back ends, as a session does it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use backends::browsers::Places;
use backends::browsers::{chromium, firefox, webkit};
use base::{Activity, CallScope, Deadline};
use engine::Target;
use engine::action::Click;
use engine::backend::{Browser, ContextOptions, Viewport};
use engine::context::Context;
use engine::page::{Page, WaitUntil};
use engine::snapshot::SnapshotOptions;
use supervise::Supervisor;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::figures::{Figures, What, Who};
use crate::memory;
use crate::page::COUNT;

const LIMIT: Duration = Duration::from_secs(60);

/// A browser of ours with one page.
pub(crate) struct Run {
    engine: Engine,
    browser: Arc<dyn Browser>,
    page: Page,
    contexts: Vec<Context>,
    clicked: usize,
    _profiles: tempfile::TempDir,
}

impl Run {
    pub(crate) async fn start(
        engine: Engine,
        supervisor: &Supervisor,
        url: &str,
        figures: &mut Figures,
    ) -> anyhow::Result<Self> {
        let profiles = tempfile::tempdir()?;
        let began = Instant::now();
        let browser = launch(engine, supervisor, profiles.path()).await?;
        figures.add(engine, What::StartUp, Who::Ours, millis(began));
        let (context, page) = session(&*browser, url).await?;
        figures.add(engine, What::FirstPage, Who::Ours, millis(began));
        figures.add(engine, What::Memory, Who::Ours, memory::of_browsers());
        Ok(Self { engine, browser, page, contexts: vec![context], clicked: 0, _profiles: profiles })
    }

    pub(crate) async fn session(&mut self, url: &str, figures: &mut Figures) -> anyhow::Result<()> {
        let began = Instant::now();
        let (context, _) = session(&*self.browser, url).await?;
        figures.add(self.engine, What::ExtraSession, Who::Ours, millis(began));
        self.contexts.push(context);
        Ok(())
    }

    pub(crate) async fn click(&mut self, figures: &mut Figures) -> anyhow::Result<()> {
        let button = Target::parse("button").map_err(|refused| anyhow!("{refused}"))?;
        let began = Instant::now();
        self.page.click(&button, &Click::default(), &scope()).await?;
        let counted = self.page.evaluate(COUNT, None, &scope()).await?;
        figures.add(self.engine, What::Click, Who::Ours, millis(began));
        self.clicked += 1;
        let expected = self.clicked.to_string();
        ensure!(counted.as_str() == Some(expected.as_str()), "{counted} clicks instead of {expected}");
        Ok(())
    }

    pub(crate) async fn snapshot(&mut self, figures: &mut Figures) -> anyhow::Result<()> {
        let began = Instant::now();
        let snapshot = self.page.snapshot(&SnapshotOptions::default(), &scope()).await?;
        figures.add(self.engine, What::Snapshot, Who::Ours, millis(began));
        ensure!(snapshot.whole().contains("Line 199"), "the snapshot ends early");
        Ok(())
    }

    pub(crate) async fn close(self) {
        self.browser.close(Deadline::after(LIMIT)).await;
    }
}

async fn launch(
    engine: Engine,
    supervisor: &Supervisor,
    profiles: &std::path::Path,
) -> anyhow::Result<Arc<dyn Browser>> {
    let places = Places::of_environment(|name| std::env::var_os(name), None);
    let deadline = Deadline::after(LIMIT);
    Ok(match engine {
        Engine::Chromium => {
            let options = chromium::LaunchOptions {
                executable: chromium::find(&chromium::Choice::default(), &places)?,
                headless: true,
                sandbox: chromium::Sandbox::On,
                args: Vec::new(),
                profiles: profiles.to_owned(),
                confined: false,
            };
            chromium::launch(supervisor, options, deadline).await?
        }
        Engine::Firefox => firefox::launch(supervisor, firefox_options(profiles)?, deadline).await?,
        Engine::Webkit => {
            let options = webkit::LaunchOptions {
                executable: webkit::find(&webkit::Choice::default(), &places)?,
                headless: true,
                args: Vec::new(),
                profiles: profiles.to_owned(),
                cache: Some(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("webkit")),
                confined: false,
            };
            webkit::launch(supervisor, options, deadline).await?
        }
    })
}

/// What a user has after the first start: a profile to copy from.
pub(crate) async fn prepare(engine: Engine, supervisor: &Supervisor) -> anyhow::Result<()> {
    if engine == Engine::Firefox {
        let profiles = tempfile::tempdir()?;
        firefox::prepare(supervisor, &firefox_options(profiles.path())?, Deadline::after(LIMIT)).await?;
    }
    Ok(())
}

fn firefox_options(profiles: &std::path::Path) -> anyhow::Result<firefox::LaunchOptions> {
    let places = Places::of_environment(|name| std::env::var_os(name), None);
    Ok(firefox::LaunchOptions {
        executable: firefox::find(&firefox::Choice::default(), &places)?,
        headless: true,
        args: Vec::new(),
        profiles: profiles.to_owned(),
        templates: Some(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("firefox")),
        home: None,
        confined: false,
        system_access: false,
    })
}

/// A context of its own with a page that is loaded.
async fn session(browser: &dyn Browser, url: &str) -> anyhow::Result<(Context, Page)> {
    let viewport = Viewport { width: 1280, height: 720, scale: 1.0, mobile: false };
    let options = ContextOptions { viewport: Some(viewport), ..ContextOptions::default() };
    let context = Context::open(browser, options, None).await?;
    let page = context.page(&scope()).await?;
    page.navigate(url, WaitUntil::Load, &scope()).await?;
    Ok((context, page))
}

fn scope() -> CallScope {
    CallScope::new(Deadline::after(LIMIT), CancellationToken::new(), Activity::default())
}

fn millis(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}
