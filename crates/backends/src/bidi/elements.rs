//! Elements that the engine holds: the browser's own names for nodes, which hold in every world of their document.

use engine::backend::{BackendError, FrameId, Handle, World};
use serde_json::{Value, json};
use wire::bidi::types::browsing_context::LocateNodes;
use wire::bidi::types::ids::{BrowsingContextId, SharedId};
use wire::bidi::types::input;
use wire::bidi::types::script::SharedReference;

use super::page::Page;
use crate::doors::{INSET, Inset};

pub(super) fn handle(frame: &FrameId, id: &SharedId) -> Handle {
    Handle { frame: frame.clone(), object: id.as_str().into() }
}

/// An element as an argument.
pub(super) fn reference(handle: &Handle) -> Value {
    json!({ "sharedId": &*handle.object })
}

pub(super) fn context(frame: &FrameId) -> BrowsingContextId {
    frame.as_str().into()
}

impl Page {
    pub(super) async fn frame_in(&self, element: &Handle) -> Result<Option<FrameId>, BackendError> {
        let window = "element => element.contentWindow ?? null";
        let answer = self.call_in(&element.frame, World::Utility, window, vec![reference(element)]).await?;
        let answer = answer.result.filter(|answer| answer.r#type == "window").and_then(|answer| answer.value);
        let window: Option<Value> = answer.and_then(|value| serde_json::from_str(value.0.get()).ok());
        Ok(window.and_then(|window| window["context"].as_str().map(FrameId::from)))
    }

    /// How the pixels of the frame in an element lie in those of its document.
    pub(super) async fn inset(&self, element: &Handle) -> Result<Inset, BackendError> {
        let answer = self.call_in(&element.frame, World::Utility, INSET, vec![reference(element)]).await?;
        let text = answer.result.and_then(|inset| inset.value);
        let text: Option<String> = text.and_then(|text| serde_json::from_str(text.0.get()).ok());
        text.and_then(|text| Inset::read(&text)).ok_or(BackendError::DocumentGone)
    }

    pub(super) async fn element_around(&self, frame: &FrameId) -> Result<Handle, BackendError> {
        let refused = |reason: &str| BackendError::Refused {
            request: "frame_element".to_owned(),
            reason: reason.to_owned(),
        };
        let parent = self.frames().get(frame).ok_or(BackendError::FrameGone)?.parent.clone();
        let parent = parent.ok_or_else(|| refused("the topmost frame lies in no element"))?;
        let locator = json!({ "type": "context", "value": { "context": frame.as_str() } });
        let located = self.call(&LocateNodes::new(context(&parent), locator)).await?;
        let id = located.nodes.into_iter().find_map(|node| node.shared_id);
        id.map(|id| handle(&parent, &id)).ok_or(BackendError::FrameGone)
    }

    pub(super) async fn give_files(
        &self,
        input: &Handle,
        files: Vec<std::path::PathBuf>,
    ) -> Result<(), BackendError> {
        let mut names = Vec::with_capacity(files.len());
        for file in files {
            names.push(file.into_os_string().into_string().map_err(|file| BackendError::Refused {
                request: "input.setFiles".to_owned(),
                reason: format!("{} is not UTF-8, and the browser takes no other name", file.display()),
            })?);
        }
        let element = SharedReference::new(&*input.object);
        self.call(&input::SetFiles::new(context(&input.frame), element, names)).await.map(drop)
    }
}
