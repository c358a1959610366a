//! WebKit as a browser: a process for each context.

use std::sync::{Arc, Mutex};

use base::Deadline;
use engine::backend::{
    self, BackendError, BrowserKind, Capabilities, ContextOptions, Gone, Identity, OpenedContext, Proxy,
    Viewport, Work,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::context;
use super::page::lock;
use super::started::Started;
use super::viewport::Around;

/// What a process is started with, because it can't be told later.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) timezone: Option<String>,
    pub(crate) locale: Option<String>,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) insecure: bool,
    /// Device pixels for one of CSS, if there are several.
    pub(crate) scale: Option<u32>,
}

/// Whoever starts processes.
pub(crate) trait Launcher: std::fmt::Debug + Send + Sync {
    /// Starts one.
    fn start(&self, wish: Wish) -> BoxFuture<'_, Result<Started, BackendError>>;

    /// Waits until no process can be started any more.
    fn gone(&self) -> BoxFuture<'_, Gone>;

    /// Ends everything that was started.
    fn end(&self, deadline: Deadline) -> BoxFuture<'_, ()>;
}

/// A browser.
#[derive(Debug)]
pub(crate) struct Browser {
    identity: Identity,
    launcher: Arc<dyn Launcher>,
    /// The process that proved that it works, for the first context that it suits. Where contexts are confined it suits none,
    /// because each has a proxy of its own, and it is ended at once.
    first: Mutex<Option<Started>>,
    /// How much larger its windows are; one learns it from the other.
    around: Arc<Mutex<Option<Around>>>,
}

impl Browser {
    /// `around` is how much larger its windows are, if that is believed to be known.
    pub(crate) fn new(
        launcher: Arc<dyn Launcher>,
        first: Started,
        headed: bool,
        around: Option<Around>,
    ) -> Self {
        let identity = Identity { kind: BrowserKind::Webkit, product: first.product.clone(), headed };
        Self { identity, launcher, first: Mutex::new(Some(first)), around: Arc::new(Mutex::new(around)) }
    }

    /// Ends the first process, whose proof was all that was wanted of it.
    pub(crate) async fn end_first(&self) {
        let first = lock(&self.first).take();
        if let Some(first) = first {
            first.carrier.end().await;
        }
    }

    async fn open(&self, options: ContextOptions) -> Result<OpenedContext, BackendError> {
        let wish = Wish {
            timezone: options.timezone.clone(),
            locale: options.locale.clone(),
            proxy: options.proxy.clone(),
            insecure: options.ignore_https_errors,
            scale: options.viewport.map(whole_scale).transpose()?.filter(|scale| *scale > 1),
        };
        let ready = if wish == Wish::default() { lock(&self.first).take() } else { None };
        let started = match ready {
            Some(started) => started,
            None => self.launcher.start(wish).await?,
        };
        context::open(started, options, self.around.clone()).await
    }
}

/// The toolkit knows whole pixels only.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
fn whole_scale(viewport: Viewport) -> Result<u32, BackendError> {
    let scale = viewport.scale;
    if scale.fract() == 0.0 && (1.0..=8.0).contains(&scale) {
        return Ok(scale as u32);
    }
    Err(BackendError::Unsupported {
        what: "a device scale that is no whole number",
        instead: "use 1, 2 or 3, or Chromium or Firefox",
    })
}

impl backend::Browser for Browser {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            pdf: false,
            touch: false,
            real_drag: false,
            media_emulation: true,
            locale_emulation: true,
            // Scripts are told the position; the browser's own is not changed.
            geolocation: true,
            // Whole numbers; another one is refused.
            device_scale: true,
            response_bodies: true,
            // They are accepted without a word.
            beforeunload: false,
        }
    }

    fn new_context(&self, options: ContextOptions) -> Work<'_, OpenedContext> {
        Box::pin(self.open(options))
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        self.launcher.gone()
    }

    fn close(&self, deadline: Deadline) -> BoxFuture<'_, ()> {
        async move {
            self.end_first().await;
            self.launcher.end(deadline).await;
        }
        .boxed()
    }
}
