//! The size of a page: that of its window, less what the browser draws around it.

use std::time::Duration;

use base::Deadline;
use engine::backend::{Argument, BackendError, Viewport};
use serde_json::json;
use wire::inspector::types;

use super::page::{Page, lock};

/// How often the window is corrected.
const TRIES: usize = 4;
/// A page that tells its size no sooner is not waited for.
const BUSY: Duration = Duration::from_secs(2);

/// Resolves when the page has the size, or after a moment with the one that it has.
const SIZED: &str = "(width, height) => new Promise(done => {
    const now = () => [innerWidth, innerHeight];
    const fits = () => innerWidth === width && innerHeight === height;
    if (fits()) return done(now());
    const look = () => { if (fits()) end(); };
    const end = () => { removeEventListener('resize', look, true); clearTimeout(timer); done(now()); };
    const timer = setTimeout(end, 250);
    addEventListener('resize', look, true);
})";

/// How much larger a window is than its page.
pub(crate) type Around = (i64, i64);

impl Page {
    /// Gives it another size. The scale is the browser's, which has begun with it.
    pub(super) async fn size(&self, viewport: Viewport) -> Result<(), BackendError> {
        let begun = self.owner()?.options.viewport.map_or(1.0, |begun| begun.scale);
        if viewport.scale.total_cmp(&begun).is_ne() {
            return Err(BackendError::Unsupported {
                what: "another device scale for a page that is open",
                instead: "open a new session with that scale, or use Chromium or Firefox",
            });
        }
        self.fit(viewport, false).await
    }

    /// Gives the window its size before the page can say whether it fits; whether that was done.
    pub(super) async fn frame_early(&self, viewport: Viewport) -> bool {
        let believed = *lock(&self.around);
        match believed {
            Some(around) => self.frame_window(inside(viewport), around).await.is_ok(),
            None => false,
        }
    }

    /// Has the page be as large as it should; the window may have its size already.
    pub(super) async fn fit(&self, viewport: Viewport, mut framed: bool) -> Result<(), BackendError> {
        let wanted = inside(viewport);
        let believed = *lock(&self.around);
        let mut around = match believed {
            Some(around) => around,
            None => self.look_around().await?,
        };
        for _ in 0..TRIES {
            if !std::mem::take(&mut framed) {
                self.frame_window(wanted, around).await?;
            }
            let size = [json!(wanted.0), json!(wanted.1)].map(Argument::Json);
            let Some(now) = self.measured(SIZED, size.into()).await? else { break };
            if now == wanted {
                *lock(&self.around) = Some(around);
                break;
            }
            around = (around.0 + wanted.0 - now.0, around.1 + wanted.1 - now.1);
        }
        *lock(&self.viewport) = Some(viewport);
        Ok(())
    }

    async fn frame_window(&self, wanted: (i64, i64), around: Around) -> Result<(), BackendError> {
        let frame = |handle: &str| {
            json!({
                "handle": handle, "origin": { "x": 0, "y": 0 },
                "size": { "width": wanted.0 + around.0, "height": wanted.1 + around.1 },
            })
        };
        self.automate("Automation.setWindowFrameOfBrowsingContext", frame).await.map(drop)
    }

    /// How much larger the window is than the page now.
    async fn look_around(&self) -> Result<Around, BackendError> {
        let window = self.automate("Automation.getBrowsingContext", |handle| json!({ "handle": handle }));
        let (window, page) =
            tokio::join!(window, self.measured("() => [innerWidth, innerHeight]", Vec::new()));
        let window = window?.read::<types::Window>().map(|window| window.context.window_size).ok();
        #[expect(clippy::cast_possible_truncation, reason = "a few thousand pixels at most")]
        let around = |window: types::WindowSize, page: (i64, i64)| {
            (window.width as i64 - page.0, window.height as i64 - page.1)
        };
        Ok(window.zip(page?).map_or((0, 0), |(window, page)| around(window, page)))
    }

    /// A width and a height that a script tells; nothing if the page is between two documents, or busy: it has its size soon.
    async fn measured(
        &self,
        script: &str,
        arguments: Vec<Argument>,
    ) -> Result<Option<(i64, i64)>, BackendError> {
        let told = self.evaluate_function(&self.main_frame, script, arguments);
        match Deadline::after(BUSY).race(told).await {
            Ok(Ok(told)) => Ok(serde_json::from_str(told.get()).ok()),
            Ok(Err(BackendError::DocumentGone | BackendError::DialogOpen)) | Err(_) => Ok(None),
            Ok(Err(error)) => Err(error),
        }
    }
}

fn inside(viewport: Viewport) -> (i64, i64) {
    (i64::from(viewport.width), i64::from(viewport.height))
}
