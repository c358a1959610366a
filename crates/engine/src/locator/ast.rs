//! The parsed selector: a row of steps, each applied to what the one before it found.

use std::str::FromStr;

use super::css::CssList;
use super::refusal::{Reason, SelectorRefused};
use super::role::RoleQuery;
use super::{call, chain};

/// A way to find elements, parsed. It has at least one step and ends in an element, not in a frame's door.
///
/// `Display` gives the canonical string: it parses back to the same value, and Playwright reads it as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    steps: Vec<Step>,
}

/// One step: it either searches below the elements found so far, or narrows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// CSS with Playwright's pseudo-classes; pierces open shadow roots.
    Css(CssList),
    /// An XPath expression, relative to the elements found so far; shadow roots are closed to it.
    XPath(String),
    /// The smallest elements whose whole text matches.
    Text(TextMatch),
    /// `text="…"`: elements with a run of text directly inside them that equals this.
    OwnText(String),
    /// Elements whose attribute matches: `id=`, `data-testid=`, placeholder, alternative text, title.
    Attribute(Attribute, TextMatch),
    /// Elements whose test id (the attribute that the session is configured with) matches.
    TestId(TextMatch),
    /// Elements by ARIA role, accessible name and state.
    Role(RoleQuery),
    /// Form controls by the text of their label, `aria-labelledby` or `aria-label`.
    Label(TextMatch),
    /// The nth of the elements found so far, from zero; negative counts from the end.
    Nth(i32),
    /// Those that are visible, or those that are not.
    Visible(bool),
    /// Those whose text, descendants included, matches.
    HasText(TextMatch),
    /// Those whose text does not match.
    HasNotText(TextMatch),
    /// Those with a match of the inner selector below them.
    Has(Selector),
    /// Those without a match of the inner selector below them.
    HasNot(Selector),
    /// Those that the inner selector finds as well.
    And(Selector),
    /// These and what the inner selector finds, in document order.
    Or(Selector),
    /// The inner selector as one step below each element (a locator given to `locator()`).
    Chain(Selector),
    /// Into the document of the frame element found so far.
    Frame,
}

/// The name of an attribute that is matched as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute(String);

/// How a text is compared. White space is normalised first, except in attributes and before a regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextMatch {
    /// Contained, upper and lower case alike.
    Substring(String),
    /// Equal as a whole, case included.
    Exact(String),
    /// Found by a JavaScript regular expression.
    Regex(Regex),
}

/// A JavaScript regular expression; the browser compiles it, here it is only taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regex {
    source: String,
    flags: String,
}

impl Selector {
    /// Parses what a user wrote, in any of the accepted spellings.
    ///
    /// # Errors
    /// [`SelectorRefused`] with the place, what is wrong there, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, SelectorRefused> {
        let text = text.trim();
        let steps = if call::looks_like_call(text) { call::parse(text)? } else { chain::parse(text)? };
        Self::finished(steps).map_err(|reason| SelectorRefused::new(text, text.len(), reason))
    }

    /// The selector of these steps, if it is one: an element at its end, and every frame's door reached from an element.
    pub(super) fn finished(steps: Vec<Step>) -> Result<Self, Reason> {
        let mut previous = None;
        for step in &steps {
            if *step == Step::Frame && matches!(previous, None | Some(Step::Frame)) {
                return Err(Reason::FrameWithoutElement);
            }
            previous = Some(step.clone());
        }
        match previous {
            None => Err(Reason::Empty),
            Some(Step::Frame) => Err(Reason::EndsInFrame),
            Some(_) => Ok(Self { steps }),
        }
    }

    /// An inner selector (of `has`, `and` …): finished, and within one document.
    pub(super) fn inner(steps: Vec<Step>) -> Result<Self, Reason> {
        if steps.contains(&Step::Frame) {
            return Err(Reason::FrameInside);
        }
        Self::finished(steps)
    }

    /// The steps, in the order in which they are applied.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps, for one who builds a longer selector.
    pub(super) fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    /// One selector per document: all but the last find the frame element whose document the next one searches.
    pub fn by_document(&self) -> Vec<Self> {
        let documents = self.steps.split(|step| *step == Step::Frame);
        documents.map(|steps| Self { steps: steps.to_vec() }).collect()
    }
}

impl FromStr for Selector {
    type Err = SelectorRefused;

    fn from_str(text: &str) -> Result<Self, SelectorRefused> {
        Self::parse(text)
    }
}

impl Attribute {
    /// The attribute of this name, if it is one that HTML could carry.
    pub fn new(name: &str) -> Option<Self> {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
        (!name.is_empty() && name.chars().all(fits)).then(|| Self(name.to_owned()))
    }

    /// The name as it stands in the document.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl TextMatch {
    /// Exact if asked for, else contained: the meaning of `exact` in the call syntax.
    pub(super) fn of(text: String, exact: bool) -> Self {
        if exact { Self::Exact(text) } else { Self::Substring(text) }
    }
}

impl Regex {
    /// An expression and its flags, if these flags exist and none stands twice, and if it could stand between slashes.
    ///
    /// As in JavaScript's own `source`, a slash or a line break that would end it is escaped.
    pub fn new(source: &str, flags: &str) -> Option<Self> {
        let known = |flag| "dgimsuvy".contains(flag);
        let once = |flag| flags.matches(flag).count() == 1;
        let sound = flags.chars().all(|flag| known(flag) && once(flag));
        let source = between_slashes(source)?;
        (sound && !source.is_empty()).then(|| Self { source, flags: flags.to_owned() })
    }

    /// The expression, without slashes.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The flags, such as `i`.
    pub fn flags(&self) -> &str {
        &self.flags
    }
}

/// The source with what would end the literal escaped; nothing if it ends in a backslash or inside `[…]`.
fn between_slashes(source: &str) -> Option<String> {
    let mut escaped = String::with_capacity(source.len());
    let mut in_class = false;
    let mut letters = source.chars();
    while let Some(c) = letters.next() {
        match c {
            '\\' => {
                escaped.push(c);
                escaped.push(letters.next().filter(|c| *c != '\n' && *c != '\r')?);
                continue;
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => escaped.push('\\'),
            '\n' => {
                escaped.push_str("\\n");
                continue;
            }
            '\r' => {
                escaped.push_str("\\r");
                continue;
            }
            _ => {}
        }
        escaped.push(c);
    }
    (!in_class).then_some(escaped)
}
