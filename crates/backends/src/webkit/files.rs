//! Giving files to the page.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::backend::{BackendError, FrameId, Handle, PageEvent};
use serde_json::{Value, json};

use super::context::ContextInner;
use super::evaluate::node;
use super::page::{Page, lock};
use crate::dragged::kind_of;

/// How long the input of a file chooser is looked for before the chooser is told without it.
const CHOOSER: Duration = Duration::from_secs(2);

/// How long a chooser may take to open once a page has asked for it.
const ASKED: Duration = Duration::from_secs(1);

/// How often a page asked for a file chooser, and how much of that was told.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Choosers {
    pub(super) asked: u64,
    told: u64,
}

/// Puts files into an input as a user's choice does.
const GIVE: &str = "function (files) {
    const transfer = new DataTransfer();
    for (const { name, kind, modified, data } of files) {
        const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: kind, lastModified: modified }));
    }
    this.files = transfer.files;
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new Event('change', { bubbles: true }));
    return null;
}";

/// Leaves an input with bootstrap.js, and takes it from there, without the files that it has: the automation session would
/// add to them.
const HOLD: &str = "function (name) {
    window.dispatchEvent(new CustomEvent(name, { detail: { given: this } }));
    return null;
}";
const HELD: &str = "function (name) {
    const box = {};
    window.dispatchEvent(new CustomEvent(name, { detail: box }));
    if (box.answer) box.answer.value = '';
    return box.answer;
}";

/// What the automation session answers: a text.
#[derive(serde::Deserialize)]
struct Answer {
    result: String,
}

/// The name of a node in such an answer: `{"session-node-…": "node-…"}`.
fn node_name(answer: &str) -> Option<String> {
    let answer: serde_json::Map<String, Value> = serde_json::from_str(answer).ok()?;
    answer.iter().find(|(key, _)| key.starts_with("session-node-"))?.1.as_str().map(str::to_owned)
}

impl Page {
    /// Gives files to an input as a user does; where the automation session can't, a script puts them in.
    pub(super) async fn give_files(&self, input: &Handle, files: Vec<PathBuf>) -> Result<(), BackendError> {
        if !files.is_empty() {
            match self.choose_files(input, &files).await {
                Err(error @ BackendError::Refused { .. }) => {
                    tracing::debug!(component = "webkit", event = "files_not_chosen", %error);
                }
                chosen => return chosen,
            }
        }
        let files = read_files(files).await?;
        let realm = self.realm(&input.frame).await?;
        self.call_on(&realm, &input.object, GIVE, &[json!({ "value": files })], true).await.map(drop)
    }

    /// The automation session knows an element only by a name of its own, which it gives to what a script of its own answers.
    async fn choose_files(&self, input: &Handle, files: &[PathBuf]) -> Result<(), BackendError> {
        let (hold, held) = {
            let owner = self.owner()?;
            let recipe = lock(&owner.recipe);
            (recipe.name("hold"), recipe.name("held"))
        };
        let realm = self.realm(&input.frame).await?;
        self.call_on(&realm, &input.object, HOLD, &[json!({ "value": hold })], false).await?;
        let frame = self.automated_frame(&input.frame).await?;
        let ask = |handle: &str| {
            json!({
                "browsingContextHandle": handle, "frameHandle": frame, "function": HELD,
                "arguments": [json!(held).to_string()],
            })
        };
        let answer = self.automate("Automation.evaluateJavaScriptFunction", ask).await?;
        let node = answer.read::<Answer>().ok().and_then(|answer| node_name(&answer.result));
        let node = node.ok_or_else(|| BackendError::Refused {
            request: "to find the input".to_owned(),
            reason: "the automation session does not know it".to_owned(),
        })?;
        let give = |handle: &str| {
            json!({
                "browsingContextHandle": handle, "frameHandle": frame, "nodeHandle": node, "filenames": files,
            })
        };
        self.automate("Automation.setFilesForInputFileUpload", give).await.map(drop)
    }

    /// What the automation session calls a frame: nothing for the topmost, and so on by the places of the frames in it.
    async fn automated_frame(&self, frame: &FrameId) -> Result<String, BackendError> {
        let mut places = Vec::new();
        let mut at = frame.clone();
        loop {
            let parent = self.frames().get(&at).ok_or(BackendError::FrameGone)?.parent.clone();
            let Some(parent) = parent else { break };
            places.push(self.place_of(&self.realm(&at).await?).await?.ok_or(BackendError::FrameGone)?);
            at = parent;
        }
        let mut name = String::new();
        for place in places.into_iter().rev() {
            let resolve = |handle: &str| json!({ "browsingContextHandle": handle, "frameHandle": name, "ordinal": place });
            let resolved = self.automate("Automation.resolveChildFrameHandle", resolve).await?;
            name =
                resolved.read::<Answer>().map(|answer| answer.result).map_err(|_| BackendError::FrameGone)?;
        }
        Ok(name)
    }

    /// Tells of a file chooser, with the input that asked for it if one of the documents knows.
    async fn tell_chooser(&self) {
        let Ok(owner) = self.owner() else { return };
        let ask = lock(&owner.recipe).ask("chooser", &Value::Null);
        let realms: Vec<_> = {
            let frames = self.frames();
            frames.all().filter_map(|(id, frame)| Some((id.clone(), frame.realm()?.clone()))).collect()
        };
        let mut input = None;
        for (frame, realm) in realms {
            let found = self.expression(&realm, &ask).await.and_then(|found| node(&frame, "chooser", found));
            input = input.or(found.ok().flatten());
        }
        let mut multiple = false;
        if let Some(input) = &input
            && let Ok(realm) = self.realm(&input.frame).await
        {
            let asked =
                self.call_on(&realm, &input.object, "function () { return this.multiple; }", &[], false);
            multiple = asked.await.is_ok_and(|answer| answer.get() == "true");
        }
        self.chosen(input, multiple);
    }

    fn chosen(&self, input: Option<Handle>, multiple: bool) {
        self.say(PageEvent::FileChooser { input, multiple });
        self.choosers.send_modify(|choosers| choosers.told = choosers.asked);
    }

    /// Waits for the file chooser that the input just now asked for: what a click led to is told before it is over.
    pub(super) async fn chooser_told(&self) {
        // What the page said before the browser answered may still wait for its turn.
        self.follow().await;
        let mut choosers = self.choosers.subscribe();
        let told = choosers.wait_for(|choosers| choosers.told >= choosers.asked);
        if Deadline::after(ASKED).race(told).await.is_err() {
            // A page may ask and then think better of it.
            self.choosers.send_modify(|choosers| choosers.told = choosers.asked);
        }
    }
}

/// Files as a script takes them.
pub(super) async fn read_files(files: Vec<PathBuf>) -> Result<Vec<Value>, BackendError> {
    let mut read = Vec::with_capacity(files.len());
    for file in files {
        let refused = |error: std::io::Error| BackendError::Refused {
            request: format!("to read {}", file.display()),
            reason: error.to_string(),
        };
        let bytes = tokio::fs::read(&file).await.map_err(refused)?;
        let modified = tokio::fs::metadata(&file).await.and_then(|metadata| metadata.modified()).ok();
        let modified = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        read.push(json!({
            "kind": kind_of(&name),
            "name": name,
            "modified": modified.map(|since| since.as_millis() as u64).unwrap_or_default(),
            "data": STANDARD.encode(&bytes),
        }));
    }
    Ok(read)
}

impl ContextInner {
    /// A page asked for a file chooser, which the browser shows to nobody.
    pub(super) fn chooser(self: &Arc<Self>, handle: &str) {
        let page =
            self.every_page().into_iter().find(|page| lock(&page.link).handle.as_deref() == Some(handle));
        if let Some(page) = page {
            tokio::spawn(async move {
                if Deadline::after(CHOOSER).race(page.tell_chooser()).await.is_err() {
                    page.chosen(None, false);
                }
            });
        }
    }
}
