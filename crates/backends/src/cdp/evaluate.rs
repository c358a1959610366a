//! Scripts in a page: questions to the injected one in a world of ours, and the user's functions in the page's own.
//!
//! A question is one call by the world's number. The injected script is sent in the same write as a document's first
//! question, so that this one takes no longer way either.

use std::sync::PoisonError;

use engine::backend::{Argument, BackendError, FrameId, Handle, Question, World};
use futures_util::FutureExt;
use serde_json::value::RawValue;
use wire::cdp::types::ids::RemoteObjectId;
use wire::cdp::types::{dom, page, runtime};
use wire::cdp::{Call, CallError, Command, Session};

use super::frames::Realm;
use super::page::Page;
use super::refusal::Place;
use super::settings::UTILITY_WORLD;

/// Where the injected script is in its world. No page sees that world.
const INJECTED: &str = "e2eInjected";

const ASK: &str = "(method, argument, ...element) => e2eInjected[method](argument, ...element)";

/// Elements that we hold are in this group.
const HANDLES: &str = "e2e";

impl Page {
    /// The world of scripts in a frame's document. Between two documents it waits for the next.
    pub(super) async fn realm(&self, frame: &FrameId, world: World) -> Result<Realm, BackendError> {
        let mut changes = self.changes();
        loop {
            changes.borrow_and_update();
            let session = {
                let frames = self.frames();
                let frame = frames.get(frame).ok_or(BackendError::FrameGone)?;
                if let Some(realm) = frame.realm(world) {
                    return Ok(realm.clone());
                }
                if frame.crashed && frame.parent.is_some() {
                    return Err(BackendError::FrameGone);
                }
                frame.session.clone()
            };
            self.want_realm(frame, world, &session).await?;
            if self.frames().get(frame).is_some_and(|frame| frame.realm(world).is_some()) {
                continue;
            }
            self.while_alive(Place::Page, || changes.changed().map(|_| Ok(()))).await?;
        }
    }

    /// Has the browser make a world where it made none yet: a blank document has none until somebody wants it.
    async fn want_realm(&self, frame: &FrameId, world: World, session: &Session) -> Result<(), BackendError> {
        let made = match world {
            World::Utility => {
                let create = page::CreateIsolatedWorld {
                    world_name: Some(UTILITY_WORLD.to_owned()),
                    ..page::CreateIsolatedWorld::new(frame.as_str())
                };
                self.call(session, &create).await.map(drop)
            }
            World::Main => {
                let touch = runtime::Evaluate::new("0");
                self.call(session, &touch).await.map(drop)
            }
        };
        match made {
            // The frame is between two processes or documents: its next world is told by an event.
            Err(BackendError::Refused { .. } | BackendError::DocumentGone) => Ok(()),
            made => made,
        }
    }

    /// Waits for a call into `realm`, but not past its document's end.
    async fn in_realm<C: Command>(&self, realm: &Realm, call: Call<C>) -> Result<C::Response, BackendError> {
        let answer = self.while_alive(Place::Frame, || call);
        tokio::select! {
            biased;
            answer = answer => answer,
            () = realm.gone.cancelled() => Err(BackendError::DocumentGone),
        }
    }

    /// Sends `command` to the injected script's world, behind the script itself if that is not there yet.
    fn send_question<C: Command>(&self, realm: &Realm, command: &C) -> Call<C> {
        let mut scripted = realm.scripted.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *scripted, true) {
            return realm.session.send(command);
        }
        let mut batch = realm.session.batch();
        let script = runtime::Evaluate {
            unique_context_id: Some(realm.name.clone()),
            ..runtime::Evaluate::new(format!("globalThis.{INJECTED} = {}; 0", self.script))
        };
        // If it fails, so does the question, and says why.
        drop(batch.add(&script));
        let call = batch.add(command);
        batch.send();
        call
    }

    /// Asks the injected script in a frame, about an element of its world if there is one.
    pub(super) async fn ask_script(
        &self,
        frame: &FrameId,
        question: &Question,
        element: Option<&Handle>,
    ) -> Result<Box<RawValue>, BackendError> {
        let realm = self.realm(frame, World::Utility).await?;
        let about =
            |element| runtime::CallArgument { object_id: Some(object(element)), ..Default::default() };
        let arguments = question_arguments(question).into_iter().chain(element.map(about));
        let command = runtime::CallForJson {
            arguments: Some(arguments.collect()),
            unique_context_id: Some(realm.name.clone()),
            return_by_value: Some(true),
            await_promise: Some(true),
            ..runtime::CallForJson::new(ASK)
        };
        let answer = self.in_realm(&realm, self.send_question(&realm, &command)).await?;
        plain(answer)
    }

    pub(super) async fn ask_script_for_node(
        &self,
        frame: &FrameId,
        question: &Question,
    ) -> Result<Option<Handle>, BackendError> {
        let realm = self.realm(frame, World::Utility).await?;
        let command = runtime::CallFunctionOn {
            arguments: Some(question_arguments(question)),
            unique_context_id: Some(realm.name.clone()),
            await_promise: Some(true),
            object_group: Some(HANDLES.to_owned()),
            ..runtime::CallFunctionOn::new(ASK)
        };
        let answer = self.in_realm(&realm, self.send_question(&realm, &command)).await?;
        if let Some(thrown) = answer.exception_details {
            return Err(threw(thrown));
        }
        let object = answer.result;
        match (object.subtype.as_deref(), object.object_id) {
            (Some("node"), Some(id)) => Ok(Some(handle(frame, &id))),
            (_, None) => Ok(None),
            _ => Err(BackendError::Refused {
                request: question.method.to_owned(),
                reason: format!("its answer is no element: {}", object.description.unwrap_or(object.r#type)),
            }),
        }
    }

    pub(super) async fn evaluate_function(
        &self,
        frame: &FrameId,
        function: String,
        arguments: Vec<Argument>,
    ) -> Result<Box<RawValue>, BackendError> {
        let realm = self.realm(frame, World::Main).await?;
        let mut given = Given { session: realm.session.clone(), adopted: Vec::new() };
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match argument {
                Argument::Json(value) => runtime::CallArgument { value: Some(value), ..Default::default() },
                Argument::Node(handle) => {
                    let object_id = self.adopt(&handle, &realm).await?;
                    given.adopted.push(object_id.clone());
                    runtime::CallArgument { object_id: Some(object_id), ..Default::default() }
                }
            });
        }
        let command = runtime::CallForJson {
            arguments: Some(values),
            unique_context_id: Some(realm.name.clone()),
            return_by_value: Some(true),
            await_promise: Some(true),
            user_gesture: Some(true),
            ..runtime::CallForJson::new(function)
        };
        match self.in_realm(&realm, realm.session.send(&command)).await {
            Err(BackendError::Refused { reason, .. })
                if reason.contains("does not evaluate to a function") =>
            {
                Err(BackendError::Threw { message: format!("SyntaxError: {reason}"), stack: None })
            }
            answer => plain(answer?),
        }
    }

    /// The same element as an object of another world.
    async fn adopt(&self, handle: &Handle, realm: &Realm) -> Result<RemoteObjectId, BackendError> {
        let session = self.session_of(&handle.frame)?;
        let described = self.call(&session, &describe(handle)).await?;
        self.resolve(described.node.backend_node_id, realm).await
    }

    async fn resolve(
        &self,
        node: wire::cdp::types::ids::BackendNodeId,
        realm: &Realm,
    ) -> Result<RemoteObjectId, BackendError> {
        let resolve = dom::ResolveNode {
            backend_node_id: Some(node),
            execution_context_id: Some(realm.number),
            object_group: Some(HANDLES.to_owned()),
            ..dom::ResolveNode::new()
        };
        let resolved = self.in_realm(realm, realm.session.send(&resolve)).await?;
        if realm.gone.is_cancelled() {
            return Err(BackendError::DocumentGone);
        }
        resolved.object.object_id.ok_or(BackendError::DocumentGone)
    }

    /// A node that the browser told of, as an element in our world.
    pub(super) async fn hold(
        &self,
        frame: &FrameId,
        node: wire::cdp::types::ids::BackendNodeId,
    ) -> Result<Handle, BackendError> {
        let realm = self.realm(frame, World::Utility).await?;
        Ok(handle(frame, &self.resolve(node, &realm).await?))
    }

    /// The session that a frame lives in.
    pub(super) fn session_of(&self, frame: &FrameId) -> Result<Session, BackendError> {
        self.frames().get(frame).map(|frame| frame.session.clone()).ok_or(BackendError::FrameGone)
    }

    pub(super) async fn end_scripts(&self) -> Result<(), BackendError> {
        let sessions = self.frames().sessions();
        let ended = || {
            let calls: Vec<_> =
                sessions.iter().map(|session| session.send(&runtime::TerminateExecution::new())).collect();
            // A script that waits for a dialog ends when it comes back from it.
            let dialog = super::page::lock(&self.dialog).is_some();
            let dismissed = dialog.then(|| self.session.send(&page::HandleJavaScriptDialog::new(false)));
            async move {
                if let Some(dismissed) = dismissed {
                    // It may be answered by somebody else meanwhile.
                    let _ = dismissed.await;
                }
                // A frame that is gone runs nothing; a browser that is gone answers for all.
                let ended = futures_util::future::join_all(calls).await;
                let closed = ended.into_iter().filter_map(Result::err);
                match closed.into_iter().find(|error| matches!(error, CallError::Closed { .. })) {
                    Some(closed) => Err(closed),
                    None => Ok(()),
                }
            }
        };
        self.while_alive(Place::Page, ended).await
    }

    pub(super) fn let_go(&self, handle: &Handle) {
        if let Ok(session) = self.session_of(&handle.frame) {
            drop(session.send(&runtime::ReleaseObject::new(object(handle))));
        }
    }

    pub(super) async fn frame_in(&self, element: &Handle) -> Result<Option<FrameId>, BackendError> {
        let session = self.session_of(&element.frame)?;
        let described = self.call(&session, &describe(element)).await?;
        Ok(described.node.frame_id.map(|id| id.as_str().into()))
    }

    pub(super) async fn element_around(&self, frame: &FrameId) -> Result<Handle, BackendError> {
        let parent = {
            let frames = self.frames();
            let parent = frames.get(frame).ok_or(BackendError::FrameGone)?.parent.clone();
            parent.ok_or(BackendError::Refused {
                request: "frame_element".to_owned(),
                reason: "the topmost frame lies in no element".to_owned(),
            })?
        };
        let session = self.session_of(&parent)?;
        let owner = self.call(&session, &dom::GetFrameOwner::new(frame.as_str())).await?;
        self.hold(&parent, owner.backend_node_id).await
    }

    pub(super) async fn give_files(
        &self,
        input: &Handle,
        files: Vec<std::path::PathBuf>,
    ) -> Result<(), BackendError> {
        let session = self.session_of(&input.frame)?;
        let mut names = Vec::with_capacity(files.len());
        for file in files {
            names.push(file.into_os_string().into_string().map_err(|file| BackendError::Refused {
                request: "DOM.setFileInputFiles".to_owned(),
                reason: format!("{} is not UTF-8, and the browser takes no other name", file.display()),
            })?);
        }
        let give =
            dom::SetFileInputFiles { object_id: Some(object(input)), ..dom::SetFileInputFiles::new(names) };
        self.call(&session, &give).await.map(drop)
    }
}

/// Elements that were brought into the page's world for one call; they are let go with it, even if it is dropped.
struct Given {
    session: Session,
    adopted: Vec<RemoteObjectId>,
}

impl Drop for Given {
    fn drop(&mut self) {
        for object in self.adopted.drain(..) {
            drop(self.session.send(&runtime::ReleaseObject::new(object)));
        }
    }
}

fn question_arguments(question: &Question) -> Vec<runtime::CallArgument> {
    let method = runtime::CallArgument { value: Some(question.method.into()), ..Default::default() };
    let argument = runtime::CallArgument { value: Some(question.argument.clone()), ..Default::default() };
    vec![method, argument]
}

fn describe(handle: &Handle) -> dom::DescribeNode {
    dom::DescribeNode { object_id: Some(object(handle)), ..dom::DescribeNode::new() }
}

fn object(handle: &Handle) -> RemoteObjectId {
    RemoteObjectId::from(&*handle.object)
}

fn handle(frame: &FrameId, object: &RemoteObjectId) -> Handle {
    Handle { frame: frame.clone(), object: object.as_str().into() }
}

/// The value, or what was thrown; `undefined` is null.
fn plain(called: runtime::CalledForJson) -> Result<Box<RawValue>, BackendError> {
    match (called.exception_details, called.result.value) {
        (Some(thrown), _) => Err(threw(thrown)),
        (None, Some(value)) => Ok(value.0),
        (None, None) => Ok(RawValue::NULL.to_owned()),
    }
}

/// An exception as the engine tells it: its first line, and the places below.
pub(super) fn threw(thrown: runtime::ExceptionDetails) -> BackendError {
    let exception = thrown.exception;
    let described = exception.as_ref().and_then(|exception| exception.description.clone());
    let value = exception.as_ref().and_then(|exception| exception.value.as_ref());
    let text = match (described, value) {
        (Some(description), _) => description,
        (None, Some(serde_json::Value::String(text))) => text.clone(),
        (None, Some(value)) => value.to_string(),
        (None, None) => thrown.text,
    };
    let (message, stack) = match text.split_once("\n    at ") {
        Some((message, stack)) => (message.to_owned(), Some(format!("    at {stack}"))),
        None => (text, None),
    };
    BackendError::Threw { message, stack }
}
