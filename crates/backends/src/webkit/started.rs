//! A browser process that was just started: its socket is taken over, and what it can do is looked at.

use std::path::PathBuf;
use std::sync::Arc;

use engine::backend::Gone;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::net::TcpStream;
use wire::inspector::{
    Channel, Commands, Connection, Events, Lacking, Notice, Notices, TargetKind, Wrapping,
};

/// The program behind a context.
pub(crate) trait Carrier: std::fmt::Debug + Send + Sync {
    /// Its own process, whose children draw the pages.
    fn pid(&self) -> u32;

    /// Ends it, whatever is left of it. Answers when nothing is.
    fn end(&self) -> BoxFuture<'_, ()>;

    /// The connection broke: it ends by itself, or has to be ended.
    fn abandoned(&self);

    /// Waits until nothing of it lives, and says how it ended.
    fn gone(&self) -> BoxFuture<'_, Gone>;
}

/// A browser process that answers and whose automation session has begun.
#[derive(Debug)]
pub(crate) struct Started {
    pub(super) connection: Connection,
    pub(super) notices: Notices,
    pub(super) automation: (Channel, Events),
    pub(super) pages: Vec<u64>,
    /// The program and its version.
    pub(crate) product: String,
    pub(crate) carrier: Arc<dyn Carrier>,
    /// Where the browser puts downloads.
    pub(crate) downloads: PathBuf,
}

/// Why a browser that was connected to can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("{0}")]
    Closed(wire::Closed),
    #[error(transparent)]
    Lacking(#[from] Lacking),
    #[error("it closed the connection before an automation session began")]
    Silent,
}

/// What every page of a context relies on.
const NEEDED: &[&str] = &[
    "Page.enable",
    "Page.navigate",
    "Page.reload",
    "Page.setBootstrapScript",
    "Page.getResourceTree",
    "Page.snapshotRect",
    "Page.getCookies",
    "Page.setCookie",
    "Page.deleteCookie",
    "Page.overrideUserAgent",
    "Page.overrideUserPreference",
    "Runtime.enable",
    "Runtime.evaluate",
    "Runtime.callFunctionOn",
    "Runtime.releaseObject",
    "Runtime.parse",
    "Console.enable",
    "Worker.enable",
    "Worker.initialized",
    "Worker.sendMessageToWorker",
    "Network.enable",
    "Network.getResponseBody",
    "Network.setExtraHTTPHeaders",
    "Network.setInterceptionEnabled",
    "Network.addInterception",
    "Network.interceptRequestWithResponse",
    "Network.interceptRequestWithError",
];

impl Started {
    /// Takes over the socket of a process that was just started.
    ///
    /// # Errors
    /// [`Unusable`].
    pub(crate) async fn connect(
        stream: TcpStream,
        insecure: bool,
        carrier: Arc<dyn Carrier>,
        downloads: PathBuf,
    ) -> Result<Self, Unusable> {
        let (connection, mut notices) = Connection::open(stream);
        connection.ask_commands();
        connection.start_automation(&uuid::Uuid::new_v4().to_string(), insecure);
        let mut product = None;
        loop {
            match notices.next().await {
                None => {
                    let why = connection.closed().now_or_never();
                    return Err(why.map_or(Unusable::Silent, Unusable::Closed));
                }
                Some(Notice::Commands(text)) => Commands::new(text).check(NEEDED)?,
                Some(Notice::Started { version, .. }) => product = Some(format!("WebKitGTK {version}")),
                Some(Notice::Targets(targets)) => {
                    let session = targets.iter().find(|target| target.kind == TargetKind::Automation);
                    if let (Some(session), Some(product)) = (session, &product) {
                        let automation = connection.channel(session.id, Wrapping::Plain);
                        let pages = targets.iter().filter(|target| target.kind == TargetKind::Page);
                        let pages = pages.map(|target| target.id).collect();
                        let product = product.clone();
                        return Ok(Self {
                            connection,
                            notices,
                            automation,
                            pages,
                            product,
                            carrier,
                            downloads,
                        });
                    }
                }
            }
        }
    }
}
