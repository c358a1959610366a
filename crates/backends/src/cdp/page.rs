//! A page: its sessions, what is known of its frames, and the engine's trait over them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use engine::backend::{
    self, Argument, BackendError, DialogId, Dropped, FrameId, Handle, InputEvent, Modifiers, PageId, Picture,
    Point, Question, RequestId, Shot, Started, Viewport, Work,
};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};
use wire::cdp::types::ids::TargetId;
use wire::cdp::types::{input, page, target};
use wire::cdp::{CallError, Command, Session};

use super::bodies::Bodies;
use super::frames::Frames;
use super::refusal::{Place, of_page, refusal};
use super::settings::{self, Settings};

/// A tab or popup.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) id: PageId,
    pub(super) target: TargetId,
    pub(super) main_frame: FrameId,
    /// The session of its topmost frame, which it keeps as long as it lives.
    pub(super) session: Session,
    pub(super) settings: Arc<Settings>,
    /// The injected script.
    pub(super) script: Arc<str>,
    frames: Mutex<Frames>,
    /// Counts the changes of `frames`.
    changed: watch::Sender<u64>,
    life: watch::Sender<Life>,
    pub(super) dialog: Mutex<Option<DialogId>>,
    /// Who waits for the browser to say that something is being dragged.
    pub(super) dragged: Mutex<Option<oneshot::Sender<input::DragData>>>,
    /// Whose turn it is to move the mouse.
    pub(super) hands: tokio::sync::Mutex<()>,
    /// Itself, for what must go on when its caller has gone.
    pub(super) me: Weak<Self>,
    pub(super) viewport: Mutex<Viewport>,
    pub(super) bodies: Mutex<Bodies>,
    /// Whoever wants to know when the events so far are told, on their way to the pump.
    followers: mpsc::UnboundedSender<oneshot::Sender<()>>,
    /// The pump's end of it, until it takes it.
    pub(super) following: Mutex<Option<mpsc::UnboundedReceiver<oneshot::Sender<()>>>>,
}

/// Whether the page answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Life {
    crashes: u64,
    crashed: bool,
    closed: bool,
}

/// Takes a lock; whoever panicked with it left nothing half done that matters more than going on.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Page {
    pub(super) fn new(
        target: TargetId,
        session: Session,
        settings: Arc<Settings>,
        script: Arc<str>,
    ) -> Arc<Self> {
        let main_frame = FrameId::from(target.as_str());
        let (followers, following) = mpsc::unbounded_channel();
        Arc::new_cyclic(|me| Self {
            id: target.as_str().into(),
            frames: Mutex::new(Frames::new(main_frame.clone(), session.clone())),
            viewport: Mutex::new(settings.viewport()),
            target,
            main_frame,
            session,
            settings,
            script,
            changed: watch::Sender::new(0),
            life: watch::Sender::new(Life::default()),
            dialog: Mutex::default(),
            dragged: Mutex::default(),
            hands: tokio::sync::Mutex::default(),
            me: me.clone(),
            bodies: Mutex::default(),
            followers,
            following: Mutex::new(Some(following)),
        })
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

    /// The page's process died.
    pub(super) fn crash(&self) {
        self.life.send_modify(|life| {
            life.crashed = true;
            life.crashes += 1;
        });
    }

    /// The page has a process again, or is about to.
    pub(super) fn revive(&self) {
        self.life.send_if_modified(|life| std::mem::take(&mut life.crashed));
    }

    /// What was to bring it back did not, unless a document came all the same.
    pub(super) fn stay_crashed(&self) {
        if self.frames().get(&self.main_frame).is_some_and(|frame| frame.crashed) {
            self.life.send_modify(|life| life.crashed = true);
        }
    }

    /// Nothing will be answered any more.
    pub(super) fn end(&self) {
        self.life.send_modify(|life| life.closed = true);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Whether it is closed.
    pub(super) fn has_ended(&self) -> bool {
        self.life.borrow().closed
    }

    /// Sends a command and waits for its answer, but not past the page's end: a dead process answers nothing.
    pub(super) async fn call<C: Command>(
        &self,
        session: &Session,
        command: &C,
    ) -> Result<C::Response, BackendError> {
        let place = if session.id() == self.session.id() { Place::Page } else { Place::Frame };
        self.while_alive(place, || session.send(command)).await
    }

    /// Waits for what `send` sends, as [`Page::call`] does.
    pub(super) async fn while_alive<T, F>(
        &self,
        place: Place,
        send: impl FnOnce() -> F,
    ) -> Result<T, BackendError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let mut life = self.life.subscribe();
        let begun = *life.borrow_and_update();
        if begun.closed || begun.crashed {
            return Err(self.why_gone());
        }
        let answer = send();
        let gone = life.wait_for(|life| life.closed || life.crashes > begun.crashes);
        tokio::select! {
            biased;
            answer = answer => answer.map_err(|error| refusal(error, place)),
            _ = gone => Err(self.why_gone()),
        }
    }

    /// A page that is gone with its browser says so.
    fn why_gone(&self) -> BackendError {
        let closed = futures_util::FutureExt::now_or_never(self.session.connection().closed());
        closed.map_or(BackendError::PageGone, |why| BackendError::BrowserGone(why.to_string()))
    }

    async fn size(&self, viewport: Viewport) -> Result<(), BackendError> {
        self.while_alive(Place::Page, || settings::all(settings::viewport(viewport).send(&self.session)))
            .await?;
        *lock(&self.viewport) = viewport;
        Ok(())
    }

    /// Closes it. The answer to asking it first comes at once: it may then show a dialog, or close.
    async fn shut(&self, ask_first: bool) -> Result<(), BackendError> {
        if self.has_ended() {
            return Ok(());
        }
        let closed = if ask_first {
            self.session.call(&page::Close::new()).await.map(drop)
        } else {
            let close = target::CloseTarget::new(&self.target);
            self.session.connection().call(&close).await.map(drop)
        };
        match closed {
            Ok(()) | Err(CallError::SessionGone) => {}
            // It was closed meanwhile.
            Err(CallError::Protocol { .. }) => {}
            Err(error) => return Err(of_page(error)),
        }
        if !ask_first {
            let mut life = self.life.subscribe();
            // The sender is ours.
            let _ = life.wait_for(|life| life.closed).await;
        }
        Ok(())
    }
}

impl backend::Page for Page {
    fn caught_up(&self) -> Work<'_, ()> {
        let (told, follower) = oneshot::channel();
        let sent = self.followers.send(told);
        Box::pin(async move {
            // Without its pump a page is closed, and everything is told.
            if sent.is_ok() {
                drop(follower.await);
            }
            Ok(())
        })
    }

    fn id(&self) -> &PageId {
        &self.id
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
