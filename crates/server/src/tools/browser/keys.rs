//! The keyboard: writing into a field, and single keys (C5, A4.3).

use std::time::Duration;

use engine::action::Typing;
use engine::codegen::Statement;
use engine::keyboard::Chord;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::act::{Done, Undone, act, act_within};
use super::args::{At, On};
use super::failed::Deed;
use super::visit::outer_limit;
use super::{PAGE_TOOL, secrets};
use crate::config::Options;
use crate::tools::schema::input_of;
use crate::tools::{Args, Call, Failure, Reply, Tool, invalid};

pub(crate) static TYPE: Tool = Tool {
    name: "type",
    playwright: Some("browser_type"),
    description: "Writes a text into a field, in place of what it holds.",
    input: input_of::<Type>,
    unlisted: &["timeout", "element", "force"],
    limit: |args, options| outer_limit(args, duration(args, options)),
    handler: |call| Box::pin(type_text(call)),
    ..PAGE_TOOL
};

pub(crate) static PRESS_KEY: Tool = Tool {
    name: "press_key",
    playwright: Some("browser_press_key"),
    description: "Presses a key on what has the focus: Enter, ArrowDown, a, Control+A.",
    input: input_of::<PressKey>,
    handler: |call| Box::pin(press_key(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Type {
    #[serde(flatten)]
    at: At,
    text: String,
    /// Press Enter afterwards.
    submit: Option<bool>,
    /// Key by key, for pages that listen to keys.
    slowly: Option<bool>,
    /// Milliseconds between keys.
    #[schemars(range(max = 5000))]
    delay: Option<u64>,
    /// Keep what the field holds.
    append: Option<bool>,
    force: Option<bool>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct PressKey {
    key: String,
    #[serde(flatten)]
    _on: On,
}

/// How long typing may take: what is asked to be slow gets its time.
fn duration(args: &Args, options: &Options) -> Duration {
    let keys = args.get("text").and_then(Value::as_str).map_or(0, |text| text.chars().count());
    let keys = u32::try_from(keys).unwrap_or(u32::MAX);
    let slowly = args.get("slowly") == Some(&Value::Bool(true));
    let each =
        args.millis("delay").unwrap_or(if slowly { Duration::from_millis(20) } else { Duration::ZERO });
    options.browser.action_limit.saturating_add(each.saturating_mul(keys))
}

async fn type_text(call: Call) -> Result<Reply, Failure> {
    let args: Type = call.args.parse()?;
    let target = args.at.target()?;
    let key_by_key = args.slowly.unwrap_or(false) || args.delay.is_some();
    let how = Typing {
        append: args.append.unwrap_or(false),
        delay: key_by_key.then(|| Duration::from_millis(args.delay.unwrap_or_default())),
        submit: args.submit.unwrap_or(false),
        force: args.force.unwrap_or(false),
    };
    let usual = duration(&call.args, &call.services.options);
    let written = secrets::filled("text", &args.text, &call.services.options)?;
    act_within(call, usual, Deed::Edit, |visit, page| async move {
        let acted = page
            .type_text(&target, &written, &how, &visit.scope)
            .await
            .map_err(|why| Undone::on(&target, why))?;
        let (locator, text) = (acted.locator.clone(), args.text);
        let mut code = vec![if key_by_key || how.append {
            Statement::PressSequentially { locator, text, delay: how.delay.unwrap_or_default() }
        } else {
            Statement::Fill { locator, text }
        }];
        if how.submit {
            code.push(Statement::Press { locator: acted.locator, key: "Enter".to_owned() });
        }
        Ok(Done { result: None, code })
    })
    .await
}

async fn press_key(call: Call) -> Result<Reply, Failure> {
    let args: PressKey = call.args.parse()?;
    let chord: Chord = args.key.parse().map_err(|refused| {
        let expected = format!("a key or a chord such as Control+A ({refused})");
        invalid("key", &expected, Some(&Value::from(args.key.as_str())))
    })?;
    act(call, Deed::Edit, |visit, page| async move {
        page.press_key(&chord, &visit.scope).await?;
        Ok(Done::code(Statement::KeyboardPress { key: args.key }))
    })
    .await
}
