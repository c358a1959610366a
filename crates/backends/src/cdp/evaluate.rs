//! Scripts in a page: questions to the injected one in a world of ours, and the user's functions in the page's own.
//!
//! A question is one call by the world's unique name. The injected script is the browser's to run in every new document
//! ([`preload`](crate::usual::preload)): sent with a document's first question, it would be read and compiled anew each time.

use engine::backend::{Argument, BackendError, FrameId, Handle, Question, World};
use serde_json::value::RawValue;
use wire::cdp::types::ids::RemoteObjectId;
use wire::cdp::types::{page, runtime};
use wire::cdp::{CallError, Command, Session};

use super::elements::{HANDLES, handle, object};
use super::frames::Realm;
use super::page::Page;
use super::refusal::Place;

/// Asks the injected script in its world, which no page sees.
const ASK: &str = "(method, argument, ...element) => {
    const injected = globalThis.e2eInjected ??= globalThis.e2eMake?.();
    if (!injected) throw 'e2e: no script';
    return injected[method](argument, ...element);
}";
/// What it throws in a document in which the browser did not run the script.
const UNSCRIPTED: &str = "e2e: no script";

impl Page {
    /// Asks the injected script in `realm`.
    async fn question<C: Command>(
        &self,
        realm: &Realm,
        command: &C,
        thrown: fn(&C::Response) -> Option<&runtime::ExceptionDetails>,
    ) -> Result<C::Response, BackendError> {
        let answer = self.in_realm(realm, realm.session.send(command)).await?;
        let exception = thrown(&answer).and_then(|thrown| thrown.exception.as_ref()?.value.as_ref());
        if exception.is_none_or(|exception| exception != UNSCRIPTED) {
            return Ok(answer);
        }
        // A frame that never was anything but blank.
        let mut batch = realm.session.batch();
        let script = runtime::Evaluate {
            unique_context_id: Some(realm.name.clone()),
            ..runtime::Evaluate::new(self.settings.script())
        };
        // If it fails, so does the question, and says why.
        drop(batch.add(&script));
        let call = batch.add(command);
        batch.send();
        self.in_realm(realm, call).await
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
        plain(self.question(&realm, &command, |answer| answer.exception_details.as_ref()).await?)
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
        let answer = self.question(&realm, &command, |answer| answer.exception_details.as_ref()).await?;
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
