//! A page whose browser is the test.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::backend::{
    Argument, BackendError, DialogId, Dropped, FrameId, Handle, InputEvent, Modifiers, OpenedPage, Page,
    PageEvent, PageId, Picture, Point, Question, RequestId, Shot, Started, Viewport, Work,
};

/// A page whose browser is the test.
#[derive(Debug)]
pub struct FakePage {
    id: PageId,
    events: UnboundedSender<PageEvent>,
    script: Mutex<Script>,
}

/// What the page answers and what it was asked.
#[derive(Debug, Default)]
struct Script {
    started: Vec<Started>,
    answers: HashMap<&'static str, Vec<Value>>,
    asked: Vec<String>,
    input: Vec<InputEvent>,
}

impl FakePage {
    /// A blank page, as a context would hand it out, and the handle by which the test plays the browser.
    pub fn open() -> (Arc<Self>, OpenedPage) {
        Self::open_as("page")
    }

    /// The same with another name.
    pub fn open_as(id: &str) -> (Arc<Self>, OpenedPage) {
        let (events, received) = unbounded_channel();
        let page = Arc::new(Self { id: id.into(), events, script: Mutex::default() });
        let opened =
            OpenedPage { page: page.clone(), events: received, main_frame: "main".into(), opener: None };
        (page, opened)
    }

    /// Something happens in the page.
    pub fn happen(&self, event: PageEvent) {
        // A page that nobody listens to any more may still do things.
        let _ = self.events.send(event);
    }

    /// What the next navigation comes to.
    pub fn will_navigate(&self, started: Started) {
        self.script().started.push(started);
    }

    /// What the next question to `method` is answered with.
    pub fn will_answer(&self, method: &'static str, answer: Value) {
        self.script().answers.entry(method).or_default().push(answer);
    }

    /// Everything that was asked, in order: `navigate http://x`, `click {…}`.
    pub fn asked(&self) -> Vec<String> {
        self.script().asked.clone()
    }

    /// Everything that a hand did.
    pub fn hand(&self) -> Vec<InputEvent> {
        self.script().input.clone()
    }

    fn script(&self) -> std::sync::MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, what: String) {
        self.script().asked.push(what);
    }

    /// An answer that was scripted; a question that nobody scripted is never answered.
    fn answer(&self, question: &Question) -> Work<'_, Box<RawValue>> {
        let mut script = self.script();
        script.asked.push(format!("{} {}", question.method, question.argument));
        let scripted = script.answers.get_mut(question.method).filter(|answers| !answers.is_empty());
        match scripted.map(|answers| answers.remove(0)) {
            Some(answer) => {
                let raw = to_raw_value(&answer).map_err(|error| unscripted(&error.to_string()));
                Box::pin(std::future::ready(raw))
            }
            None => Box::pin(std::future::pending()),
        }
    }
}

fn unscripted(what: &str) -> BackendError {
    BackendError::Refused { request: what.to_owned(), reason: "the fake browser has no answer".to_owned() }
}

pub(super) fn done<T: Send + 'static>(value: T) -> Work<'static, T> {
    Box::pin(std::future::ready(Ok(value)))
}

impl Page for FakePage {
    fn id(&self) -> &PageId {
        &self.id
    }

    fn navigate(&self, _: &FrameId, url: &str, _: Option<&str>) -> Work<'_, Started> {
        self.note(format!("navigate {url}"));
        let mut script = self.script();
        if script.started.is_empty() {
            return Box::pin(std::future::pending());
        }
        done(script.started.remove(0))
    }

    fn reload(&self, _: bool) -> Work<'_, ()> {
        self.note("reload".to_owned());
        done(())
    }

    fn travel(&self, delta: i32) -> Work<'_, bool> {
        self.note(format!("travel {delta}"));
        done(true)
    }

    fn stop(&self) -> Work<'_, ()> {
        self.note("stop".to_owned());
        done(())
    }

    fn ask(&self, _: &FrameId, question: &Question) -> Work<'_, Box<RawValue>> {
        self.answer(question)
    }

    fn ask_for_node(&self, frame: &FrameId, question: &Question) -> Work<'_, Option<Handle>> {
        self.note(format!("{} {}", question.method, question.argument));
        done(Some(Handle { frame: frame.clone(), object: "node".into() }))
    }

    fn ask_about(&self, _: &Handle, question: &Question) -> Work<'_, Box<RawValue>> {
        self.answer(question)
    }

    fn evaluate(&self, _: &FrameId, function: &str, _: Vec<Argument>) -> Work<'_, Box<RawValue>> {
        self.answer(&Question::new("evaluate", function))
    }

    fn interrupt(&self) -> Work<'_, ()> {
        self.note("interrupt".to_owned());
        done(())
    }

    fn release(&self, _: Handle) {}

    fn content_frame(&self, _: &Handle) -> Work<'_, Option<FrameId>> {
        done(None)
    }

    fn frame_element(&self, frame: &FrameId) -> Work<'_, Handle> {
        done(Handle { frame: frame.clone(), object: "owner".into() })
    }

    fn input(&self, events: Vec<InputEvent>) -> Work<'_, ()> {
        self.script().input.extend(events);
        done(())
    }

    fn drag(&self, path: Vec<Point>, _: Modifiers) -> Work<'_, ()> {
        self.note(format!("drag over {} points", path.len()));
        done(())
    }

    fn drop_from_outside(&self, _: Point, dropped: Dropped) -> Work<'_, ()> {
        self.note(format!("drop {} files", dropped.files.len()));
        done(())
    }

    fn set_files(&self, _: &Handle, files: Vec<PathBuf>) -> Work<'_, ()> {
        self.note(format!("files {files:?}"));
        done(())
    }

    fn picture(&self, _: Shot) -> Work<'_, Picture> {
        self.note("picture".to_owned());
        done(Picture { bytes: b"picture".to_vec() })
    }

    fn set_viewport(&self, viewport: Viewport) -> Work<'_, ()> {
        self.note(format!("viewport {}x{}", viewport.width, viewport.height));
        done(())
    }

    fn answer_dialog(&self, dialog: &DialogId, accept: bool, text: Option<&str>) -> Work<'_, ()> {
        self.note(format!("dialog {accept} {text:?}"));
        self.happen(PageEvent::DialogClosed { id: dialog.clone() });
        done(())
    }

    fn request_body(&self, _: &RequestId) -> Work<'_, Option<Vec<u8>>> {
        done(None)
    }

    fn response_body(&self, request: &RequestId) -> Work<'_, Vec<u8>> {
        done(format!("body of {request}").into_bytes())
    }

    fn bring_to_front(&self) -> Work<'_, ()> {
        done(())
    }

    fn pdf(&self) -> Work<'_, Vec<u8>> {
        let instead = "use Chromium";
        Box::pin(std::future::ready(Err(BackendError::Unsupported { what: "PDF", instead })))
    }

    fn close(&self, _: bool) -> Work<'_, ()> {
        self.happen(PageEvent::Closed);
        done(())
    }
}
