//! Calls in the worlds of scripts of a page's documents, for as long as those are there.

use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, FrameId, World};
use serde_json::{Value, json};
use wire::bidi::types::ids::RealmId;
use wire::bidi::types::script::{CallFunction, Evaluated};

use super::frame::{Realm, target};
use super::page::Page;
use super::refusal::is_left;

/// So much later than its document a world may be told of.
const TOLD: Duration = Duration::from_secs(1);
/// So much later the arrival of a document may be told whose world is there.
const SOON: Duration = Duration::from_millis(400);
/// So long an answer may take from a world that was asked before it was known.
const ANSWERED: Duration = Duration::from_secs(1);

impl Page {
    /// Calls a function in a world of a frame's document, for as long as that is there.
    pub(super) async fn call_in(
        &self,
        frame: &FrameId,
        world: World,
        function: &str,
        arguments: Vec<Value>,
    ) -> Result<Evaluated, BackendError> {
        if world == World::Main && *frame == self.main_frame {
            self.first_document().await?;
        }
        let moves = self.moves();
        let answer = self.call_known(frame, world, function, arguments).await;
        if *frame == self.main_frame && matches!(answer, Err(BackendError::DocumentGone)) {
            self.all_worlds_are_told(moves).await;
        }
        match &answer {
            Err(BackendError::DocumentGone) if self.frames().is_bare() => self.crash_is_told(moves).await,
            Err(error) if is_without_process(error) => self.crash_is_told(moves).await,
            _ => {}
        }
        match answer {
            Ok(answer) => {
                self.frames().learn_realm(frame, world, &answer.realm);
                self.arrival_is_told(frame, world, &answer.realm).await;
                Ok(answer)
            }
            Err(error) if is_without_process(&error) && self.has_crashed() => Err(self.why_gone()),
            Err(BackendError::DocumentGone) if self.has_ended() || self.has_crashed() => Err(self.why_gone()),
            // The frame may be gone, and not only its document.
            Err(BackendError::DocumentGone) if self.frames().get(frame).is_none() => {
                Err(BackendError::FrameGone)
            }
            Err(error) => Err(error),
        }
    }

    /// Calls a function in a world as it is known. What the next document answers to a question of ours is no answer: it was
    /// about the one before. A function of the user's belongs to none.
    async fn call_known(
        &self,
        frame: &FrameId,
        world: World,
        function: &str,
        arguments: Vec<Value>,
    ) -> Result<Evaluated, BackendError> {
        self.world_is_told(frame, world).await;
        let realm = self.frames().realm(frame, world).ok_or(BackendError::FrameGone)?;
        let call = CallFunction {
            arguments: Some(arguments),
            user_activation: (world == World::Main).then_some(true),
            serialization_options: Some(json!({ "maxObjectDepth": 0, "maxDomDepth": 0 })),
            ..CallFunction::new(function, true, target(frame, world))
        };
        let sent = async {
            let answer = self.connection.send(&call).await;
            if answer.as_ref().is_err_and(is_left) {
                // That the world is gone may be told after the answer, and who hears of it asks what else is.
                let _ = Deadline::after(TOLD).race(realm.gone.cancelled()).await;
            }
            answer
        };
        let answer = tokio::select! {
            biased;
            answer = self.while_alive(|| sent) => answer?,
            () = lost(&realm) => return Err(BackendError::DocumentGone),
        };
        match &realm.id {
            Some(asked) if *asked != answer.realm => {
                self.next_world_is_told(frame, world, asked).await;
                if world == World::Main { Ok(answer) } else { Err(BackendError::DocumentGone) }
            }
            _ => Ok(answer),
        }
    }

    /// Waits until a document that has answered is told as arrived: Firefox tells so by another way than its answers, and who
    /// has an answer of a document may ask where the page is.
    async fn arrival_is_told(&self, frame: &FrameId, world: World, realm: &RealmId) {
        let mut changes = self.changed.subscribe();
        if *frame == self.main_frame && self.frames().may_be_ahead(frame) {
            let before = self.frames().get(frame).map(|frame| frame.moves);
            let here = || self.frames().get(frame).map(|frame| frame.moves) == before;
            let told = async { while here() && changes.changed().await.is_ok() {} };
            // Some worlds belong to no new document.
            let _ = Deadline::after(SOON).race(told).await;
        }
        let waits =
            || self.frames().is_ahead(frame, world, realm) && !self.has_ended() && !self.has_crashed();
        let told = async { while waits() && changes.changed().await.is_ok() {} };
        // A navigation that is given up has no arrival.
        let _ = Deadline::after(TOLD).race(told).await;
    }

    /// Waits for a world that is sure to be told of: that its document is there may be told a moment before. Worlds of ours in
    /// frames are not always there before they are asked.
    async fn world_is_told(&self, frame: &FrameId, world: World) {
        if world == World::Utility && *frame != self.main_frame {
            return;
        }
        let mut changes = self.changed.subscribe();
        let waits = || self.frames().expects(frame, world) && !self.has_ended() && !self.has_crashed();
        let told = async { while waits() && changes.changed().await.is_ok() {} };
        // Nothing was told; the browser may know better.
        let _ = Deadline::after(TOLD).race(told).await;
    }

    /// Waits until a world that has answered in another one's place is told of.
    async fn next_world_is_told(&self, frame: &FrameId, world: World, before: &RealmId) {
        let mut changes = self.changed.subscribe();
        let waits = || {
            let known = self.frames().realm(frame, world);
            let missing = known.is_some_and(|known| known.id.is_none() || known.is(before));
            missing && !self.has_ended() && !self.has_crashed()
        };
        let told = async { while waits() && changes.changed().await.is_ok() {} };
        let _ = Deadline::after(TOLD).race(told).await;
        self.frames().forget_realm(frame, world, before);
    }

    /// Waits for the first document of a page that is on its way to it: what a script does in the blank one before is lost.
    async fn first_document(&self) -> Result<(), BackendError> {
        let mut changes = self.changed.subscribe();
        let waits = || {
            let frames = self.frames();
            let main = frames.get(&self.main_frame);
            main.is_some_and(|main| main.moves == 0 && main.pending.is_some())
        };
        while waits() {
            let changed = async {
                // The sender is ours.
                let _ = changes.changed().await;
                Ok(())
            };
            self.while_alive(|| changed).await?;
        }
        Ok(())
    }
}

/// Waits until nothing that was asked in a world is answered any more.
async fn lost(realm: &Realm) {
    realm.gone.cancelled().await;
    if realm.id.is_none() {
        // A world has come that was not known. It may be the very one that was asked, which answers then; what was asked in one
        // before it is never answered.
        tokio::time::sleep(ANSWERED).await;
    }
}

/// Whether a page is in the browser's own process, where no script of ours runs: the one that Firefox shows after a crash is.
fn is_without_process(error: &BackendError) -> bool {
    const PARENT: &str = "not supported for parent process browsing contexts";
    matches!(error, BackendError::Refused { reason, .. } if reason.contains(PARENT))
}
