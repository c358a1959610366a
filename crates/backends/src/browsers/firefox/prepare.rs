//! The start that makes a template of a profile: Firefox without a window, one blank page, and a polite end, at which it
//! writes its cache.

use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{Browser as _, ContextOptions};
use supervise::Supervisor;

use super::launch::{LaunchFailed, LaunchOptions, opened, spec};
use super::template::Template;
use super::{home, prefs};
use crate::browsers::process::Kept;

/// What it may take on a machine that has much else to do.
const LIMIT: Duration = Duration::from_secs(60);

/// Makes the template that [`LaunchOptions::templates`] speaks of, unless it is there or somebody else is making it.
///
/// # Errors
/// [`LaunchFailed`]; there is none then, and browsers start with new profiles.
pub async fn prepare(
    supervisor: &Supervisor,
    options: &LaunchOptions,
    deadline: Deadline,
) -> Result<(), LaunchFailed> {
    let Some(templates) = &options.templates else { return Ok(()) };
    let made = |source| LaunchFailed::Profile { folder: templates.clone(), source };
    let template = Template::of(templates, &options.executable, options.confined);
    let Some(begun) = template.begin().map_err(made)? else { return Ok(()) };
    home::make(begun.profile(), None).map_err(made)?;
    std::fs::write(begun.profile().join("user.js"), prefs::user_js(options.confined)).map_err(made)?;
    // Nothing of the user's own, and no window.
    let options = LaunchOptions { headless: true, args: Vec::new(), system_access: false, ..options.clone() };
    let (tree, output) = supervisor.spawn(&spec(&options, begun.profile())).await?;
    let process = Arc::new(Kept::keep(tree, output));
    let browser = opened(&process, &options, begun.profile(), deadline).await?;
    // What the first page needs is cached, too. A browser that shows none is ended all the same.
    let shown = async {
        let opened = browser.new_context(ContextOptions::default()).await?;
        opened.context.new_page().await?;
        opened.context.close().await
    };
    let shown = deadline.race(shown).await;
    browser.close(deadline).await;
    match shown {
        Ok(Ok(())) => template.keep(begun).map_err(made),
        Ok(Err(error)) => {
            Err(LaunchFailed::Refused { reason: error.to_string(), stderr: process.last_lines() })
        }
        Err(_) => Err(LaunchFailed::TimedOut { stderr: process.last_lines() }),
    }
}

/// The same beside everything else. With the server's end it ends, too.
pub(super) fn prepare_later(supervisor: &Supervisor, options: &LaunchOptions) {
    let (supervisor, options) = (supervisor.clone(), options.clone());
    tokio::spawn(async move {
        if let Err(error) = prepare(&supervisor, &options, Deadline::after(LIMIT)).await {
            tracing::warn!(component = "browsers", event = "template_not_made", %error);
        }
    });
}
