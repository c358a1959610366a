//! The binary `e2e-mcp-server`: reads its options, starts the tools, serves them over MCP until something ends it.

mod auth;
mod commands;
mod config;
mod ending;
#[cfg(test)]
mod generated;
mod logging;
mod mcp;
mod memory;
mod metrics;
mod run;
mod session;
mod tools;
mod words;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use config::{ConfigError, Environment, Options, Parsed, Transport};
use ending::{Closing, Parent};
use timebox::runners::RUNNERS;
use tools::{Family, Services, TOOLS, Toolbox};

/// The system's allocator keeps a heap per thread, and each keeps what it once needed: after a large page the server would
/// hold twice the memory for good. This one has two heaps for all threads, gives back what has been free for a second
/// while the server works (.cargo/config.toml) and everything after a session ([`memory`]), and its threads hardly wait
/// for each other (`cargo xtask bench http`, `cargo xtask bench load`).
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// A single heap that gives back what is free; its threads wait for each other. It needs no C compiler.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    #[cfg(unix)]
    supervise::watchdog::run_if_asked();
    #[cfg(unix)]
    devserver::adapter::keep_if_asked();
    if let Some(code) = commands::run_if_named() {
        return code;
    }
    let parent = Parent::now();
    match parsed() {
        Ok(Parsed::Run(options)) => serve(*options, parent).unwrap_or_else(|error| fail(&error, 1)),
        Ok(Parsed::Help(text) | Parsed::Version(text)) => print(&text),
        Err(error) => fail(&error, ConfigError::EXIT_CODE),
    }
}

fn parsed() -> anyhow::Result<Parsed> {
    let cwd = std::env::current_dir().context("the current folder can't be used")?;
    let environment: Environment = std::env::vars_os().collect();
    let runners: Vec<&str> = RUNNERS.iter().map(|runner| runner.name).collect();
    Ok(config::resolve(std::env::args_os().skip(1), &environment, &cwd, &runners)?)
}

fn serve(options: Options, parent: Parent) -> anyhow::Result<ExitCode> {
    let news = logging::News::default();
    let _log = logging::init(&options, news.clone())?;
    for warning in &options.warnings {
        tracing::warn!(component = "config", event = "odd_setting", "{warning}");
    }
    say_no_display(&options);
    let (transport, service) = (options.transport.clone(), options.service.clone());
    let services = Services::new(options, std::env::home_dir().as_deref(), std::env::var_os("PATH"))?;
    tracing::info!(component = "server", event = "started", version = env!("CARGO_PKG_VERSION"));
    let closing = Closing::default();
    closing.register(services.slot.clone());
    closing.register(Arc::new(services.sessions.clone()));
    let toolbox = Arc::new(Toolbox::new(TOOLS, services)?);
    // Two are enough to keep answering while one call computes; each costs memory.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(memory::THREADS)
        .on_thread_park(memory::before_sleep)
        .enable_all()
        .build()
        .context("the runtime can't start")?;
    runtime.spawn_blocking(end_leftovers);
    let code = runtime.block_on(run::run((&transport, &service), toolbox, &closing, parent, news));
    // A read of standard input that blocks a thread must not keep the process.
    runtime.shutdown_background();
    Ok(code?)
}

/// A browser without a window is no surprise to whoever was told.
fn say_no_display(options: &Options) {
    if !options.browser.no_display || !options.families.contains(&Family::Browser) {
        return;
    }
    const WORDS: &str =
        "there is no display, so browsers run headless; --headless says the same without this line";
    match options.transport {
        // The log goes to stderr.
        Transport::Stdio => tracing::warn!(component = "config", event = "no_display", "{WORDS}"),
        // Standard error may be closed; the server works without it.
        Transport::Http { .. } => drop(writeln!(std::io::stderr(), "e2e-mcp-server: {WORDS}")),
    }
}

/// An earlier server may have been killed together with its watchdogs.
fn end_leftovers() {
    let report = supervise::sweep_leftovers();
    if report != supervise::StopReport::default() {
        tracing::warn!(component = "server", event = "leftovers_ended", ended = ?report.ended, survivors = ?report.survivors);
    }
}

/// Help and version are what was asked for, so they go where answers go. A reader that is gone wants no more.
fn print(text: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn fail(error: &anyhow::Error, code: u8) -> ExitCode {
    // Standard error may be closed; the exit code says the same.
    let _ = writeln!(std::io::stderr(), "e2e-mcp-server: {error:#}");
    ExitCode::from(code)
}
