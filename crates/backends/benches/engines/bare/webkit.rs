//! The remote inspector's socket, with a display for all processes and a process for each session.

use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

use anyhow::Context;
use backends::browsers::Places;
use backends::browsers::webkit::{Choice, Executable, find};
use futures_util::future::{BoxFuture, join_all};
use serde_json::{Value, json};
use supervise::{Ladder, Spec, Supervisor, Tree};
use tokio::net::TcpStream;
use wire::inspector::{Channel, Connection, Events, Notice, Notices, TargetKind, Wrapping};

use super::{Browser, Step, Tab, child};
use crate::page::BUTTON;

pub(super) struct Webkit {
    supervisor: Supervisor,
    executable: Executable,
    display: (Tree, String),
    /// Started and not used yet.
    ready: Option<Process>,
    trees: Vec<Tree>,
}

/// A browser process that is ours to automate.
struct Process {
    notices: Notices,
    automation: (Channel, Events),
}

impl Webkit {
    pub(super) async fn start(supervisor: &Supervisor) -> anyhow::Result<Self> {
        let places = Places::of_environment(|name| std::env::var_os(name), None);
        let executable = find(&Choice::default(), &places)?;
        let folder = tempfile::tempdir()?.keep();
        let server = executable.display.clone().context("there is no Xvfb")?;
        let flags = ["-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-noreset"];
        let spec = Spec::new(server, &folder).args(flags).remove_afterwards(&folder);
        let number = |line: &str| line.trim().parse::<u32>().ok();
        let (tree, number) = child::start(supervisor, &spec, number).await?;
        let display = (tree, format!(":{number}"));
        let mut webkit =
            Self { supervisor: supervisor.clone(), executable, display, ready: None, trees: Vec::new() };
        webkit.ready = Some(webkit.process().await?);
        Ok(webkit)
    }

    async fn process(&mut self) -> anyhow::Result<Process> {
        let home = tempfile::tempdir()?.keep();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let spec = Spec::new(&self.executable.path, &home)
            .args(["--automation"])
            .env("WEBKIT_INSPECTOR_SERVER", format!("127.0.0.1:{port}"))
            .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
            .env("HOME", &home)
            .env("DISPLAY", &self.display.1)
            .env("NO_AT_BRIDGE", "1")
            .remove_afterwards(&home);
        let (tree, mut output) = self.supervisor.spawn(&spec).await?;
        self.trees.push(tree);
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while output.read(&mut buffer).await.is_some() {}
        });
        let stream = loop {
            match TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await {
                Ok(stream) => break stream,
                // Nobody tells when a socket begins to listen.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        let (connection, mut notices) = Connection::open(stream);
        connection.start_automation("bench", false);
        let target = appeared(&mut notices, &TargetKind::Automation).await?;
        Ok(Process { notices, automation: connection.channel(target, Wrapping::Plain) })
    }
}

/// Waits for a target of this kind.
async fn appeared(notices: &mut Notices, kind: &TargetKind) -> anyhow::Result<u64> {
    loop {
        let notice = notices.next().await.context("the browser went away")?;
        if let Notice::Targets(targets) = notice
            && let Some(target) = targets.iter().find(|target| target.kind == *kind)
        {
            return Ok(target.id);
        }
    }
}

impl Browser for Webkit {
    fn open<'a>(&'a mut self, url: &'a str) -> Step<'a, Box<dyn Tab>> {
        Box::pin(async move {
            let mut process = match self.ready.take() {
                Some(process) => process,
                None => self.process().await?,
            };
            let automation = &process.automation.0;
            let window = json!({ "presentationHint": "Window" });
            let created: Value = automation.send("Automation.createBrowsingContext", window).read().await?;
            let handle = created["handle"].clone();
            let frame = json!({
                "handle": handle,
                "origin": { "x": 0, "y": 0 },
                "size": { "width": 1280, "height": 720 },
            });
            automation.send("Automation.setWindowFrameOfBrowsingContext", frame).await?;
            let there = json!({ "handle": handle, "url": url, "pageLoadStrategy": "Normal" });
            automation.send("Automation.navigateBrowsingContext", there).await?;
            let target = appeared(&mut process.notices, &TargetKind::Page).await?;
            let page = automation.connection().channel(target, Wrapping::Wrapped);
            Ok(Box::new(Page { process, page, handle, listens: false }) as Box<dyn Tab>)
        })
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let display = self.display.0;
            join_all(self.trees.into_iter().map(|tree| tree.stop(Ladder::default()))).await;
            display.stop(Ladder::default()).await;
        })
    }
}

struct Page {
    process: Process,
    page: (Channel, Events),
    handle: Value,
    /// Whether it is told of the page's documents.
    listens: bool,
}

impl Tab for Page {
    fn click(&mut self) -> Step<'_, ()> {
        Box::pin(async move {
            for interaction in ["Move", "SingleClick"] {
                let params = json!({
                    "handle": self.handle,
                    "position": { "x": BUTTON.0, "y": BUTTON.1 },
                    "button": if interaction == "Move" { "None" } else { "Left" },
                    "interaction": interaction,
                    "modifiers": [],
                });
                self.process.automation.0.send("Automation.performMouseInteraction", params).await?;
            }
            Ok(())
        })
    }

    fn is_deaf(&self) -> bool {
        !self.listens
    }

    /// From then on WebKit paints the whole window anew after each layout, where it paints by itself (its inspector's overlay
    /// asks for that, whether it is shown or not).
    fn listen(&mut self) -> Step<'_, ()> {
        Box::pin(async move {
            self.page.0.send("Page.enable", json!({})).await?;
            self.listens = true;
            Ok(())
        })
    }

    fn evaluate<'a>(&'a mut self, expression: &'a str) -> Step<'a, String> {
        Box::pin(async move {
            // The page's process is announced after the channel was opened.
            while self.page.0.inner().is_none() {
                self.page.1.next().await.context("the page went away")?;
            }
            let params = json!({ "expression": expression, "returnByValue": true });
            let answer: Value = self.page.0.send("Runtime.evaluate", params).read().await?;
            Ok(answer["result"]["value"].as_str().with_context(|| format!("no text: {answer}"))?.to_owned())
        })
    }
}
