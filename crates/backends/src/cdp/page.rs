//! A page: its sessions, what is known of its frames, and the engine's trait over them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use base::{Followers, Following};
use engine::backend::{
    self, Argument, BackendError, DialogId, Dropped, FrameId, Handle, InputEvent, Modifiers, PageId, Picture,
    Point, Question, RequestId, Shot, Started, Viewport, Work,
};
use futures_util::FutureExt;
use serde_json::value::RawValue;
use tokio::sync::{oneshot, watch};
use wire::cdp::Session;
use wire::cdp::types::ids::TargetId;
use wire::cdp::types::{input, page};

use super::bodies::Bodies;
use super::frames::Frames;
use super::life::Life;
use super::refusal::Place;
use super::screens::{Screens, Window};
use super::settings::Settings;
use super::telling::{self, Told};
pub(super) use crate::sync::lock;

/// A tab or popup.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) id: PageId,
    pub(super) target: TargetId,
    pub(super) main_frame: FrameId,
    /// The session of its topmost frame, which it keeps as long as it lives.
    pub(super) session: Session,
    pub(super) settings: Arc<Settings>,
    window: Arc<Window>,
    frames: Mutex<Frames>,
    /// Counts the changes of `frames`.
    pub(super) changed: watch::Sender<u64>,
    pub(super) life: watch::Sender<Life>,
    /// Whether it took what its context is to be, once that is known.
    pub(super) equipped: watch::Sender<Option<Result<(), BackendError>>>,
    pub(super) dialog: Mutex<Option<DialogId>>,
    /// Who waits for the browser to say that something is being dragged.
    pub(super) dragged: Mutex<Option<oneshot::Sender<input::DragData>>>,
    /// Whose turn it is to move the mouse.
    pub(super) hands: tokio::sync::Mutex<()>,
    /// Itself, for what must go on when its caller has gone.
    pub(super) me: Weak<Self>,
    pub(super) viewport: Mutex<Viewport>,
    pub(super) bodies: Mutex<Bodies>,
    pub(super) followers: Followers,
}

impl Page {
    pub(super) fn new(
        target: TargetId,
        session: Session,
        settings: Arc<Settings>,
        screens: Arc<Screens>,
    ) -> (Arc<Self>, Following) {
        let main_frame = FrameId::from(target.as_str());
        let (followers, following) = base::followers();
        let page = Arc::new_cyclic(|me| Self {
            id: target.as_str().into(),
            frames: Mutex::new(Frames::new(main_frame.clone(), session.clone())),
            viewport: Mutex::new(settings.viewport()),
            window: Arc::new(Window::new(session.clone(), screens)),
            target,
            main_frame,
            session,
            settings,
            changed: watch::Sender::new(0),
            life: watch::Sender::new(Life::default()),
            equipped: watch::Sender::new(None),
            dialog: Mutex::default(),
            dragged: Mutex::default(),
            hands: tokio::sync::Mutex::default(),
            me: me.clone(),
            bodies: Mutex::default(),
            followers,
        });
        (page, following)
    }

    /// The frames as they are now. Held for a moment only.
    pub(super) fn frames(&self) -> MutexGuard<'_, Frames> {
        lock(&self.frames)
    }

    /// Changes the frames, and wakes whoever waits for that.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Frames) -> T) -> T {
        let changed = change(&mut self.frames());
        self.changed.send_modify(|count| *count += 1);
        changed
    }

    /// Wakes at every change of the frames.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Moves the window of a page that has shown nothing yet to a screen that suits a page of this size.
    pub(super) fn fit_window(&self, viewport: Viewport) -> Told {
        let window = self.window.clone();
        async move { window.fit(viewport).await }.boxed()
    }

    async fn size(&self, viewport: Viewport) -> Result<(), BackendError> {
        let sizing = || async {
            self.window.refit(viewport).await?;
            telling::all(telling::viewport(viewport).send(&self.session)).await
        };
        self.while_alive(Place::Page, sizing).await?;
        *lock(&self.viewport) = viewport;
        Ok(())
    }
}

impl backend::Page for Page {
    fn id(&self) -> &PageId {
        &self.id
    }

    fn caught_up(&self) -> Work<'_, ()> {
        Box::pin(async move {
            self.followers.follow().await;
            Ok(())
        })
    }

    fn navigate(&self, frame: &FrameId, url: &str, referrer: Option<&str>) -> Work<'_, Started> {
        let (frame, url, referrer) = (frame.clone(), url.to_owned(), referrer.map(str::to_owned));
        Box::pin(async move { self.go(&frame, url, referrer).await })
    }

    fn reload(&self, ignore_cache: bool) -> Work<'_, ()> {
        Box::pin(async move {
            self.revive();
            let reload = page::Reload { ignore_cache: Some(ignore_cache), ..page::Reload::new() };
            self.call(&self.session, &reload).await.map(drop)
        })
    }

    fn travel(&self, delta: i32) -> Work<'_, bool> {
        Box::pin(self.travel_history(delta))
    }

    fn stop(&self) -> Work<'_, ()> {
        Box::pin(async move { self.call(&self.session, &page::StopLoading::new()).await.map(drop) })
    }

    fn ask(&self, frame: &FrameId, question: &Question) -> Work<'_, Box<RawValue>> {
        let (frame, question) = (frame.clone(), question.clone());
        Box::pin(async move { self.ask_script(&frame, &question, None).await })
    }

    fn ask_for_node(&self, frame: &FrameId, question: &Question) -> Work<'_, Option<Handle>> {
        let (frame, question) = (frame.clone(), question.clone());
        Box::pin(async move { self.ask_script_for_node(&frame, &question).await })
    }

    fn ask_about(&self, element: &Handle, question: &Question) -> Work<'_, Box<RawValue>> {
        let (element, question) = (element.clone(), question.clone());
        Box::pin(async move { self.ask_script(&element.frame, &question, Some(&element)).await })
    }

    fn evaluate(&self, frame: &FrameId, function: &str, arguments: Vec<Argument>) -> Work<'_, Box<RawValue>> {
        let (frame, function) = (frame.clone(), function.to_owned());
        Box::pin(async move { self.evaluate_function(&frame, function, arguments).await })
    }

    fn interrupt(&self) -> Work<'_, ()> {
        Box::pin(self.end_scripts())
    }

    fn release(&self, handle: Handle) {
        self.let_go(&handle);
    }

    fn content_frame(&self, element: &Handle) -> Work<'_, Option<FrameId>> {
        let element = element.clone();
        Box::pin(async move { self.frame_in(&element).await })
    }

    fn frame_element(&self, frame: &FrameId) -> Work<'_, Handle> {
        let frame = frame.clone();
        Box::pin(async move { self.element_around(&frame).await })
    }

    fn input(&self, events: Vec<InputEvent>) -> Work<'_, ()> {
        Box::pin(async move { self.hand(&events).await })
    }

    fn drag(&self, path: Vec<Point>, modifiers: Modifiers) -> Work<'_, ()> {
        Box::pin(self.drag_along(path, modifiers))
    }

    fn drop_from_outside(&self, at: Point, dropped: Dropped) -> Work<'_, ()> {
        Box::pin(self.drop_at(at, dropped))
    }

    fn set_files(&self, input: &Handle, files: Vec<PathBuf>) -> Work<'_, ()> {
        let input = input.clone();
        Box::pin(async move { self.give_files(&input, files).await })
    }

    fn picture(&self, shot: Shot) -> Work<'_, Picture> {
        Box::pin(self.take_picture(shot))
    }

    fn set_viewport(&self, viewport: Viewport) -> Work<'_, ()> {
        Box::pin(self.size(viewport))
    }

    fn answer_dialog(&self, dialog: &DialogId, accept: bool, text: Option<&str>) -> Work<'_, ()> {
        let (dialog, text) = (dialog.clone(), text.map(str::to_owned));
        Box::pin(async move { self.handle_dialog(&dialog, accept, text).await })
    }

    fn request_body(&self, request: &RequestId) -> Work<'_, Option<Vec<u8>>> {
        let request = request.clone();
        Box::pin(async move { self.sent_body(&request).await })
    }

    fn response_body(&self, request: &RequestId) -> Work<'_, Vec<u8>> {
        let request = request.clone();
        Box::pin(async move { self.received_body(&request).await })
    }

    fn bring_to_front(&self) -> Work<'_, ()> {
        Box::pin(async move { self.call(&self.session, &page::BringToFront::new()).await.map(drop) })
    }

    fn pdf(&self) -> Work<'_, Vec<u8>> {
        Box::pin(self.print())
    }

    fn close(&self, ask_first: bool) -> Work<'_, ()> {
        Box::pin(self.shut(ask_first))
    }
}
