//! What bootstrap.js tells us over the console.

use std::sync::Arc;

use engine::backend::{FrameId, PageEvent};
use serde::Deserialize;
use serde_json::Value;
use wire::inspector::types::RemoteObject;

use super::page::{Page, lock};

/// A dialog as it is told.
#[derive(Debug, Deserialize)]
pub(super) struct SaidDialog {
    pub(super) kind: String,
    pub(super) number: u64,
    pub(super) message: String,
    pub(super) text: String,
    pub(super) url: String,
}

#[derive(Debug, Deserialize)]
struct SaidPopup {
    url: String,
    number: u64,
}

#[derive(Debug, Deserialize)]
struct SaidDownload {
    url: String,
    name: String,
}

/// The world of scripts that an object is of, by its name in the protocol.
pub(super) fn context_of(object: &str) -> Option<i64> {
    serde_json::from_str::<Value>(object).ok()?.get("injectedScriptId")?.as_i64()
}

/// What a line of ours tells of something that was thrown, as JSON.
pub(super) fn thrown(parameters: &[RemoteObject]) -> Option<String> {
    let text = |at: usize| parameters.get(at)?.value.as_ref()?.as_str();
    if text(1)? == "thrown" { read(text(2)?) } else { None }
}

impl Page {
    /// A line of ours: the token, what it is about, the data as JSON, and an object that tells the frame.
    pub(super) fn said(self: &Arc<Self>, parameters: &[RemoteObject]) {
        let text = |at: usize| parameters.get(at).and_then(|it| it.value.as_ref()).and_then(Value::as_str);
        let (Some(kind), Some(data)) = (text(1), text(2)) else { return };
        let object = parameters.iter().rev().find_map(|it| it.object_id.as_deref());
        let frame = object.and_then(context_of).and_then(|context| self.frames().with_context(context));
        match kind {
            "dialog" => read(data).into_iter().for_each(|dialog| self.dialog_opened(dialog)),
            "answered" => self.dialog_answered(),
            "handle" => {
                lock(&self.link).handle = read(data);
                self.change(|_| ());
            }
            "choosing" => self.choosers.send_modify(|choosers| choosers.asked += 1),
            "popup" => {
                if let Some(SaidPopup { url, number }) = read(data) {
                    self.popup_asked(frame, url, number);
                }
            }
            "download" => {
                if let Some(SaidDownload { url, name }) = read(data) {
                    self.downloads(&url, Some(name).filter(|name| !name.is_empty()));
                }
            }
            "dropped" => read::<String>(data).into_iter().for_each(|url| self.drops_download(&url)),
            _ => {
                if let Some(frame) = frame {
                    self.said_of_frame(kind, data, frame);
                }
            }
        }
    }

    fn said_of_frame(self: &Arc<Self>, kind: &str, data: &str, frame: FrameId) {
        match kind {
            "address" => {
                let Some(url) = read::<String>(data) else { return };
                let changed = self.change(|frames| {
                    let frame = frames.get_mut(&frame)?;
                    let changed = frame.url != url;
                    frame.url.clone_from(&url);
                    Some(changed)
                });
                if changed == Some(true) {
                    self.say(PageEvent::AddressChanged { frame, url });
                }
            }
            "marked" => self.change(|frames| {
                if let Some(frame) = frames.get_mut(&frame) {
                    frame.mark = read(data);
                }
            }),
            "following" => self.scheduled(&frame, true),
            "followed" => match read(data) {
                Some(true) => self.scheduled(&frame, false),
                _ => self.stays(&frame),
            },
            "parsed" => self.say(PageEvent::DomContentLoaded { frame }),
            "loaded" => self.loaded(&frame),
            _ => {}
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(data: &str) -> Option<T> {
    serde_json::from_str(data).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objects_name_tells_its_world() {
        assert_eq!(context_of(r#"{"injectedScriptId":7,"id":12}"#), Some(7));
        assert_eq!(context_of("something else"), None);
    }
}
