//! The mouse on one element: clicks and hovering (C4, A4.2).

use std::time::Duration;

use engine::action::Click;
use engine::backend::{Modifiers, MouseButton, Point};
use engine::codegen::Statement;
use schemars::JsonSchema;
use serde::Deserialize;

use super::PAGE_TOOL;
use super::act::{Done, Undone, act, act_within};
use super::args::{At, On};
use super::failed::Deed;
use super::visit::outer_limit;
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool};

pub(crate) static CLICK: Tool = Tool {
    name: "click",
    playwright: Some("browser_click"),
    description: "Clicks an element, by ref from a snapshot or by selector (CSS, XPath, text=…, getByRole(…)), once it \
                  can be clicked.",
    input: input_of::<ClickArgs>,
    unlisted: &["element", "delay", "position"],
    limit: |args, options| {
        outer_limit(
            args,
            options.browser.action_limit.saturating_add(args.millis("delay").unwrap_or_default()),
        )
    },
    handler: |call| Box::pin(click(call)),
    ..PAGE_TOOL
};

pub(crate) static HOVER: Tool = Tool {
    name: "hover",
    playwright: Some("browser_hover"),
    description: "Moves the mouse over an element.",
    input: input_of::<Hover>,
    unlisted: &["timeout", "element", "position", "modifiers", "force"],
    handler: |call| Box::pin(hover(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ClickArgs {
    #[serde(flatten)]
    at: At,
    double_click: Option<bool>,
    button: Option<Button>,
    modifiers: Option<Vec<Modifier>>,
    /// From the element's upper left corner.
    position: Option<Position>,
    force: Option<bool>,
    /// Milliseconds between press and release.
    #[schemars(range(max = 30000))]
    delay: Option<u64>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Hover {
    #[serde(flatten)]
    at: At,
    modifiers: Option<Vec<Modifier>>,
    position: Option<Position>,
    force: Option<bool>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Button {
    Left,
    Right,
    Middle,
}

/// A key that is held meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub(super) enum Modifier {
    Alt,
    Control,
    ControlOrMeta,
    Meta,
    Shift,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
struct Position {
    x: f64,
    y: f64,
}

async fn click(call: Call) -> Result<Reply, Failure> {
    let args: ClickArgs = call.args.parse()?;
    let target = args.at.target()?;
    let delay = Duration::from_millis(args.delay.unwrap_or_default());
    let how = Click {
        button: args.button.map_or(MouseButton::Left, Button::mouse),
        count: if args.double_click == Some(true) { 2 } else { 1 },
        modifiers: modifiers(&args.modifiers.unwrap_or_default()),
        position: args.position.map(Position::point),
        delay,
        force: args.force.unwrap_or(false),
    };
    let usual = call.services.options.browser.action_limit.saturating_add(delay);
    act_within(call, usual, Deed::Click, |visit, page| async move {
        let acted = page.click(&target, &how, &visit.scope).await.map_err(|why| Undone::on(&target, why))?;
        Ok(Done::code(Statement::Click { locator: acted.locator, how }))
    })
    .await
}

async fn hover(call: Call) -> Result<Reply, Failure> {
    let args: Hover = call.args.parse()?;
    let target = args.at.target()?;
    let held = modifiers(&args.modifiers.unwrap_or_default());
    act(call, Deed::Click, |visit, page| async move {
        let (position, force) = (args.position.map(Position::point), args.force.unwrap_or(false));
        let acted = page
            .hover(&target, position, held, force, &visit.scope)
            .await
            .map_err(|why| Undone::on(&target, why))?;
        Ok(Done::code(Statement::Hover { locator: acted.locator, position, modifiers: held }))
    })
    .await
}

pub(super) fn modifiers(held: &[Modifier]) -> Modifiers {
    let command = cfg!(target_os = "macos");
    let either = held.contains(&Modifier::ControlOrMeta);
    Modifiers {
        alt: held.contains(&Modifier::Alt),
        control: held.contains(&Modifier::Control) || (either && !command),
        meta: held.contains(&Modifier::Meta) || (either && command),
        shift: held.contains(&Modifier::Shift),
    }
}

impl Button {
    fn mouse(self) -> MouseButton {
        match self {
            Self::Left => MouseButton::Left,
            Self::Right => MouseButton::Right,
            Self::Middle => MouseButton::Middle,
        }
    }
}

impl Position {
    fn point(self) -> Point {
        Point { x: self.x, y: self.y }
    }
}
