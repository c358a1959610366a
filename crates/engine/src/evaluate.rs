//! Scripts of the agent's in the page's own world: an expression, a function, or statements, and the value as JSON.
//!
//! The text is put into a function of ours, so that it needs no `eval`, which pages may forbid; a text that does not
//! fit as an expression is taken as the body of a function.

use std::sync::LazyLock;
use std::time::Duration;

use base::{CallScope, Deadline};
use serde::Deserialize;
use serde_json::Value;

use crate::backend::{Argument, BackendError, FrameId};
use crate::failed::Failed;
use crate::injected::compacted;
use crate::page::{Interruption, Page};
use crate::target::Target;

/// The text of a function that makes plain JSON of anything.
static SERIALIZE: LazyLock<String> = LazyLock::new(|| compacted(include_str!("injected/serialize.js")));

/// The text of a function that runs a script and tells what came of it.
static COMPUTE: LazyLock<String> = LazyLock::new(|| compacted(include_str!("injected/compute.js")));

/// How long an endless script may take to be ended.
const INTERRUPTING: Duration = Duration::from_secs(1);

/// A script, and how it is run.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Script<'a> {
    /// Once, for its value.
    Value(&'a str),
    /// Again and again until it is true, for as long.
    Poll(&'a str, Duration),
}

#[derive(Deserialize)]
struct Outcome {
    #[serde(default)]
    value: Value,
    threw: Option<String>,
    stack: Option<String>,
    /// What was thrown, alone in a list, if it is no error.
    thrown: Option<[Value; 1]>,
}

impl Page {
    /// The value of a script: an expression, a function that is called with the element (if one is given), or
    /// statements with a `return`. What it promises is waited for. A script without end is ended with the call.
    ///
    /// # Errors
    /// [`Failed::Threw`] with its exception, or why it could not run.
    pub async fn evaluate(
        &self,
        script: &str,
        target: Option<&Target>,
        scope: &CallScope,
    ) -> Result<Value, Failed> {
        match self.run(Script::Value(script), target, scope).await {
            // It did what it was asked to: there is nobody left to say what it came to.
            Err(Failed::Interrupted(Interruption::Backend(BackendError::DocumentGone))) => {
                Ok("[the page navigated away]".into())
            }
            other => other,
        }
    }

    pub(crate) async fn run(
        &self,
        script: Script<'_>,
        target: Option<&Target>,
        scope: &CallScope,
    ) -> Result<Value, Failed> {
        let element = match target {
            Some(target) => Some(self.node(target, scope).await?),
            None => None,
        };
        let frame = element.as_ref().map_or_else(|| self.main_frame(), |element| element.frame.clone());
        let arguments: Vec<Argument> = element.clone().map(Argument::Node).into_iter().collect();
        let mut outcome = self.call(&frame, &script.as_expression(), arguments.clone(), scope).await;
        // Our functions catch what the script throws: this one was never compiled.
        if let Err(Interruption::Backend(BackendError::Threw { .. })) = outcome {
            let second = self.call(&frame, &script.as_body(), arguments, scope).await;
            if !matches!(second, Err(Interruption::Backend(BackendError::Threw { .. }))) {
                outcome = second;
            }
        }
        if let Some(element) = element {
            self.backend().release(element);
        }
        match outcome {
            Ok(Outcome { threw: Some(message), stack, .. }) => Err(Failed::Threw { message, stack }),
            Ok(Outcome { thrown: Some([value]), .. }) => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                Err(Failed::Threw { message: format!("uncaught {value}"), stack: None })
            }
            Ok(Outcome { value, .. }) => Ok(value),
            Err(Interruption::Backend(BackendError::Threw { message, stack })) => {
                Err(Failed::Threw { message, stack })
            }
            Err(why) => Err(why.into()),
        }
    }

    /// Calls a function of ours; one that does not come to its end in time is ended.
    async fn call(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: Vec<Argument>,
        scope: &CallScope,
    ) -> Result<Outcome, Interruption> {
        let called = self.attempt(scope, self.backend().evaluate(frame, function, arguments)).await;
        if let Err(Interruption::TimedOut | Interruption::Cancelled) = called {
            // A page that is beyond this is told of by whoever asks it next.
            let _ = Deadline::after(INTERRUPTING).race(self.backend().interrupt()).await;
        }
        serde_json::from_str(called?.get()).map_err(|error| {
            let reason = format!("its answer can't be read: {error}");
            Interruption::Backend(BackendError::Refused { request: "evaluate".to_owned(), reason })
        })
    }
}

impl Script<'_> {
    /// With the script as an expression, which may be a function.
    fn as_expression(self) -> String {
        let text = self.text().trim().trim_end_matches(';');
        self.around(&format!("(\n{text}\n)"))
    }

    /// With the script as the body of a function.
    fn as_body(self) -> String {
        let (text, asynchronous) = (self.text(), if self.waits() { "async " } else { "" });
        self.around(&format!("({asynchronous}(element) => {{\n{text}\n}})"))
    }

    fn text(&self) -> &str {
        match self {
            Self::Value(text) | Self::Poll(text, _) => text,
        }
    }

    /// Whether its text can be in an asynchronous function only.
    fn waits(&self) -> bool {
        self.text().contains("await")
    }

    /// A function that runs the script, which sees no name of ours but `element`.
    fn around(self, expression: &str) -> String {
        let asynchronous = if self.waits() { "async " } else { "" };
        let limit = match self {
            Self::Value(_) => "null".to_owned(),
            Self::Poll(_, limit) => limit.as_millis().to_string(),
        };
        let (compute, serialize) = (&*COMPUTE, &*SERIALIZE);
        format!("(element) => ({compute})({asynchronous}() => {expression}, element, {serialize}, {limit})")
    }
}
