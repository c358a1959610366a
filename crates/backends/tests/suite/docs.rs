//! docs/browsers.md is made from what is known of the browsers and from the suite's own expectations. `UPDATE_DOCS=1`
//! rewrites it.

use std::fmt::Write as _;
use std::path::Path;

use backends::browsers::About;
use engine::backend::{Ability, BrowserKind};

use crate::{FAMILIES, expectations};

const INTRO: &str = "# Browsers

Made from what the server knows of its browsers and from the engine suite, by the tests (`UPDATE_DOCS=1 cargo nextest run -p
backends -E 'test(docs)'`); don't edit it.

`--browser` names the browser that sessions use; `browser` in `create_session` and `start_session` names another for one session, so
that one server has sessions of several engines side by side. All are the stock browsers of a distribution, driven without a driver
program: Chromium by the DevTools protocol, Firefox by WebDriver BiDi, WebKit by the inspector of WebKitGTK. Everything that the tools do
works in all of them, but for what stands here. An option that a browser can't follow is answered with `unsupported_by_browser` and
what to use instead, before anything is started; nothing is left out in silence.
";

/// As expectations.toml calls it.
fn word(kind: BrowserKind) -> &'static str {
    match kind {
        BrowserKind::Chromium => "chromium",
        BrowserKind::Firefox => "firefox",
        BrowserKind::Webkit => "webkit",
    }
}

fn exceptions(about: &About) -> Vec<expectations::Expected> {
    expectations::all().into_iter().filter(|expected| expected.browser == word(about.kind)).collect()
}

fn page() -> String {
    let mut page = INTRO.to_owned();
    page.push_str(&table());
    for about in About::ALL {
        page.push_str(&section(about));
    }
    page
}

/// One row for each ability, and the suite's figures.
fn table() -> String {
    let row = |what: &str, cell: &dyn Fn(&About) -> String| {
        let cells: Vec<String> = About::ALL.iter().map(|about| cell(about)).collect();
        format!("| {what} | {} |\n", cells.join(" | "))
    };
    let mut table = String::from("\n## What each can do\n\n");
    table.push_str(&row("", &|about| about.name.to_owned()));
    table.push_str("|---|---|---|---|\n");
    let all: usize = FAMILIES.iter().map(|(_, cases)| cases.len()).sum();
    table.push_str(&row("cases of the engine suite", &|about| {
        format!("{} of {all}", all - exceptions(about).len())
    }));
    for ability in Ability::ALL {
        table.push_str(&row(ability.what(), &|about| able(about, *ability).to_owned()));
    }
    table
}

fn able(about: &About, ability: Ability) -> &'static str {
    match (about.capabilities.has(ability), about.privileged.has(ability)) {
        (true, _) => "works",
        (false, true) => "with `--firefox-system-access`",
        (false, false) => "no, see below",
    }
}

fn section(about: &About) -> String {
    let mut text = format!("\n## {}\n\n| system | command |\n|---|---|\n", about.name);
    for (system, command) in about.installs {
        writeln!(text, "| {system} | `{command}` |").unwrap();
    }
    if !about.quirks.is_empty() {
        text.push('\n');
    }
    for (what, how) in about.quirks {
        writeln!(text, "- **{what}**: {how}.").unwrap();
    }
    if !about.emulated.is_empty() {
        text.push_str("\nWhat works in a way of ours, because the browser's protocol has none:\n\n");
    }
    for (what, how) in about.emulated {
        writeln!(text, "- **{what}**: {how}.").unwrap();
    }
    if !about.instead.is_empty() {
        text.push_str("\nWhat it can't do, and what to use instead:\n\n");
    }
    for (ability, instead) in about.instead {
        writeln!(text, "- **{}**: {}; {}.", ability.what(), instead.why, instead.next).unwrap();
    }
    let exceptions = exceptions(about);
    if !exceptions.is_empty() {
        text.push_str("\nCases of the engine suite that it is known to fail:\n\n");
    }
    for expected in exceptions {
        writeln!(text, "- **{}**: {}.", expected.case, expected.reason.trim_end_matches('.')).unwrap();
    }
    text
}

#[test]
fn the_page_of_the_browsers_is_up_to_date() {
    let made = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/browsers.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "docs/browsers.md is out of date; cargo xtask docs makes it anew");
}
