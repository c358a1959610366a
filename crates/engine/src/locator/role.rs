//! Elements by role: `role=heading[name="Basket"i][level=2]` and the options of `getByRole`.

use super::ast::Regex;
use super::attributes::{Bracket, BracketValue, brackets};
use super::cursor::Cursor;
use super::refusal::{Reason, SelectorRefused};
use super::roles;

/// A role and what else must hold. A state that is not asked for may be anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoleQuery {
    /// The role's name, lower case, known to WAI-ARIA.
    pub role: String,
    /// The accessible name.
    pub name: Option<NameMatch>,
    /// The accessible description.
    pub description: Option<NameMatch>,
    /// `aria-checked` or the control's own state.
    pub checked: Option<Tristate>,
    /// Disabled itself or by an ancestor.
    pub disabled: Option<bool>,
    /// `aria-expanded` or the element's own state.
    pub expanded: Option<bool>,
    /// Also elements that are hidden from assistive technology.
    pub include_hidden: bool,
    /// Depth of a heading, list item, row or tree item.
    pub level: Option<u32>,
    /// A toggle button's state.
    pub pressed: Option<Tristate>,
    /// Selected in a list, table or tab strip.
    pub selected: Option<bool>,
}

/// A state that can also be undecided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tristate {
    /// On.
    True,
    /// Off.
    False,
    /// Neither, such as a box above partly checked ones.
    Mixed,
}

/// How an accessible name is compared; white space is normalised first, except before a regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameMatch {
    /// Against a text.
    Text {
        /// Which part of the name must be the text.
        operator: NameOperator,
        /// The text.
        text: String,
        /// Upper and lower case alike.
        ignore_case: bool,
    },
    /// Found by a regular expression.
    Regex(Regex),
}

/// The attribute operators of CSS (Selectors 4, 6.2), applied to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameOperator {
    /// `=`: the whole name.
    Equals,
    /// `*=`: anywhere in it.
    Contains,
    /// `^=`: at its beginning.
    StartsWith,
    /// `$=`: at its end.
    EndsWith,
    /// `~=`: one of its words.
    Word,
    /// `|=`: the whole, or up to a hyphen.
    Dash,
}

/// How a quoted name without a flag, or with `i`, is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `role=`: `"x"` is the whole name, `"x"i` the whole name in any case.
    Public,
    /// `internal:role=`: `"x"i` is contained in any case, `"x"s` the whole name.
    Internal,
}

impl NameOperator {
    pub(super) const ALL: [Self; 6] =
        [Self::Equals, Self::Contains, Self::StartsWith, Self::EndsWith, Self::Word, Self::Dash];

    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Equals => "=",
            Self::Contains => "*=",
            Self::StartsWith => "^=",
            Self::EndsWith => "$=",
            Self::Word => "~=",
            Self::Dash => "|=",
        }
    }
}

impl NameMatch {
    /// Contained in any case, or the whole if exact: `name` and `exact` of `getByRole`.
    pub(super) fn of(text: String, exact: bool) -> Self {
        let operator = if exact { NameOperator::Equals } else { NameOperator::Contains };
        Self::Text { operator, text, ignore_case: !exact }
    }
}

impl Tristate {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Mixed => "mixed",
        }
    }
}

impl RoleQuery {
    /// The query for a role of this name, in any case.
    pub(super) fn new(role: &str) -> Result<Self, Reason> {
        let role = role.trim().to_ascii_lowercase();
        if !roles::ALL.contains(&role.as_str()) {
            return Err(Reason::UnknownRole { name: role });
        }
        Ok(Self { role, ..Self::default() })
    }

    /// Refuses a state that the role cannot have: such a query would never find anything.
    pub(super) fn checked_for_sense(self) -> Result<Self, Reason> {
        let asked = [
            ("checked", self.checked.is_some()),
            ("expanded", self.expanded.is_some()),
            ("level", self.level.is_some()),
            ("pressed", self.pressed.is_some()),
            ("selected", self.selected.is_some()),
        ];
        for (state, roles) in roles::WITH_STATE {
            if asked.contains(&(*state, true)) && !roles.contains(&self.role.as_str()) {
                let roles = roles.join(", ");
                return Err(Reason::StateOfOtherRoles { role: self.role, state, roles });
            }
        }
        Ok(self)
    }
}

/// The body of `role=` or `internal:role=`.
pub(super) fn parse(cursor: &mut Cursor<'_>, dialect: Dialect) -> Result<RoleQuery, SelectorRefused> {
    cursor.skip_space();
    let start = cursor.at();
    let name = cursor.take_while(|c| c.is_alphanumeric() || c == '-');
    if name.is_empty() {
        return Err(cursor.expected("a role"));
    }
    let mut query = RoleQuery::new(name).map_err(|reason| cursor.refuse_at(start, reason))?;
    for bracket in brackets(cursor)? {
        let at = bracket.at;
        apply(&mut query, bracket, dialect).map_err(|reason| cursor.refuse_at(at, reason))?;
    }
    query.checked_for_sense().map_err(|reason| cursor.refuse_at(start, reason))
}

fn apply(query: &mut RoleQuery, bracket: Bracket, dialect: Dialect) -> Result<(), Reason> {
    let Bracket { name, value, .. } = bracket;
    match name.as_str() {
        "name" => query.name = Some(name_match(name, value, dialect)?),
        "description" => query.description = Some(name_match(name, value, dialect)?),
        "checked" => query.checked = Some(tristate(name, &value)?),
        "pressed" => query.pressed = Some(tristate(name, &value)?),
        "disabled" => query.disabled = Some(boolean(name, &value)?),
        "expanded" => query.expanded = Some(boolean(name, &value)?),
        "selected" => query.selected = Some(boolean(name, &value)?),
        "include-hidden" => query.include_hidden = boolean(name, &value)?,
        "level" => {
            let level = word(&value).and_then(|word| word.parse().ok());
            query.level = Some(level.ok_or(Reason::BadState { name, takes: "a number" })?);
        }
        _ => return Err(Reason::UnknownState { name }),
    }
    Ok(())
}

fn name_match(name: String, value: BracketValue, dialect: Dialect) -> Result<NameMatch, Reason> {
    match value {
        BracketValue::Regex(regex) => Ok(NameMatch::Regex(regex)),
        BracketValue::Text { operator, text, flag } => {
            let ignore_case = flag == Some('i');
            let sign =
                if dialect == Dialect::Internal && operator == "=" && ignore_case { "*=" } else { operator };
            let known = NameOperator::ALL.into_iter().find(|operator| operator.sign() == sign);
            Ok(NameMatch::Text { operator: known.unwrap_or(NameOperator::Equals), text, ignore_case })
        }
        BracketValue::Bare(_) | BracketValue::Absent => {
            Err(Reason::BadState { name, takes: "a text in quotes or a /regular expression/" })
        }
    }
}

fn tristate(name: String, value: &BracketValue) -> Result<Tristate, Reason> {
    match word(value) {
        Some("true") => Ok(Tristate::True),
        Some("false") => Ok(Tristate::False),
        Some("mixed") => Ok(Tristate::Mixed),
        _ => Err(Reason::BadState { name, takes: "true, false or mixed" }),
    }
}

fn boolean(name: String, value: &BracketValue) -> Result<bool, Reason> {
    match word(value) {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(Reason::BadState { name, takes: "true or false" }),
    }
}

/// The value as a word; a bracket without one means true.
fn word(value: &BracketValue) -> Option<&str> {
    match value {
        BracketValue::Absent => Some("true"),
        BracketValue::Bare(word) => Some(word),
        BracketValue::Text { operator: "=", text, .. } => Some(text),
        BracketValue::Text { .. } | BracketValue::Regex(_) => None,
    }
}
