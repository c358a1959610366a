//! `file:` leads into the workspace or nowhere: not by a link either, or by a frame, from a page of the workspace.
//!
//! No proxy sees such a document, so it is looked for before an answer leaves: what it shows is not told, and it is left.

use std::time::Duration;

use engine::page::{Page, WaitUntil};
use url::Url;

use super::codes::BLOCKED_BY_POLICY;
use super::files::Files;
use super::visit::Visit;
use crate::tools::Failure;

/// How long the way to a blank page may take.
const LEAVING: Duration = Duration::from_secs(1);

/// Refuses to answer while a tab shows a file from elsewhere, and blanks that tab.
pub(super) async fn refused(visit: &Visit) -> Result<(), Failure> {
    let context = visit.session.context();
    for (index, page) in context.pages().into_iter().enumerate() {
        let Some(url) = stray(&page, &visit.files) else { continue };
        // One that does not go is closed: nothing of it may be seen later.
        if page.navigate("about:blank", WaitUntil::Commit, &visit.late.within(LEAVING)).await.is_err() {
            let _ = context.close_page(Some(index), &visit.late.within(LEAVING)).await;
        }
        let url = base::clip::head(url.as_str(), 300).into_owned();
        return Err(Failure::new(
            BLOCKED_BY_POLICY,
            format!("{url} is refused: it lies outside the workspace"),
        )
        .fact("url", url)
        .fact("rule", "outside the workspace")
        .suggest("only files of the workspace are shown; the tab is blank now, so navigate again"));
    }
    Ok(())
}

/// The first document of the page that is a file from elsewhere.
fn stray(page: &Page, files: &Files) -> Option<Url> {
    let state = page.state();
    let frames = state.frames.in_order();
    let urls = frames.into_iter().filter_map(|frame| state.frames.get(frame)).map(|frame| frame.url.as_str());
    let mut local = urls.filter(|url| url.starts_with("file:")).filter_map(|url| Url::parse(url).ok());
    local.find(|url| {
        let path = url.to_file_path().ok();
        let inside = path.as_deref().and_then(|path| files.located("url", path.to_str()?).ok());
        inside.is_none()
    })
}
