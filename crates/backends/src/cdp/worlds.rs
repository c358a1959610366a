//! Finding the world of scripts that a frame's document has now, and calling into it for as long as it is there.
//!
//! While a navigation of the topmost frame waits for its server, Chromium holds back whatever is sent to the page's
//! process, scripts included, with any domain enabled or none. `Page.stopLoading` lets it go on; a call's own time limit
//! is the engine's.

use engine::backend::{BackendError, FrameId, World};
use futures_util::FutureExt;
use wire::cdp::types::{page, runtime};
use wire::cdp::{Call, Command, Session};

use super::frames::Realm;
use super::page::Page;
use super::refusal::Place;
use super::settings::UTILITY_WORLD;

impl Page {
    /// The world of scripts in a frame's document. Between two documents it waits for the next.
    pub(super) async fn realm(&self, frame: &FrameId, world: World) -> Result<Realm, BackendError> {
        let mut changes = self.changes();
        loop {
            changes.borrow_and_update();
            let session = {
                let frames = self.frames();
                let frame = frames.get(frame).ok_or(BackendError::FrameGone)?;
                if let Some(realm) = frame.realm(world) {
                    return Ok(realm.clone());
                }
                if frame.crashed && frame.parent.is_some() {
                    return Err(BackendError::FrameGone);
                }
                frame.session.clone()
            };
            self.want_realm(frame, world, &session).await?;
            if self.frames().get(frame).is_some_and(|frame| frame.realm(world).is_some()) {
                continue;
            }
            self.while_alive(Place::Page, || changes.changed().map(|_| Ok(()))).await?;
        }
    }

    /// Has the browser make a world where it made none yet: a blank document has none until somebody wants it.
    async fn want_realm(&self, frame: &FrameId, world: World, session: &Session) -> Result<(), BackendError> {
        let made = match world {
            World::Utility => {
                let create = page::CreateIsolatedWorld {
                    world_name: Some(UTILITY_WORLD.to_owned()),
                    ..page::CreateIsolatedWorld::new(frame.as_str())
                };
                self.call(session, &create).await.map(drop)
            }
            World::Main => {
                let touch = runtime::Evaluate::new("0");
                self.call(session, &touch).await.map(drop)
            }
        };
        match made {
            // The frame is between two processes or documents: its next world is told by an event.
            Err(BackendError::Refused { .. } | BackendError::DocumentGone) => Ok(()),
            made => made,
        }
    }

    /// Waits for a call into `realm`, but not past its document's end.
    pub(super) async fn in_realm<C: Command>(
        &self,
        realm: &Realm,
        call: Call<C>,
    ) -> Result<C::Response, BackendError> {
        let answer = self.while_alive(Place::Frame, || call);
        let answer = tokio::select! {
            biased;
            answer = answer => answer,
            () = realm.gone.cancelled() => Err(BackendError::DocumentGone),
        };
        match answer {
            // A world without a document, in a process that takes the place of the one that died.
            Err(BackendError::DocumentGone) if self.has_crashed() => Err(self.why_gone()),
            answer => answer,
        }
    }
}
