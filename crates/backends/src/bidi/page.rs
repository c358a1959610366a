//! A page: what is known of its frames, and the engine's trait over them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use engine::backend::{
    self, Argument, BackendError, DialogId, Dropped, FrameId, Handle, InputEvent, Modifiers, PageEvent,
    PageId, Picture, Point, Question, RequestId, Shot, Started, Viewport, Work,
};
use serde_json::value::RawValue;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use wire::bidi::Connection;
use wire::bidi::types::browsing_context;
use wire::bidi::types::ids::BrowsingContextId;

use super::context::ContextInner;
use super::dialogs::Open;
use super::frames::Frames;
use super::input::Hand;
use super::life::Life;
use super::network::Network;
use super::settings::Settings;
use crate::sync::lock;

/// So often a tab is put in front before somebody hears that it was not.
const ACTIVATIONS: usize = 5;

/// A tab or popup.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) id: PageId,
    pub(super) context: BrowsingContextId,
    pub(super) main_frame: FrameId,
    pub(super) connection: Connection,
    pub(super) settings: Arc<Settings>,
    pub(super) owner: Weak<ContextInner>,
    frames: Mutex<Frames>,
    /// Counts the changes of `frames`, of dialogs and of requests.
    pub(super) changed: watch::Sender<u64>,
    pub(super) life: watch::Sender<Life>,
    /// `None` once it is closed.
    told: Mutex<Option<UnboundedSender<PageEvent>>>,
    pub(super) network: Mutex<Network>,
    pub(super) dialog: Mutex<Option<Open>>,
    /// Whose turn it is to move the mouse, and what it did last.
    pub(super) hands: tokio::sync::Mutex<Hand>,
    /// Held while what the page loads is being stopped.
    pub(super) stopping: Arc<tokio::sync::Mutex<()>>,
    /// Itself, for what must go on when its caller has gone.
    pub(super) me: Weak<Self>,
    pub(super) viewport: Mutex<Viewport>,
}

impl Page {
    pub(super) fn new(
        context: BrowsingContextId,
        url: String,
        owner: &Arc<ContextInner>,
    ) -> (Arc<Self>, UnboundedReceiver<PageEvent>) {
        let main_frame = FrameId::from(context.as_str());
        let (told, events) = unbounded_channel();
        let page = Arc::new_cyclic(|me| Self {
            id: context.as_str().into(),
            frames: Mutex::new(Frames::new(main_frame.clone(), url)),
            viewport: Mutex::new(owner.settings.viewport()),
            context,
            main_frame,
            connection: owner.connection.clone(),
            settings: owner.settings.clone(),
            owner: Arc::downgrade(owner),
            changed: watch::Sender::new(0),
            life: watch::Sender::new(Life::default()),
            told: Mutex::new(Some(told)),
            network: Mutex::default(),
            dialog: Mutex::default(),
            hands: tokio::sync::Mutex::default(),
            stopping: Arc::default(),
            me: me.clone(),
        });
        (page, events)
    }

    /// Tells the engine; one that does not listen any more misses nothing.
    pub(super) fn tell(&self, event: PageEvent) {
        if let Some(told) = &*lock(&self.told) {
            let _ = told.send(event);
        }
    }

    /// The page is closed.
    pub(super) fn closed(&self) {
        // Told first: whoever's call ends by what follows can learn why.
        self.tell(PageEvent::Closed);
        lock(&self.told).take();
        self.end();
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

    async fn size(&self, viewport: Viewport) -> Result<(), BackendError> {
        let owner = self.owner.upgrade().ok_or(BackendError::PageGone)?;
        // A phone's page has a width of its own, for which Firefox would wait in vain: it gets its size as a desktop's.
        if viewport.mobile || lock(&self.viewport).mobile {
            owner.set_phone(self, false).await?;
        }
        let resize = browsing_context::SetViewport {
            context: Some(self.context.clone()),
            viewport: Some(browsing_context::Viewport::new(viewport.width, viewport.height)),
            device_pixel_ratio: Some(viewport.scale),
            ..browsing_context::SetViewport::new()
        };
        self.call(&resize).await?;
        *lock(&self.viewport) = viewport;
        if viewport.mobile { owner.set_phone(self, true).await } else { Ok(()) }
    }

    /// Firefox answers when the tab that was in front is hidden. When that one, which may be another session's, is closed meanwhile,
    /// the answer is about that.
    async fn activate(&self) -> Result<(), BackendError> {
        let activate = browsing_context::Activate::new(self.context.clone());
        for _ in 1..ACTIVATIONS {
            match self.call(&activate).await {
                Err(BackendError::DocumentGone) => {}
                answer => return answer.map(drop),
            }
        }
        self.call(&activate).await.map(drop)
    }
}

impl backend::Page for Page {
    fn id(&self) -> &PageId {
        &self.id
    }

    fn navigate(&self, frame: &FrameId, url: &str, _referrer: Option<&str>) -> Work<'_, Started> {
        let (frame, url) = (frame.clone(), url.to_owned());
        Box::pin(async move { self.go(&frame, url).await })
    }

    fn reload(&self, ignore_cache: bool) -> Work<'_, ()> {
        Box::pin(self.load_anew(ignore_cache))
    }

    fn travel(&self, delta: i32) -> Work<'_, bool> {
        Box::pin(self.travel_history(delta))
    }

    fn stop(&self) -> Work<'_, ()> {
        Box::pin(self.stop_loading())
    }

    fn caught_up(&self) -> Work<'_, ()> {
        Box::pin(async move {
            self.all_told().await;
            Ok(())
        })
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
        Box::pin(async move { self.evaluate_function(&frame, &function, arguments).await })
    }

    fn interrupt(&self) -> Work<'_, ()> {
        Box::pin(self.end_scripts())
    }

    fn release(&self, _handle: Handle) {
        // The browser holds nodes weakly: there is nothing to let go of.
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
        Box::pin(self.activate())
    }

    fn pdf(&self) -> Work<'_, Vec<u8>> {
        Box::pin(self.print())
    }

    fn close(&self, ask_first: bool) -> Work<'_, ()> {
        Box::pin(self.shut(ask_first))
    }
}
