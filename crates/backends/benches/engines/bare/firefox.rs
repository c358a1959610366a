//! WebDriver BiDi on its socket, with a new profile for each start.

use std::sync::Arc;

use anyhow::{Context, bail};
use backends::browsers::Places;
use backends::browsers::firefox::{Choice, find};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use supervise::{Ladder, Spec, Supervisor, Tree};
use tokio::sync::Mutex;
use wire::transport::endpoint::{Endpoint, HeaderMap};
use wire::transport::websocket::{self, WebSocketInbound, WebSocketOutbound};
use wire::transport::{Inbound as _, Outbound as _};

use super::{Browser, Step, Tab, child};
use crate::page::BUTTON;

pub(super) struct Firefox {
    socket: Arc<Mutex<Socket>>,
    tree: Tree,
}

struct Socket {
    inbound: WebSocketInbound,
    outbound: WebSocketOutbound,
    calls: u64,
}

impl Socket {
    async fn call(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        self.calls += 1;
        let message = json!({ "id": self.calls, "method": method, "params": params });
        self.outbound.send(vec![message.to_string().into()]).await?;
        loop {
            let mut heard: Value = serde_json::from_slice(&self.inbound.receive().await?)?;
            if heard["id"] != self.calls {
                continue;
            }
            if heard["type"] == "error" {
                bail!("{method}: {heard}");
            }
            return Ok(heard["result"].take());
        }
    }
}

impl Firefox {
    pub(super) async fn start(supervisor: &Supervisor) -> anyhow::Result<Self> {
        let places = Places::of_environment(|name| std::env::var_os(name), None);
        let executable = find(&Choice::default(), &places)?;
        let profile = tempfile::tempdir()?.keep();
        let flags = ["--headless", "--remote-debugging-port=0", "--no-remote", "--profile"];
        let spec = Spec::new(&executable.path, &profile)
            .args(flags)
            .args([&profile])
            .env("MOZ_DATA_REPORTING", "0")
            .remove_afterwards(&profile);
        let address = |line: &str| Some(line.split_once("BiDi listening on ")?.1.trim().to_owned());
        let (tree, address) = child::start(supervisor, &spec, address).await?;
        let endpoint = Endpoint::parse(&format!("{address}/session"), HeaderMap::new())?;
        let (inbound, outbound) = websocket::connect(&endpoint).await?;
        let mut socket = Socket { inbound, outbound, calls: 0 };
        socket.call("session.new", json!({ "capabilities": {} })).await?;
        Ok(Self { socket: Arc::new(Mutex::new(socket)), tree })
    }
}

impl Browser for Firefox {
    fn open<'a>(&'a mut self, url: &'a str) -> Step<'a, Box<dyn Tab>> {
        Box::pin(async move {
            let mut socket = self.socket.lock().await;
            let user = socket.call("browser.createUserContext", json!({})).await?["userContext"].take();
            let tab = json!({ "type": "tab", "userContext": user });
            let context = socket.call("browsingContext.create", tab).await?["context"].take();
            let viewport = json!({ "context": context, "viewport": { "width": 1280, "height": 720 } });
            socket.call("browsingContext.setViewport", viewport).await?;
            let there = json!({ "context": context, "url": url, "wait": "complete" });
            socket.call("browsingContext.navigate", there).await?;
            Ok(Box::new(Page { socket: self.socket.clone(), context }) as Box<dyn Tab>)
        })
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            self.tree.stop(Ladder::default()).await;
        })
    }
}

struct Page {
    socket: Arc<Mutex<Socket>>,
    context: Value,
}

impl Tab for Page {
    fn click(&mut self) -> Step<'_, ()> {
        Box::pin(async move {
            let actions = json!([
                { "type": "pointerMove", "x": BUTTON.0, "y": BUTTON.1 },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerUp", "button": 0 },
            ]);
            let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
            let params = json!({ "context": self.context, "actions": [mouse] });
            self.socket.lock().await.call("input.performActions", params).await?;
            Ok(())
        })
    }

    fn evaluate<'a>(&'a mut self, expression: &'a str) -> Step<'a, String> {
        Box::pin(async move {
            let target = json!({ "context": self.context });
            let params = json!({ "expression": expression, "target": target, "awaitPromise": false });
            let answer = self.socket.lock().await.call("script.evaluate", params).await?;
            Ok(answer["result"]["value"].as_str().with_context(|| format!("no text: {answer}"))?.to_owned())
        })
    }
}
