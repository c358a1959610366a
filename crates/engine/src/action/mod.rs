//! What a user's hand does to a page.

use std::path::PathBuf;
use std::time::Duration;

use base::CallScope;

use crate::backend::{Dropped, Modifiers, MouseButton, Point};
use crate::failed::Failed;
use crate::keyboard::Chord;
use crate::locator::Selector;
use crate::page::Page;
use crate::target::Target;

/// What was acted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acted {
    /// The element in one line.
    pub element: String,
    /// A selector that finds it alone, through the frames, for generated code.
    pub locator: Selector,
}

/// How to click.
#[derive(Debug, Clone, PartialEq)]
pub struct Click {
    /// With which button.
    pub button: MouseButton,
    /// How often: 2 is a double click.
    pub count: u32,
    /// Keys that are held.
    pub modifiers: Modifiers,
    /// Where, from the element's upper left corner; its middle otherwise.
    pub position: Option<Point>,
    /// How long the button is held.
    pub delay: Duration,
    /// Without checking whether a user could.
    pub force: bool,
}

impl Default for Click {
    fn default() -> Self {
        Self {
            button: MouseButton::Left,
            count: 1,
            modifiers: Modifiers::default(),
            position: None,
            delay: Duration::ZERO,
            force: false,
        }
    }
}

/// How to write into a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typing {
    /// What is there stays; otherwise it is replaced.
    pub append: bool,
    /// Key by key, with this much time between two; otherwise at once.
    pub delay: Option<Duration>,
    /// Presses Enter afterwards.
    pub submit: bool,
    /// Without checking whether a user could.
    pub force: bool,
}

/// What an option of a list is chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choose {
    /// Its value, or else its label.
    Either(String),
    /// Its value.
    Value(String),
    /// Its label.
    Label(String),
    /// Its number, from 0.
    Index(usize),
}

/// What a field of a form is to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// A text, a date, a number, a colour, a slider's position.
    Text(String),
    /// A checkbox or radio button.
    Checked(bool),
    /// Options of a list.
    Options(Vec<Choose>),
}

impl Page {
    /// Clicks.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn click(&self, target: &Target, _how: &Click, scope: &CallScope) -> Result<Acted, Failed> {
        self.not_yet(target, scope).await
    }

    /// Moves the mouse over an element.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn hover(
        &self,
        target: &Target,
        _position: Option<Point>,
        _modifiers: Modifiers,
        _force: bool,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        self.not_yet(target, scope).await
    }

    /// Writes into a field.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn type_text(
        &self,
        target: &Target,
        _text: &str,
        _how: &Typing,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        self.not_yet(target, scope).await
    }

    /// Gives a field of a form its value, whatever kind of field it is.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn fill_field(
        &self,
        target: &Target,
        _value: &FieldValue,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        self.not_yet(target, scope).await
    }

    /// Chooses options of a list; the others are given up. Answers with the values that are chosen then.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn select_option(
        &self,
        target: &Target,
        _options: &[Choose],
        _force: bool,
        scope: &CallScope,
    ) -> Result<(Acted, Vec<String>), Failed> {
        self.not_yet(target, scope).await.map(|acted| (acted, Vec::new()))
    }

    /// Presses a key, alone or with others, on what has the focus.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn press_key(&self, chord: &Chord, scope: &CallScope) -> Result<(), Failed> {
        Ok(self.attempt(scope, self.backend().input(chord.events())).await?)
    }

    /// Drags one element to another.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn drag(
        &self,
        from: &Target,
        _to: &Target,
        scope: &CallScope,
    ) -> Result<(Acted, Acted), Failed> {
        self.not_yet(from, scope).await.map(|acted| (acted.clone(), acted))
    }

    /// Drops files or data on an element, as if they came from outside of the browser.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn drop_on(
        &self,
        target: &Target,
        _dropped: Dropped,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        self.not_yet(target, scope).await
    }

    /// Gives files to a file input; without a target, to the file chooser that is open. No files close it.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn upload(
        &self,
        target: Option<&Target>,
        _files: Vec<PathBuf>,
        scope: &CallScope,
    ) -> Result<Option<Acted>, Failed> {
        match target {
            Some(target) => self.not_yet(target, scope).await.map(Some),
            None => Ok(None),
        }
    }

    async fn not_yet(&self, target: &Target, scope: &CallScope) -> Result<Acted, Failed> {
        let node = self.node(target, scope).await?;
        self.backend().release(node);
        Err(Failed::Unfit { element: target.to_string(), why: "can't be acted on yet".to_owned() })
    }
}
