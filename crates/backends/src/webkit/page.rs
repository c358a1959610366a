//! A page: how it is spoken to, what is known of its frames, and the engine's trait over them.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use base::Followers;
use engine::backend::{
    self, Argument, BackendError, DialogId, Dropped, FrameId, Handle, InputEvent, Modifiers, PageId, Picture,
    Point, Question, RequestId, Shot, Started, Viewport, Work,
};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, watch};
use wire::inspector::{Channel, types};

use super::bodies::Bodies;
use super::context::ContextInner;
use super::files::Choosers;
use super::frames::Frames;
use super::input::Hands;
use super::life::Life;
use super::viewport::Around;

/// A tab or popup.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) id: PageId,
    pub(super) main_frame: FrameId,
    pub(super) context: Weak<ContextInner>,
    /// How it is spoken to. After a crash another view takes the place of the dead one.
    pub(super) link: Mutex<Link>,
    /// It may be in a loop: that is being looked at.
    pub(super) doubted: watch::Sender<bool>,
    /// It is brought back by one at a time.
    pub(super) returning: tokio::sync::Mutex<()>,
    frames: Mutex<Frames>,
    /// One document at a time takes the place of another.
    pub(super) turning: Mutex<()>,
    /// Counts the changes of `frames` and of what hangs on them.
    pub(super) changed: watch::Sender<u64>,
    pub(super) life: watch::Sender<Life>,
    pub(super) dialog: Mutex<Option<DialogId>>,
    pub(super) hands: Arc<tokio::sync::Mutex<Hands>>,
    /// A button was let go of, and the session has not answered yet.
    pub(super) releasing: AtomicBool,
    /// For what goes on when nobody waits for it any more.
    pub(super) me: Weak<Self>,
    pub(super) choosers: watch::Sender<Choosers>,
    pub(super) viewport: Mutex<Option<Viewport>>,
    /// How much larger its window is: as it is known to be, or is believed to.
    pub(super) around: Mutex<Option<Around>>,
    pub(super) bodies: Mutex<Bodies>,
    pub(super) told: mpsc::UnboundedSender<backend::PageEvent>,
    pub(super) followers: Mutex<Followers>,
    /// Where answers about frames go, to be read in their turn among the events.
    pub(super) trees: Mutex<Option<mpsc::UnboundedSender<types::ResourceTree>>>,
}

/// How a page is spoken to.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) channel: Channel,
    /// What the automation session calls it, once that is known.
    pub(super) handle: Option<String>,
    /// Its process was ended by us.
    pub(super) ended: bool,
}

/// Takes a lock; whoever panicked with it left nothing half done that matters more than going on.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Page {
    pub(super) fn new(
        id: PageId,
        channel: Channel,
        context: Weak<ContextInner>,
        told: mpsc::UnboundedSender<backend::PageEvent>,
        followers: Followers,
    ) -> Arc<Self> {
        let frames = Frames::new(id.as_str());
        Arc::new_cyclic(|me| Self {
            main_frame: FrameId::from(format!("{id}/top")),
            id,
            context,
            link: Mutex::new(Link { channel, handle: None, ended: false }),
            doubted: watch::Sender::new(false),
            returning: tokio::sync::Mutex::default(),
            frames: Mutex::new(frames),
            turning: Mutex::default(),
            changed: watch::Sender::new(0),
            life: watch::Sender::new(Life::default()),
            dialog: Mutex::default(),
            hands: Arc::default(),
            releasing: AtomicBool::default(),
            me: me.clone(),
            choosers: watch::Sender::new(Choosers::default()),
            viewport: Mutex::default(),
            around: Mutex::default(),
            bodies: Mutex::default(),
            told,
            followers: Mutex::new(followers),
            trees: Mutex::default(),
        })
    }

    pub(super) fn channel(&self) -> Channel {
        lock(&self.link).channel.clone()
    }

    pub(super) fn owner(&self) -> Result<Arc<ContextInner>, BackendError> {
        self.context.upgrade().ok_or(BackendError::PageGone)
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

    /// An engine that does not listen any more misses nothing.
    pub(super) fn say(&self, event: backend::PageEvent) {
        let _ = self.told.send(event);
    }

    /// Waits until the task that reads its events has nothing left to tell.
    pub(super) async fn follow(&self) {
        let followers = lock(&self.followers).clone();
        followers.follow().await;
    }

    /// Waits until `look` finds something.
    pub(super) async fn until<T>(&self, mut look: impl FnMut(&Self) -> Option<T>) -> Result<T, BackendError> {
        let mut changes = self.changes();
        loop {
            changes.borrow_and_update();
            if let Some(found) = look(self) {
                return Ok(found);
            }
            if self.has_ended() || self.has_crashed() {
                return Err(self.why_gone());
            }
            // The sender is ours.
            let _ = changes.changed().await;
        }
    }
}

impl backend::Page for Page {
    fn id(&self) -> &PageId {
        &self.id
    }

    fn caught_up(&self) -> Work<'_, ()> {
        Box::pin(async move {
            self.follow().await;
            self.departed().await;
            // What began is known here before it is told.
            self.follow().await;
            Ok(())
        })
    }

    fn navigate(&self, frame: &FrameId, url: &str, referrer: Option<&str>) -> Work<'_, Started> {
        let (frame, url, referrer) = (frame.clone(), url.to_owned(), referrer.map(str::to_owned));
        Box::pin(async move { self.go(&frame, &url, referrer.as_deref()).await })
    }

    fn reload(&self, ignore_cache: bool) -> Work<'_, ()> {
        Box::pin(self.load_again(ignore_cache))
    }

    fn travel(&self, delta: i32) -> Work<'_, bool> {
        Box::pin(self.travel_history(delta))
    }

    fn stop(&self) -> Work<'_, ()> {
        Box::pin(self.stop_loading())
    }

    fn ask(&self, frame: &FrameId, question: &Question) -> Work<'_, Box<RawValue>> {
        let (frame, question) = (frame.clone(), question.clone());
        Box::pin(async move {
            self.come_back().await?;
            self.after_release(self.ask_script(&frame, &question, None)).await
        })
    }

    fn ask_for_node(&self, frame: &FrameId, question: &Question) -> Work<'_, Option<Handle>> {
        let (frame, question) = (frame.clone(), question.clone());
        Box::pin(async move {
            self.come_back().await?;
            self.after_release(self.ask_script_for_node(&frame, &question)).await
        })
    }

    fn ask_about(&self, element: &Handle, question: &Question) -> Work<'_, Box<RawValue>> {
        let (element, question) = (element.clone(), question.clone());
        Box::pin(async move {
            self.after_release(self.ask_script(&element.frame, &question, Some(&element))).await
        })
    }

    fn evaluate(&self, frame: &FrameId, function: &str, arguments: Vec<Argument>) -> Work<'_, Box<RawValue>> {
        let (frame, function) = (frame.clone(), function.to_owned());
        Box::pin(async move {
            self.come_back().await?;
            self.evaluate_function(&frame, &function, arguments).await
        })
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
        Box::pin(self.hand(events))
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
        Box::pin(async move {
            self.come_back().await?;
            self.take_picture(shot).await
        })
    }

    fn set_viewport(&self, viewport: Viewport) -> Work<'_, ()> {
        Box::pin(self.size(viewport))
    }

    fn answer_dialog(&self, dialog: &DialogId, accept: bool, text: Option<&str>) -> Work<'_, ()> {
        let (dialog, text) = (dialog.clone(), text.map(str::to_owned));
        Box::pin(async move { self.handle_dialog(&dialog, accept, text).await })
    }

    fn request_body(&self, request: &RequestId) -> Work<'_, Option<Vec<u8>>> {
        let body = lock(&self.bodies).sent(request);
        Box::pin(std::future::ready(Ok(body)))
    }

    fn response_body(&self, request: &RequestId) -> Work<'_, Vec<u8>> {
        let request = request.clone();
        Box::pin(async move { self.received_body(&request).await })
    }

    fn bring_to_front(&self) -> Work<'_, ()> {
        Box::pin(self.show())
    }

    fn pdf(&self) -> Work<'_, Vec<u8>> {
        Box::pin(std::future::ready(Err(BackendError::Unsupported {
            what: "a page as PDF",
            instead: "take a screenshot of the full page, or use Chromium or Firefox",
        })))
    }

    fn close(&self, _: bool) -> Work<'_, ()> {
        // The browser asks no page before it closes it.
        Box::pin(self.shut())
    }
}
