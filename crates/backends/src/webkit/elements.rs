//! Elements that the engine holds, and which frame is in which of them.
//!
//! The protocol tells neither. But every window knows its place among the frames of its parent, and may be compared with
//! them, whatever sites they are of.

use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, FrameId, Handle};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};
use wire::inspector::types;

use super::evaluate::{HELD, node};
use super::frames::Realm;
use super::page::{Page, lock};

/// The place of an element's frame among those of its document: less than none for one in a shadow tree, which has none.
const PLACE_OF_CHILD: &str = "function () {
    const child = this.contentWindow;
    if (!child) return null;
    for (let at = 0; at < window.length; at++) if (window[at] === child) return at;
    return -1;
}";
/// Sends a mark to the frame of an element.
const MARK_CHILD: &str = "function (mark) { this.contentWindow.postMessage(mark, '*'); }";
/// How long it may take until the frame of an element is known.
const KNOWN: Duration = Duration::from_secs(5);
/// How long a mark may take to be told.
const MARKED: Duration = Duration::from_secs(2);
/// The same, asked of the frame, where bootstrap.js does not answer: in a document that runs no scripts.
const PLACE: &str =
    "(() => { for (let at = 0; at < parent.length; at++) if (parent[at] === window) return at; })()";

/// What is in an element.
#[derive(Debug)]
enum Inside {
    Frame(FrameId),
    Nothing,
    /// A frame that has not been told yet, or is between two documents.
    Unknown,
}

impl Page {
    pub(super) fn let_go(&self, handle: &Handle) {
        drop(self.channel().send("Runtime.releaseObject", json!({ "objectId": &*handle.object })));
    }

    /// The place of a frame among those of its parent.
    pub(super) async fn place_of(&self, realm: &Realm) -> Result<Option<u64>, BackendError> {
        let ask = lock(&self.owner()?.recipe).ask("place", &Value::Null);
        let told = self.expression(realm, &ask).await?.value;
        match told.as_ref().and_then(Value::as_f64) {
            Some(place) => Ok(whole(place)),
            None => Ok(self.expression(realm, PLACE).await?.value.and_then(|told| whole(told.as_f64()?))),
        }
    }

    pub(super) async fn frame_in(&self, element: &Handle) -> Result<Option<FrameId>, BackendError> {
        let found = async {
            loop {
                match self.look_in(element).await? {
                    Inside::Frame(frame) => return Ok(Some(frame)),
                    Inside::Nothing => return Ok(None),
                    Inside::Unknown => self.learn_frames().await?,
                }
            }
        };
        Deadline::after(KNOWN).race(found).await.unwrap_or(Ok(None))
    }

    async fn look_in(&self, element: &Handle) -> Result<Inside, BackendError> {
        let realm = self.realm(&element.frame).await?;
        let place = self.call_on(&realm, &element.object, PLACE_OF_CHILD, &[], false).await?;
        let Ok(Some(place)) = serde_json::from_str::<Option<f64>>(place.get()) else {
            return Ok(Inside::Nothing);
        };
        // What is told of frames before this answer is known now.
        self.follow().await;
        let Some(place) = whole(place) else {
            return Ok(self.marked_frame(&realm, element).await?.map_or(Inside::Nothing, Inside::Frame));
        };
        let below = self.frames().below(&element.frame);
        let mut asked: FuturesUnordered<_> = below
            .into_iter()
            .map(|frame| async {
                let told = match self.realm(&frame).await {
                    Ok(realm) => self.place_of(&realm).await,
                    Err(error) => Err(error),
                };
                (frame, told)
            })
            .collect();
        let mut silent = None;
        while let Some((frame, told)) = asked.next().await {
            match told {
                Ok(told) if told == Some(place) => return Ok(Inside::Frame(frame)),
                // It may be another one.
                Err(BackendError::Unsupported { what, instead }) => {
                    silent = Some(BackendError::Unsupported { what, instead });
                }
                // It went away meanwhile, or has another document.
                Ok(_) | Err(BackendError::FrameGone | BackendError::DocumentGone) => {}
                Err(error) => return Err(error),
            }
        }
        silent.map_or(Ok(Inside::Unknown), Err)
    }

    /// The frame of an element that has no place among the others.
    async fn marked_frame(&self, realm: &Realm, element: &Handle) -> Result<Option<FrameId>, BackendError> {
        let mark = self.mark()?;
        self.call_on(realm, &element.object, MARK_CHILD, &[json!({ "value": mark })], false).await?;
        let marked = self.until(|page| {
            let frames = page.frames();
            let found = frames.all().find(|(_, frame)| frame.mark.as_ref() == Some(&mark));
            found.map(|(id, _)| id.clone())
        });
        Deadline::after(MARKED).race(marked).await.map_or(Ok(None), |frame| frame.map(Some))
    }

    /// The element around a frame that has no place among the others.
    async fn marked_element(
        &self,
        realm: &Realm,
        parent: &FrameId,
    ) -> Result<types::RemoteObject, BackendError> {
        let mark = self.mark()?;
        let send = format!("parent.postMessage({}, '*')", json!(mark));
        self.expression(realm, &send).await?;
        let marked = self.until(|page| {
            let frames = page.frames();
            frames.get(parent).is_none_or(|frame| frame.mark.as_ref() == Some(&mark)).then_some(())
        });
        if let Ok(marked) = Deadline::after(MARKED).race(marked).await {
            marked?;
        }
        let ask = lock(&self.owner()?.recipe).ask("marker", &Value::Null);
        self.expression(&self.realm(parent).await?, &ask).await
    }

    /// A mark that was never sent before.
    fn mark(&self) -> Result<String, BackendError> {
        let mark = uuid::Uuid::new_v4().simple().to_string();
        Ok(lock(&self.owner()?.recipe).name(&mark))
    }

    pub(super) async fn element_around(&self, frame: &FrameId) -> Result<Handle, BackendError> {
        let parent = {
            let frames = self.frames();
            frames.get(frame).ok_or(BackendError::FrameGone)?.parent.clone()
        };
        let refused = |reason: &str| BackendError::Refused {
            request: "frame_element".to_owned(),
            reason: reason.to_owned(),
        };
        let parent = parent.ok_or_else(|| refused("the topmost frame lies in no element"))?;
        let realm = self.realm(frame).await?;
        let found = match self.place_of(&realm).await? {
            Some(place) => {
                let ask = lock(&self.owner()?.recipe).ask("holder", &place);
                self.expression(&self.realm(&parent).await?, &ask).await?
            }
            None => self.marked_element(&realm, &parent).await?,
        };
        let found = node(&parent, HELD, found)?;
        found.ok_or(BackendError::FrameGone)
    }
}

/// A place as scripts tell it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the place of a frame")]
fn whole(place: f64) -> Option<u64> {
    (place >= 0.0).then_some(place as u64)
}
