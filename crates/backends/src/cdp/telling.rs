//! Telling a session several things in one write.

use engine::backend::Viewport;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use wire::cdp::types::emulation;
use wire::cdp::{Batch, CallError, Command, Session};

/// An answer that is only waited for.
pub(super) type Told = BoxFuture<'static, Result<(), CallError>>;

/// Commands for one session that leave in one write.
pub(super) struct Telling<'a> {
    pub(super) batch: Batch<'a>,
    pub(super) told: Vec<Told>,
}

impl Telling<'_> {
    pub(super) fn add<C>(&mut self, command: &C)
    where
        C: Command + 'static,
        C::Response: Send,
    {
        self.told.push(self.batch.add(command).map_ok(drop).boxed());
    }

    pub(super) fn optional<C>(&mut self, command: Option<&C>)
    where
        C: Command + 'static,
        C::Response: Send,
    {
        if let Some(command) = command {
            self.add(command);
        }
    }

    pub(super) fn send(self) -> Vec<Told> {
        self.batch.send();
        self.told
    }
}

/// The commands that give a page its size.
pub(super) struct ViewportCommands {
    metrics: emulation::SetDeviceMetricsOverride,
    touch: emulation::SetTouchEmulationEnabled,
}

/// A page of this size; a phone has fingers.
pub(super) fn viewport(viewport: Viewport) -> ViewportCommands {
    let (width, height) = (i64::from(viewport.width), i64::from(viewport.height));
    let metrics = emulation::SetDeviceMetricsOverride {
        screen_width: Some(width),
        screen_height: Some(height),
        ..emulation::SetDeviceMetricsOverride::new(width, height, viewport.scale, viewport.mobile)
    };
    ViewportCommands { metrics, touch: emulation::SetTouchEmulationEnabled::new(viewport.mobile) }
}

impl ViewportCommands {
    pub(super) fn tell(&self, telling: &mut Telling<'_>) {
        telling.add(&self.metrics);
        telling.add(&self.touch);
    }

    /// Tells them to a page's session.
    pub(super) fn send(&self, session: &Session) -> Vec<Told> {
        let mut telling = Telling { batch: session.batch(), told: Vec::new() };
        self.tell(&mut telling);
        telling.send()
    }
}

/// Waits for all of them. A session that ended meanwhile has nothing to be told any more.
///
/// # Errors
/// The first refusal.
pub(super) async fn all(told: Vec<Told>) -> Result<(), CallError> {
    for answer in futures_util::future::join_all(told).await {
        match answer {
            Ok(()) | Err(CallError::SessionGone) => {}
            // Another page in the same process, which is of the same context, was told before.
            Err(CallError::Protocol { message, .. }) if message.contains("already in effect") => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
