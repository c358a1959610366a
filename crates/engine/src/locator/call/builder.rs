//! What one call adds to the steps of a locator: its arguments checked and turned into steps.

use super::Named;
use super::literal::Value;
use crate::locator::ast::{Attribute, Selector, Step, TextMatch};
use crate::locator::chain;
use crate::locator::cursor::Cursor;
use crate::locator::refusal::{Reason, SelectorRefused};
use crate::locator::role::{NameMatch, RoleQuery, Tristate};

/// The steps so far and the call that is being added to them.
pub(super) struct Builder<'c, 't> {
    pub(super) cursor: &'c Cursor<'t>,
    pub(super) steps: &'c mut Vec<Step>,
    pub(super) at: usize,
    pub(super) method: &'static str,
    pub(super) first: Option<(usize, Value)>,
    pub(super) named: Vec<Named>,
}

impl Builder<'_, '_> {
    #[expect(clippy::unnecessary_wraps, reason = "ends the methods of the table, which can refuse")]
    pub(super) fn push(&mut self, step: Step) -> Result<(), SelectorRefused> {
        self.steps.push(step);
        Ok(())
    }

    fn wrong(&self, at: usize, place: &str, takes: &'static str) -> SelectorRefused {
        self.cursor.refuse_at(at, Reason::WrongArgument { place: format!("`{place}`"), takes })
    }

    fn text(&mut self, exact: bool) -> Result<TextMatch, SelectorRefused> {
        let at = self.first.as_ref().map_or(self.at, |(at, _)| *at);
        match self.first.take() {
            Some((_, Value::Text(text))) => Ok(TextMatch::of(text, exact)),
            Some((_, Value::Regex(regex))) => Ok(TextMatch::Regex(regex)),
            _ => Err(self.wrong(at, self.method, "a string or a regular expression")),
        }
    }

    fn option(&mut self, name: &str) -> Option<(usize, Value)> {
        let index = self.named.iter().position(|named| named.name == name)?;
        let named = self.named.swap_remove(index);
        Some((named.at, named.value))
    }

    fn flag(&mut self, name: &str) -> Result<Option<bool>, SelectorRefused> {
        match self.option(name) {
            None => Ok(None),
            Some((_, Value::Bool(value))) => Ok(Some(value)),
            Some((at, _)) => Err(self.wrong(at, name, "true or false")),
        }
    }

    pub(super) fn by_text(&mut self, step: fn(TextMatch) -> Step) -> Result<(), SelectorRefused> {
        let exact = self.flag("exact")?.unwrap_or(false);
        let text = self.text(exact)?;
        self.push(step(text))
    }

    pub(super) fn by_attribute(&mut self, name: &'static str) -> Result<(), SelectorRefused> {
        let exact = self.flag("exact")?.unwrap_or(false);
        let text = self.text(exact)?;
        self.steps.extend(Attribute::new(name).map(|name| Step::Attribute(name, text)));
        Ok(())
    }

    pub(super) fn test_id(&mut self) -> Result<(), SelectorRefused> {
        let text = self.text(true)?;
        self.push(Step::TestId(text))
    }

    fn name_option(&mut self, name: &str, exact: bool) -> Result<Option<NameMatch>, SelectorRefused> {
        match self.option(name) {
            None => Ok(None),
            Some((_, Value::Text(text))) => Ok(Some(NameMatch::of(text, exact))),
            Some((_, Value::Regex(regex))) => Ok(Some(NameMatch::Regex(regex))),
            Some((at, _)) => Err(self.wrong(at, name, "a string or a regular expression")),
        }
    }

    fn tristate(&mut self, name: &str) -> Result<Option<Tristate>, SelectorRefused> {
        match self.option(name) {
            None => Ok(None),
            Some((_, Value::Bool(true))) => Ok(Some(Tristate::True)),
            Some((_, Value::Bool(false))) => Ok(Some(Tristate::False)),
            Some((_, Value::Text(word))) if word == "mixed" => Ok(Some(Tristate::Mixed)),
            Some((at, _)) => Err(self.wrong(at, name, "true, false or 'mixed'")),
        }
    }

    pub(super) fn role(&mut self) -> Result<(), SelectorRefused> {
        let Some((at, Value::Text(role))) = self.first.take() else {
            return Err(self.wrong(self.at, "getByRole", "a role in quotes"));
        };
        let refuse = |reason| self.cursor.refuse_at(at, reason);
        let mut query = RoleQuery::new(&role).map_err(refuse)?;
        let exact = self.flag("exact")?.unwrap_or(false);
        query.name = self.name_option("name", exact)?;
        query.description = self.name_option("description", exact)?;
        query.checked = self.tristate("checked")?;
        query.pressed = self.tristate("pressed")?;
        query.disabled = self.flag("disabled")?;
        query.expanded = self.flag("expanded")?;
        query.selected = self.flag("selected")?;
        query.include_hidden = self.flag("includeHidden")?.unwrap_or(false);
        query.level = match self.option("level") {
            None => None,
            Some((at, Value::Number(level))) => {
                Some(u32::try_from(level).map_err(|_| self.wrong(at, "level", "a number from 1"))?)
            }
            Some((at, _)) => return Err(self.wrong(at, "level", "a number from 1")),
        };
        let query = query.checked_for_sense().map_err(|reason| self.cursor.refuse_at(at, reason))?;
        self.push(Step::Role(query))
    }

    /// `locator('string')` goes on with that string's steps; `locator(locator)` keeps the inner one together.
    pub(super) fn locator(&mut self) -> Result<(), SelectorRefused> {
        match self.first.take() {
            Some((_, Value::Text(text))) => self.steps.extend(chain::parse(&text)?),
            Some((at, Value::Locator(inner))) => {
                let inner = Selector::inner(inner).map_err(|reason| self.cursor.refuse_at(at, reason))?;
                if self.steps.is_empty() {
                    self.steps.extend(inner.into_steps());
                } else {
                    self.steps.push(Step::Chain(inner));
                }
            }
            _ => return Err(self.wrong(self.at, "locator", "a selector in quotes, or a locator")),
        }
        self.filters()
    }

    pub(super) fn frame_locator(&mut self) -> Result<(), SelectorRefused> {
        let Some((_, Value::Text(text))) = self.first.take() else {
            return Err(self.wrong(self.at, "frameLocator", "the iframe's selector in quotes"));
        };
        self.steps.extend(chain::parse(&text)?);
        self.push(Step::Frame)
    }

    pub(super) fn filters(&mut self) -> Result<(), SelectorRefused> {
        for (name, step) in
            [("hasText", Step::HasText as fn(TextMatch) -> Step), ("hasNotText", Step::HasNotText)]
        {
            match self.option(name) {
                None => {}
                Some((_, Value::Text(text))) => self.steps.push(step(TextMatch::Substring(text))),
                Some((_, Value::Regex(regex))) => self.steps.push(step(TextMatch::Regex(regex))),
                Some((at, _)) => return Err(self.wrong(at, name, "a string or a regular expression")),
            }
        }
        for (name, step) in [("has", Step::Has as fn(Selector) -> Step), ("hasNot", Step::HasNot)] {
            match self.option(name) {
                None => {}
                Some((at, Value::Locator(inner))) => {
                    let inner = Selector::inner(inner).map_err(|reason| self.cursor.refuse_at(at, reason))?;
                    self.steps.push(step(inner));
                }
                Some((at, _)) => return Err(self.wrong(at, name, "a locator such as page.locator('…')")),
            }
        }
        if let Some(visible) = self.flag("visible")? {
            self.steps.push(Step::Visible(visible));
        }
        Ok(())
    }

    /// Behind a frame locator it counts the frames, not what is inside them.
    pub(super) fn nth(&mut self, index: Option<i32>) -> Result<(), SelectorRefused> {
        let ((Some(index), _) | (None, Some((_, Value::Number(index))))) = (index, self.first.take()) else {
            return Err(self.wrong(self.at, "nth", "a whole number; 0 is the first"));
        };
        let before = self.steps.len() - usize::from(self.steps.last() == Some(&Step::Frame));
        self.steps.insert(before, Step::Nth(index));
        Ok(())
    }

    pub(super) fn inner(&mut self, step: fn(Selector) -> Step) -> Result<(), SelectorRefused> {
        match self.first.take() {
            Some((at, Value::Locator(inner))) => {
                let inner = Selector::inner(inner).map_err(|reason| self.cursor.refuse_at(at, reason))?;
                self.push(step(inner))
            }
            _ => Err(self.wrong(self.at, self.method, "a locator such as page.locator('…')")),
        }
    }

    /// The frame element itself: back out of the frame just entered.
    pub(super) fn owner(&mut self) -> Result<(), SelectorRefused> {
        if self.steps.last() != Some(&Step::Frame) {
            return Err(self.wrong(self.at, "owner", "a frame locator before it"));
        }
        self.steps.pop();
        Ok(())
    }
}
