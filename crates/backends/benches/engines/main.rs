//! `cargo xtask bench engines`: what a browser costs through our back ends, beside what its bare protocol costs in the
//! same run: a client of a few lines that starts the same program, opens the same pages, and checks nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "a tool for people at a terminal")]

mod bare;
mod engine;
mod figures;
mod memory;
mod ours;
mod page;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use supervise::Supervisor;
use testkit::site::Site;

use self::engine::Engine;
use self::figures::{Figures, What};
use self::page::{CLICKS, PAGE, SESSIONS, SNAPSHOTS};

/// A start's time scatters, and the median of a few is luck.
const STARTS: usize = 9;
/// Before each session: some browsers make a process ready for the next page once they are idle, and whoever had less time for
/// that than the other would be the slower.
const REST: Duration = Duration::from_secs(2);
/// Before each click, at the least: a browser paints what a click changed after it has answered, and whoever comes next would
/// pay for it.
const PAINTED: Duration = Duration::from_millis(100);
/// A browser paints sixty times a second, and what a click costs depends on when it comes between two of these.
const FRAME: Duration = Duration::from_micros(16_667);

fn main() -> anyhow::Result<ExitCode> {
    // `cargo bench` adds a flag of its own.
    let only: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut figures = Figures::default();
    for engine in
        Engine::ALL.iter().filter(|engine| only.is_empty() || only.contains(&engine.name().to_owned()))
    {
        println!("measuring {} …", engine.name());
        runtime.block_on(measure(*engine, &mut figures)).with_context(|| engine.name())?;
    }
    Ok(figures.print())
}

/// Ours and the bare protocol in turns, so that a busy machine slows both.
async fn measure(engine: Engine, figures: &mut Figures) -> anyhow::Result<()> {
    let supervisor = Supervisor::with_watchdog(testkit::bins().watchdog());
    let site = Site::start()?;
    site.page("/", PAGE);
    let url = site.url("/");
    ours::prepare(engine, &supervisor).await?;
    // Alone, for its memory.
    for _ in 0..STARTS {
        ours::Run::start(engine, &supervisor, &url, figures).await?.close().await;
        bare::Run::start(engine, &supervisor, &url, figures).await?.close().await;
    }
    let known = &mut Figures::default();
    let mut ours = ours::Run::start(engine, &supervisor, &url, known).await?;
    let mut bare = bare::Run::start(engine, &supervisor, &url, known).await?;
    // Where it costs clicks something, both are told of documents; Chromium's bare client is so from the start on.
    if bare.is_deaf() {
        for click in 0..CLICKS {
            rest(click).await;
            bare.click(What::DeafClick, figures).await?;
        }
        bare.listen().await?;
    }
    for click in 0..CLICKS {
        rest(click).await;
        ours.click(figures).await?;
        rest(click).await;
        bare.click(What::Click, figures).await?;
    }
    bare.install().await?;
    for _ in 0..SNAPSHOTS {
        ours.snapshot(figures).await?;
        bare.snapshot(figures).await?;
    }
    for _ in 0..SESSIONS {
        tokio::time::sleep(REST).await;
        ours.session(&url, figures).await?;
        tokio::time::sleep(REST).await;
        bare.session(&url, figures).await?;
    }
    ours.close().await;
    bare.close().await;
    for what in What::ALL {
        figures.tell(engine, *what);
    }
    Ok(())
}

/// Until what was painted is painted, and then part of a frame, so that all clicks together come at every moment between two
/// frames: after equal pauses they would all come at the same, a good or a bad one.
async fn rest(click: usize) {
    let part = FRAME * u32::try_from(click % CLICKS).unwrap_or_default() / u32::try_from(CLICKS).unwrap_or(1);
    tokio::time::sleep(PAINTED + part).await;
}
