//! What a user's hand does to a page.
//!
//! Every action waits until a user could do it (prepare.rs, with the page's part in injected/prepare.js), does it with
//! real input where there is input for it, and asks the page what came of it (deliver.rs). When it is over is settling's
//! business.

mod click;
mod deliver;
mod diary;
mod drag;
mod field;
mod held;
mod hover;
mod modifiers;
mod prepare;
mod press;
mod select;
#[cfg(test)]
mod tests;
pub(crate) mod through;
mod typing;
mod upload;

use std::time::Duration;

pub use drag::Dragged;

use crate::backend::{Modifiers, MouseButton, Point};
use crate::locator::Selector;

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
