//! `--browsers all`: the same app in three sessions of three engines, side by side, in one conversation.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};
use testkit::mcp::StdioClient;

use super::scene::{Asked, Played};
use super::show;

/// As `start_session` calls them.
const BROWSERS: &[&str] = &["chromium", "firefox", "webkit"];

/// What the agent does in every session once all are open: so that three pages are open at the same time.
struct Round {
    title: &'static str,
    tool: &'static str,
    arguments: fn() -> Value,
    says: &'static [&'static str],
}

const ROUNDS: &[Round] = &[
    Round {
        title: "It opens the app in each of them",
        tool: "navigate",
        arguments: || json!({ "url": "/" }),
        says: &["button \"Add to cart\""],
    },
    Round {
        title: "It fills in the form in each of them",
        tool: "type",
        arguments: || json!({ "selector": "getByLabel('Product')", "text": "bread" }),
        says: &["bread"],
    },
    Round {
        title: "It clicks, and each page asks the one server",
        tool: "click",
        arguments: || json!({ "selector": "getByRole('button', { name: 'Add to cart' })" }),
        says: &["2.50", "GET /price?of=bread 200"],
    },
    Round {
        title: "Each is what it says it is",
        tool: "evaluate",
        arguments: || json!({ "script": "navigator.userAgent" }),
        says: &["Mozilla/5.0"],
    },
    Round {
        title: "It takes a picture of each",
        tool: "screenshot",
        arguments: || json!({}),
        says: &[".png"],
    },
];

/// Plays it, and hands on what is kept of each call with the server's pid.
pub(super) fn play(
    client: &mut StdioClient,
    project: &Path,
    keep: &mut impl FnMut(Played, u32),
) -> anyhow::Result<()> {
    show::heading("The agent starts its app three times: one dev server, and a session in each browser");
    let mut sessions = Vec::new();
    for browser in BROWSERS {
        let arguments = json!({ "browser": browser, "name": browser });
        let mut played =
            Asked { tool: "start_session", arguments, fails: false, says: &["http://localhost:"] }
                .ask(client, project)?;
        let id = played.session.take().context("the answer names no session")?;
        sessions.push((*browser, id));
        keep(played, client.server().pid());
    }
    for round in ROUNDS {
        show::heading(round.title);
        for (browser, id) in &sessions {
            println!("in {browser}:");
            let mut arguments = (round.arguments)();
            arguments["sessionId"] = json!(id);
            let asked = Asked { tool: round.tool, arguments, fails: false, says: round.says };
            keep(asked.ask(client, project)?, client.server().pid());
        }
    }
    show::heading("It ends the sessions; the dev server goes with the one that started it");
    for (_, id) in sessions.iter().rev() {
        let arguments = json!({ "sessionId": id });
        keep(
            Asked { tool: "end_session", arguments, fails: false, says: &["closed"] }.ask(client, project)?,
            client.server().pid(),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Wanted;

    #[test]
    fn the_demo_needs_the_other_browsers_only_when_they_are_asked_for() {
        let read = |words: &[&str]| {
            Wanted::read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).ok()
        };
        assert_eq!(read(&[]), Some(Wanted { dev: false, every_browser: false }));
        assert_eq!(read(&["--dev", "--browsers", "all"]), Some(Wanted { dev: true, every_browser: true }));
        assert_eq!(read(&["--browsers"]), None);
        assert_eq!(read(&["--browsers", "opera"]), None);
    }
}
