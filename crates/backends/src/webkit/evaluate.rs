//! Scripts in a page: questions to the injected one, and the user's functions. Both run in the page's own world.

use engine::backend::{Argument, BackendError, FrameId, Handle, Question};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire::inspector::types;

use super::frames::{Objects, Realm};
use super::page::{Page, lock};

/// Calls a method of the injected script, by the function that bootstrap.js gives for it, which is `this`.
const ASK: &str = "function (method, argument, ...element) { return this(method, argument, element); }";

/// What we hold in documents is in this group.
pub(super) const HELD: &str = "e2e";

impl Page {
    /// The world of scripts in a frame's document. Between two documents it waits for the next.
    pub(super) async fn realm(&self, frame: &FrameId) -> Result<Realm, BackendError> {
        let look = |page: &Self| match page.frames().get(frame) {
            None => Some(Err(BackendError::FrameGone)),
            Some(frame) => frame.realm().cloned().map(Ok),
        };
        if look(self).is_none() && *frame != self.main_frame {
            self.may_have_scripts(frame).await?;
        }
        self.until(look).await?
    }

    /// A document's world is told along with it, unless it has none: one whose sandbox forbids scripts.
    async fn may_have_scripts(&self, frame: &FrameId) -> Result<(), BackendError> {
        let worldless = || {
            let frames = self.frames();
            let frame = frames.get(frame).filter(|frame| frame.realm().is_none())?;
            frame.loader.clone()
        };
        let Some(before) = worldless() else { return Ok(()) };
        // What was said before this answer is known after it.
        self.tell("Runtime.evaluate", json!({ "expression": "0" })).await?;
        self.follow().await;
        if worldless() == Some(before) {
            return Err(BackendError::Unsupported {
                what: "a look into a frame whose sandbox forbids scripts",
                instead: "give it sandbox=\"allow-scripts\", open its address in a tab, or use Chromium or Firefox",
            });
        }
        Ok(())
    }

    /// Waits for a call into `realm`, but not past its document's end.
    async fn in_realm<T>(
        &self,
        realm: &Realm,
        answer: impl Future<Output = Result<T, BackendError>>,
    ) -> Result<T, BackendError> {
        tokio::select! {
            biased;
            answer = answer => match answer {
                // An object of a document that is gone is unknown.
                Err(BackendError::Refused { .. }) if realm.gone.is_cancelled() => Err(BackendError::DocumentGone),
                answer => answer,
            },
            () = realm.gone.cancelled() => Err(BackendError::DocumentGone),
        }
    }

    /// What we hold in a document; where the bootstrap script did not run yet, it runs now.
    pub(super) async fn objects(&self, realm: &Realm) -> Result<Objects, BackendError> {
        let found = realm.objects.get_or_try_init(|| async {
            let (ask, text) = {
                let owner = self.owner()?;
                let recipe = lock(&owner.recipe);
                (recipe.ask("script", &Value::Null), recipe.text())
            };
            let script = match self.expression(realm, &ask).await?.object_id {
                Some(script) => Some(script),
                // In a document that runs no scripts of its own nobody listens.
                None => self.expression(realm, &text).await?.object_id,
            };
            let window = self.expression(realm, "window").await?.object_id;
            match (script, window) {
                (Some(script), Some(window)) => Ok(Objects { script, window }),
                _ => Err(BackendError::Refused {
                    request: "to ask the document".to_owned(),
                    reason: "scripts don't run in it".to_owned(),
                }),
            }
        });
        found.await.cloned()
    }

    /// What an expression of ours comes to.
    pub(super) async fn expression(
        &self,
        realm: &Realm,
        expression: &str,
    ) -> Result<types::RemoteObject, BackendError> {
        let evaluate = json!({
            "expression": expression,
            "contextId": realm.context,
            "objectGroup": HELD,
            "doNotPauseOnExceptionsAndMuteConsole": true,
        });
        let evaluated: types::Evaluated =
            self.in_realm(realm, self.call("Runtime.evaluate", evaluate)).await?;
        if evaluated.was_thrown {
            return Err(threw(evaluated.result.description));
        }
        Ok(evaluated.result)
    }

    /// Calls a function on an object of ours and gives what it comes to, as plain JSON.
    pub(super) async fn call_on(
        &self,
        realm: &Realm,
        object: &str,
        function: &str,
        arguments: &[Value],
        gesture: bool,
    ) -> Result<Box<RawValue>, BackendError> {
        let call = json!({
            "objectId": object,
            "functionDeclaration": function,
            "arguments": arguments,
            "returnByValue": true,
            "awaitPromise": true,
            "emulateUserGesture": gesture,
            "doNotPauseOnExceptionsAndMuteConsole": true,
        });
        let called: types::EvaluatedRaw =
            self.in_realm(realm, self.call("Runtime.callFunctionOn", call)).await?;
        if called.was_thrown {
            let text = called.result.value.as_ref().map(|value| value.0.get().to_owned());
            return Err(threw(called.result.description.or(text)));
        }
        Ok(called.result.value.map_or_else(|| RawValue::NULL.to_owned(), |value| value.0))
    }

    /// Asks the injected script in a frame, about an element if there is one.
    pub(super) async fn ask_script(
        &self,
        frame: &FrameId,
        question: &Question,
        element: Option<&Handle>,
    ) -> Result<Box<RawValue>, BackendError> {
        let realm = self.realm(frame).await?;
        let objects = self.objects(&realm).await?;
        let mut arguments = question_arguments(question);
        arguments.extend(element.map(|element| json!({ "objectId": &*element.object })));
        self.call_on(&realm, &objects.script, ASK, &arguments, false).await
    }

    pub(super) async fn ask_script_for_node(
        &self,
        frame: &FrameId,
        question: &Question,
    ) -> Result<Option<Handle>, BackendError> {
        let realm = self.realm(frame).await?;
        let objects = self.objects(&realm).await?;
        let call = json!({
            "objectId": objects.script,
            "functionDeclaration": ASK,
            "arguments": question_arguments(question),
            "awaitPromise": true,
            "doNotPauseOnExceptionsAndMuteConsole": true,
        });
        let called: types::Evaluated =
            self.in_realm(&realm, self.call("Runtime.callFunctionOn", call)).await?;
        if called.was_thrown {
            return Err(threw(called.result.description));
        }
        node(frame, question.method, called.result)
    }

    pub(super) async fn evaluate_function(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: Vec<Argument>,
    ) -> Result<Box<RawValue>, BackendError> {
        let realm = self.realm(frame).await?;
        let objects = self.objects(&realm).await?;
        let arguments: Vec<Value> = arguments.into_iter().map(given).collect();
        self.call_on(&realm, &objects.window, function, &arguments, true).await
    }
}

/// An answer that is to be an element.
pub(super) fn node(
    frame: &FrameId,
    request: &str,
    object: types::RemoteObject,
) -> Result<Option<Handle>, BackendError> {
    match (object.subtype.as_deref(), object.object_id) {
        (Some("node"), Some(id)) => Ok(Some(Handle { frame: frame.clone(), object: id.into() })),
        (_, None) => Ok(None),
        _ => Err(BackendError::Refused {
            request: request.to_owned(),
            reason: format!("its answer is no element: {}", object.description.unwrap_or(object.r#type)),
        }),
    }
}

fn given(argument: Argument) -> Value {
    match argument {
        Argument::Json(value) => json!({ "value": value }),
        Argument::Node(handle) => json!({ "objectId": &*handle.object }),
    }
}

fn question_arguments(question: &Question) -> Vec<Value> {
    vec![json!({ "value": question.method }), json!({ "value": question.argument })]
}

fn threw(text: Option<String>) -> BackendError {
    BackendError::Threw { message: text.unwrap_or_else(|| "it threw".to_owned()), stack: None }
}
