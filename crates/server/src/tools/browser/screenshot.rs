//! Pictures of the page (A4.4).

use engine::backend::PictureFormat;
use engine::codegen::Statement;
use engine::{ScreenshotOptions, Smaller};
use schemars::JsonSchema;
use serde::Deserialize;

use super::args::{At, On};
use super::failed::Deed;
use super::report::Report;
use super::visit::{How, visit};
use super::{LOOKS, PAGE_TOOL};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool, invalid};

/// Enough to read small text.
const QUALITY: u8 = 80;

pub(crate) static SCREENSHOT: Tool = Tool {
    name: "screenshot",
    playwright: Some("browser_take_screenshot"),
    also: &["take_screenshot"],
    description: "A picture of what is in view, of the full page or of an element. To act, use the snapshot.",
    input: input_of::<Take>,
    hints: LOOKS,
    handler: |call| Box::pin(screenshot(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Take {
    #[serde(flatten)]
    at: At,
    full_page: Option<bool>,
    #[serde(rename = "type")]
    kind: Option<Kind>,
    scale: Option<Scale>,
    filename: Option<String>,
    #[serde(flatten)]
    _on: On,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Png,
    Jpeg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Scale {
    Css,
    Device,
}

async fn screenshot(call: Call) -> Result<Reply, Failure> {
    let args: Take = call.args.parse()?;
    let target = args.at.maybe()?;
    let full_page = args.full_page.unwrap_or(false);
    if full_page && target.is_some() {
        return Err(invalid("fullPage", "left out when an element is given", Some(&true.into())));
    }
    let (format, extension) = match args.kind.unwrap_or(Kind::Png) {
        Kind::Png => (PictureFormat::Png, "png"),
        Kind::Jpeg => (PictureFormat::Jpeg(QUALITY), "jpeg"),
    };
    // Whoever wants a file has no need of the same picture in the conversation.
    let shown = args.filename.is_none();
    let css_scale = args.scale != Some(Scale::Device);
    let options = ScreenshotOptions { target, full_page, format, css_scale, shown };
    let how = How::queued(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let mut picture = match page.screenshot(&options, &visit.scope).await {
            Ok(picture) => picture,
            Err(why) => return Err(visit.failed_at(&page, why, options.target.as_ref(), Deed::Look).await),
        };
        let path = match &args.filename {
            Some(name) => Some(visit.files.save_as(name, &picture.bytes).await?),
            None => visit.files.save("page", extension, &picture.bytes).await,
        };
        let size = format!("{} × {} pixels", picture.width, picture.height);
        let cut = if picture.cut { ", cut at its limit: a part of the page is missing" } else { "" };
        let place = path.as_ref().map(|path| format!(", in {path}")).unwrap_or_default();
        let smaller = picture.shown.as_ref();
        let smaller = smaller.map(|Smaller { width, height, .. }| format!("; shown as {width} × {height}"));
        let code = Statement::Screenshot { locator: picture.locator.take(), path, full_page };
        let report = Report::of(format!("{size}{cut}{place}{}", smaller.unwrap_or_default()));
        let reply = report.with_code([code], visit.options.browser.codegen).reply(&visit).await?;
        let mime = picture.mime;
        Ok(if shown { reply.with_image(picture.into_shown(), mime) } else { reply })
    })
    .await
}
