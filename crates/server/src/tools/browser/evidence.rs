//! What a failure looked like: the screenshot, and what failed before it in the same session (A4.9, A5.2, A5.6).

use engine::ScreenshotOptions;
use engine::backend::PictureFormat;
use serde_json::json;

use super::codes::*;
use super::visit::{AFTERMATH, Visit};
use crate::session::{Past, Session};
use crate::tools::run::TIMEOUT;
use crate::tools::{ErrorCode, Failure, now};

/// What a picture helps to understand. The others say it all, or have no page that could be pictured.
const PICTURED: &[ErrorCode] = &[
    NAVIGATION_FAILED,
    ELEMENT_NOT_FOUND,
    ELEMENT_NOT_UNIQUE,
    ELEMENT_NOT_CLICKABLE,
    ELEMENT_NOT_EDITABLE,
    ELEMENT_NOT_VISIBLE,
    STALE_REF,
    EVALUATION_FAILED,
    TIMEOUT,
];

/// Good enough to read, and a tenth of the size of a lossless one.
const FORMAT: PictureFormat = PictureFormat::Jpeg(75);

/// The failure with a picture of the page, as an image and as a file, if there is a page that can be pictured.
pub(super) async fn with_picture(failure: Failure, visit: &Visit) -> Failure {
    if !PICTURED.contains(&failure.code()) {
        return failure;
    }
    let Some(page) = visit.session.context().current() else { return failure };
    // A page with an open dialog paints nothing.
    if page.state().interruption().is_some() {
        return failure;
    }
    let options = ScreenshotOptions { format: FORMAT, shown: true, ..ScreenshotOptions::default() };
    let scope = visit.late.within(AFTERMATH);
    let Ok(picture) = page.screenshot(&options, &scope).await else { return failure };
    let captured = now();
    let saved = visit.files.save("error", "jpeg", &picture.bytes).await;
    let failure = match saved {
        Some(path) => failure.beside("screenshot", json!({"path": path, "capturedAt": captured})),
        None => failure.beside("screenshot", json!({"capturedAt": captured})),
    };
    let mime = picture.mime;
    failure.show(picture.into_shown(), mime)
}

/// The failure with its session and the errors before it; it is one of them from now on.
pub(super) fn with_past(failure: Failure, session: &Session, tool: &'static str) -> Failure {
    let recent = session.recent();
    let message = base::clip::head(failure.message(), 200).into_owned();
    session.note(Past { timestamp: now(), kind: failure.code().lower(), tool, message });
    let recent = recent.iter().filter_map(|past| serde_json::to_value(past).ok()).collect();
    failure.in_session(session.id().to_string()).after(recent)
}
