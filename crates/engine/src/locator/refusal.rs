//! Why a selector was refused, where, and what to write instead: one line that an agent can act on.

use std::fmt;

/// A selector that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorRefused {
    selector: String,
    position: usize,
    reason: Reason,
}

/// What is wrong with a selector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Nothing was written.
    #[error("the selector is empty")]
    Empty,
    /// Something else should stand here.
    #[error("expected {what}, found {found}")]
    Expected {
        /// What should stand here.
        what: &'static str,
        /// What does.
        found: String,
    },
    /// A bracket, quote or slash was opened and never closed.
    #[error("`{sign}` is never closed")]
    Unclosed {
        /// The opening sign.
        sign: char,
    },
    /// `name=` with a name that is no engine.
    #[error("unknown engine `{name}`")]
    UnknownEngine {
        /// The name before the equals sign.
        name: String,
    },
    /// A value that its engine cannot take.
    #[error("`{engine}=` takes {takes}")]
    BadBody {
        /// The engine's name.
        engine: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// A regular expression without content, or with flags that JavaScript lacks.
    #[error("`{text}` is not a JavaScript regular expression; flags are d g i m s u v y")]
    BadRegex {
        /// What was written.
        text: String,
    },
    /// A pseudo-class of jQuery, or a misspelt one of Playwright's.
    #[error("`:{name}` is not a pseudo-class")]
    UnknownPseudoClass {
        /// Its name, without the colon.
        name: String,
    },
    /// `:right-of()` and its relatives: selectors here do not depend on layout.
    #[error("the layout pseudo-class `:{name}()` is not supported")]
    LayoutPseudoClass {
        /// Its name, without the colon.
        name: String,
    },
    /// `::before` and the like, which are no elements.
    #[error("the pseudo-element `::{name}` is not an element and cannot be addressed")]
    PseudoElement {
        /// Its name, without the colons.
        name: String,
    },
    /// A pseudo-class with an argument that it cannot take.
    #[error("`:{name}()` takes {takes}")]
    BadArgument {
        /// Its name, without the colon.
        name: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// A role that WAI-ARIA does not define.
    #[error("`{name}` is not an ARIA role")]
    UnknownRole {
        /// The name given.
        name: String,
    },
    /// A state that roles do not have, or a value that the state cannot take.
    #[error("`{name}` takes {takes}")]
    BadState {
        /// The attribute's or option's name.
        name: String,
        /// What it takes.
        takes: &'static str,
    },
    /// An attribute in brackets that `role=` does not know.
    #[error(
        "`role=` has no attribute `{name}`; it has name, description, checked, disabled, expanded, include-hidden, level, pressed, selected"
    )]
    UnknownState {
        /// The attribute's name.
        name: String,
    },
    /// A state that this role never has.
    #[error("the role `{role}` has no `{state}` state; it belongs to {roles}")]
    StateOfOtherRoles {
        /// The role asked for.
        role: String,
        /// The state asked for.
        state: &'static str,
        /// The roles that have it.
        roles: String,
    },
    /// A function that makes no locator.
    #[error("`{name}` does not make a locator")]
    UnknownMethod {
        /// The name called.
        name: String,
    },
    /// An action or assertion behind a locator.
    #[error("`.{name}()` acts on the element; the selector is only the part before it")]
    Action {
        /// The action's name.
        name: String,
    },
    /// An option that the function does not have.
    #[error("`{method}` has no option `{name}`; it has {known}")]
    UnknownOption {
        /// The function called.
        method: String,
        /// The option's name.
        name: String,
        /// The options it has.
        known: String,
    },
    /// An argument of the wrong kind.
    #[error("{place} takes {takes}")]
    WrongArgument {
        /// The function or option.
        place: String,
        /// What it takes.
        takes: &'static str,
    },
    /// A frame is entered inside `has`, `and` and the like, which stay within one document.
    #[error("an inner locator cannot enter a frame")]
    FrameInside,
    /// A frame is entered although nothing was found that could be its element.
    #[error("there is no frame element to enter; begin with the iframe's own selector")]
    FrameWithoutElement,
    /// The selector stops at the frame.
    #[error(
        "the selector ends at the frame; go on with an element inside it, or leave out the last step for the iframe itself"
    )]
    EndsInFrame,
    /// jQuery's `[name!=value]`.
    #[error("`!=` does not compare attributes")]
    NotEqual,
    /// `*` and a tag name: neither CSS nor a captured step.
    #[error("`*{name}` is neither CSS nor a captured step")]
    CaptureWithoutEngine {
        /// What follows the star.
        name: String,
    },
    /// `*` marks two steps.
    #[error("only one step can be captured by `*`")]
    CapturedTwice,
}

impl SelectorRefused {
    pub(super) fn new(selector: &str, at: usize, reason: Reason) -> Self {
        let position = selector.char_indices().take_while(|(offset, _)| *offset < at).count() + 1;
        Self { selector: selector.to_owned(), position, reason }
    }

    /// Where in the selector, counted in characters from one.
    pub fn position(&self) -> usize {
        self.position
    }

    /// What is wrong.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// What to write instead, if that can be told.
    pub fn suggestion(&self) -> Option<String> {
        super::suggest::for_reason(&self.reason)
    }
}

impl fmt::Display for SelectorRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { selector, position, reason } = self;
        write!(f, "{reason}, at character {position} of the selector `{selector}`")?;
        match self.suggestion() {
            Some(suggestion) => write!(f, "; {suggestion}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SelectorRefused {}
