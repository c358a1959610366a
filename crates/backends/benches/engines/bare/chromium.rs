//! The DevTools protocol on a pipe.

use anyhow::Context;
use backends::browsers::Places;
use backends::browsers::chromium::{Choice, Launch, Sandbox, find, flags};
use futures_util::future::BoxFuture;
use supervise::{Descriptors, Ladder, Spec, Supervisor, Tree};
use wire::cdp::types::{browser, emulation, input, page, runtime, target};
use wire::cdp::{Connection, Events, Session};
use wire::transport::pipe;

use super::{Browser, Step, Tab};
use crate::page::BUTTON;

pub(super) struct Chromium {
    connection: Connection,
    tree: Tree,
    _events: Events,
}

impl Chromium {
    pub(super) async fn start(supervisor: &Supervisor) -> anyhow::Result<Self> {
        let places = Places::of_environment(|name| std::env::var_os(name), None);
        let executable = find(&Choice::default(), &places)?;
        let profile = tempfile::tempdir()?.keep();
        let launch = Launch {
            profile: profile.clone(),
            headless: true,
            sandbox: Sandbox::Off,
            confined: false,
            extra: Vec::new(),
        };
        let pair = pipe::pair()?;
        let descriptors = Descriptors::new().pass(3, pair.browser_reads).pass(4, pair.browser_writes);
        let spec = Spec::new(&executable.path, &profile)
            .args(flags(&executable, &launch))
            .remove_afterwards(&profile);
        let (tree, _output) = supervisor.spawn_passing(&spec, descriptors).await?;
        let (connection, events) = Connection::open(pair.inbound, pair.outbound);
        connection.call(&browser::GetVersion::new()).await?;
        Ok(Self { connection, tree, _events: events })
    }
}

impl Browser for Chromium {
    fn open<'a>(&'a mut self, url: &'a str) -> Step<'a, Box<dyn Tab>> {
        Box::pin(async move {
            let context = self.connection.call(&target::CreateBrowserContext::new()).await?;
            let blank = target::CreateTarget {
                browser_context_id: Some(context.browser_context_id),
                ..target::CreateTarget::new("about:blank")
            };
            let created = self.connection.call(&blank).await?;
            let attached =
                self.connection.call(&target::AttachToTarget::new(created.target_id, true)).await?;
            let session = self.connection.session(attached.session_id.clone());
            let mut events =
                self.connection.events(&attached.session_id).context("the session has no events")?;
            session.call(&page::Enable::new()).await?;
            session.call(&emulation::SetDeviceMetricsOverride::new(1280_i64, 720_i64, 1.0, false)).await?;
            session.call(&page::Navigate::new(url)).await?;
            while !events.next().await?.is::<page::LoadEventFired>() {}
            Ok(Box::new(Page { session, _events: events }) as Box<dyn Tab>)
        })
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            self.connection.close();
            self.tree.stop(Ladder::default()).await;
        })
    }
}

struct Page {
    session: Session,
    _events: Events,
}

impl Tab for Page {
    fn click(&mut self) -> Step<'_, ()> {
        use input::MouseEventType::{Moved, Pressed, Released};
        Box::pin(async move {
            let mut batch = self.session.batch();
            let at = (f64::from(BUTTON.0), f64::from(BUTTON.1));
            let event = |kind| input::DispatchMouseEvent {
                button: Some(input::MouseButton::Left),
                click_count: Some(1),
                ..input::DispatchMouseEvent::new(kind, at.0, at.1)
            };
            let sent: Vec<_> =
                [Moved, Pressed, Released].into_iter().map(|kind| batch.add(&event(kind))).collect();
            batch.send();
            for call in sent {
                call.await?;
            }
            Ok(())
        })
    }

    fn evaluate<'a>(&'a mut self, expression: &'a str) -> Step<'a, String> {
        Box::pin(async move {
            let evaluate =
                runtime::Evaluate { return_by_value: Some(true), ..runtime::Evaluate::new(expression) };
            let value = self.session.call(&evaluate).await?.result.value;
            let value = value.context("the script has no value")?;
            Ok(value.as_str().context("the value is no text")?.to_owned())
        })
    }
}
