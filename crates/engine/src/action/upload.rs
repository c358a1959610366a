//! Giving files to the page.

use std::path::PathBuf;

use base::CallScope;
use serde::Deserialize;
use serde_json::json;

use super::Acted;
use super::deliver::answered;
use super::diary::Blocked;
use super::prepare::time_left;
use super::through::Passage;
use crate::backend::{Argument, BackendError, FrameId, Handle, Point, Question};
use crate::failed::Failed;
use crate::locate::Located;
use crate::page::{Chooser, Interruption, Page};
use crate::target::Target;

/// What `injected.fileInput` answers.
#[derive(Debug, Deserialize)]
struct Answer {
    ready: Option<Input>,
    unfit: Option<String>,
    blocked: Option<Blocked>,
    #[serde(default)]
    preview: String,
    #[serde(flatten)]
    located: Located,
}

#[derive(Debug, Deserialize)]
struct Input {
    held: u64,
    preview: String,
    selector: String,
    multiple: bool,
    directory: bool,
}

impl Page {
    /// Gives files to a file input; without a target, to the file chooser that is open. No files close it.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn upload(
        &self,
        target: Option<&Target>,
        files: Vec<PathBuf>,
        scope: &CallScope,
    ) -> Result<Option<Acted>, Failed> {
        match target {
            Some(target) => self.upload_to(target, files, scope).await.map(Some),
            None => self.answer_chooser(files, scope).await.map(|()| None),
        }
    }

    async fn upload_to(
        &self,
        target: &Target,
        files: Vec<PathBuf>,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        loop {
            let (frame, input) = self.file_input(target, scope).await?;
            check_files(&input.preview, &files, input.multiple, input.directory)?;
            let node = self.backend().ask_for_node(&frame, &Question::new("held", input.held));
            let node = match self.attempt(scope, node).await {
                Ok(Some(node)) => node,
                // An input that went away meanwhile is looked for again.
                Ok(None) | Err(Interruption::Backend(BackendError::DocumentGone)) => continue,
                Err(why) => return Err(why.into()),
            };
            let given = self.attempt(scope, self.backend().set_files(&node, files)).await;
            self.backend().release(node);
            self.state().chooser = None;
            self.state().hand.acted = Some(frame.clone());
            if answered(given)? {
                self.aftermath(&frame, scope).await?;
            }
            let nowhere = Point { x: 0.0, y: 0.0 };
            let through = self.to_the_top(&frame, nowhere, &input.selector, Passage::Reckon, scope).await;
            let locator = match through {
                Ok(Ok((_, locator))) => locator,
                _ => crate::locator::Selector::parse(&input.selector)?,
            };
            return Ok(Acted { element: input.preview, locator });
        }
    }

    async fn file_input(&self, target: &Target, scope: &CallScope) -> Result<(FrameId, Input), Failed> {
        loop {
            let place = self.place(target, scope).await?;
            let left = time_left(scope);
            let question = json!({ "at": place.at, "wait": left.as_millis().min(1000) });
            let answer: Answer = match self.ask(&place.frame, "fileInput", question, scope).await {
                Err(Interruption::Backend(BackendError::DocumentGone | BackendError::FrameGone)) => continue,
                answer => answer?,
            };
            if let Some(input) = answer.ready {
                return Ok((place.frame, input));
            }
            if let Some(why) = answer.unfit {
                return Err(Failed::Unfit { element: answer.preview, why });
            }
            if (answer.blocked.is_some() || answer.located.none) && !left.is_zero() {
                continue;
            }
            if let Some(blocked) = answer.blocked {
                let element = answer.preview;
                return Err(Failed::NotActionable { element, obstacle: blocked.into(), diary: Vec::new() });
            }
            return Err(answer.located.failure(target).unwrap_or(Interruption::TimedOut.into()));
        }
    }

    async fn answer_chooser(&self, files: Vec<PathBuf>, scope: &CallScope) -> Result<(), Failed> {
        let unfit = |why: &str| Failed::Unfit { element: "the page".to_owned(), why: why.to_owned() };
        let chooser = self.state().chooser.clone();
        let Some(Chooser { input, multiple }) = chooser else {
            return Err(unfit("has no open file chooser; click what opens it, or name the file input"));
        };
        let Some(input) = input else {
            self.state().chooser = None;
            return Err(unfit("has a file chooser whose input can't be told; name the file input"));
        };
        check_files("the file chooser", &files, multiple, false)?;
        self.state().chooser = None;
        let frame = input.frame.clone();
        let given = if files.is_empty() {
            self.attempt(scope, self.cancelled(&input)).await
        } else {
            self.attempt(scope, self.backend().set_files(&input, files)).await
        };
        self.backend().release(input);
        self.state().hand.acted = Some(frame.clone());
        if answered(given)? {
            self.aftermath(&frame, scope).await?;
        }
        Ok(())
    }

    /// Tells the page that nothing was chosen (HTML, "Selecting files": the event `cancel`).
    async fn cancelled(&self, input: &Handle) -> Result<(), BackendError> {
        let function =
            "input => { input.dispatchEvent(new Event('cancel', { bubbles: true })); return null; }";
        self.backend().evaluate(&input.frame, function, vec![Argument::Node(input.clone())]).await.map(drop)
    }
}

fn check_files(element: &str, files: &[PathBuf], multiple: bool, directory: bool) -> Result<(), Failed> {
    let unfit = |why: String| Err(Failed::Unfit { element: element.to_owned(), why });
    if files.len() > 1 && !multiple {
        return unfit(format!("takes one file, not {}", files.len()));
    }
    match files.iter().find(|path| path.is_dir() != directory) {
        Some(path) if directory => unfit(format!("takes a directory, and {} is none", path.display())),
        Some(path) => unfit(format!("takes files, and {} is a directory", path.display())),
        None => Ok(()),
    }
}
