//! The binary `e2e-mcp-server`: reads its options, starts the tools, serves them over MCP until something ends it.

#![allow(dead_code, unused_imports)]

mod config;
mod ending;
#[cfg(test)]
mod generated;
mod mcp;
mod run;
mod tools;
mod words;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use config::Transport;
use ending::{Closing, Parent};

fn main() -> ExitCode {
    let parent = Parent::now();
    let transport = match transport(std::env::args().skip(1)) {
        Ok(transport) => transport,
        Err(error) => return fail(&error),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&anyhow::Error::from(error).context("can't start the runtime")),
    };
    let closing = Closing::default();
    let code = runtime.block_on(run::run(&transport, Arc::new(NoTools), &closing, parent));
    // A read of standard input that blocks a thread must not keep the process.
    runtime.shutdown_background();
    code.unwrap_or_else(|error| fail(&error.into()))
}

fn fail(error: &anyhow::Error) -> ExitCode {
    // Standard error may be closed; the exit code says the same.
    let _ = writeln!(std::io::stderr(), "e2e-mcp-server: {error:#}");
    ExitCode::FAILURE
}

/// Stands in until the options are resolved from flags, environment and file.
fn transport(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Transport> {
    let mut host = std::net::IpAddr::from([127, 0, 0, 1]);
    let mut port = None;
    while let Some(flag) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| anyhow::anyhow!("{flag} needs a value"));
        match flag.as_str() {
            "--port" => port = Some(value()?.parse()?),
            "--host" => host = value()?.parse()?,
            _ => drop(value()?),
        }
    }
    Ok(port.map_or(Transport::Stdio, |port| Transport::Http { host, port }))
}

/// Stands in until the toolbox is made from the options.
struct NoTools;

impl mcp::Tools for NoTools {
    fn listed(&self) -> &[tools::ListedTool] {
        &[]
    }

    fn knows(&self, _: &str) -> bool {
        false
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        _: serde_json::Map<String, serde_json::Value>,
        _: tools::Caller,
    ) -> futures_util::future::BoxFuture<'a, tools::Reply> {
        let text = format!("unknown tool `{name}`");
        let reply =
            tools::Reply { content: vec![tools::Content::Text(text)], structured: None, is_error: true };
        Box::pin(std::future::ready(reply))
    }
}
