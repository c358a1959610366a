//! Parity: a page reads the same in every browser. The engine's corpora of pages are read by Chromium and by another
//! browser, side by side, and the two snapshots compared; what differs stands in differences.toml with its reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use engine::backend::Browser;
use engine::page::WaitUntil;
use serde::Deserialize;
use testkit::site::Site;

use crate::case::{Given, LIMIT, scope_of};
use crate::corpus::{self, Part};
use crate::stage::{Mode, own};

/// So many pages at a time.
const AT_ONCE: usize = 4;
#[derive(Deserialize)]
struct Differences {
    #[serde(default)]
    reasons: BTreeMap<String, String>,
    #[serde(default)]
    difference: Vec<Difference>,
}

/// A page that a browser reads in another way than Chromium, what it reads, and the key of the reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    browser: String,
    html: String,
    yaml: String,
    reason: String,
}

fn differences() -> Differences {
    toml::from_str(include_str!("differences.toml")).unwrap()
}

/// A page that the two browsers read: the second one's snapshot where it is another.
struct Compared {
    html: String,
    chromium: String,
    other: String,
}

/// Reads the pages of a part of the corpora in Chromium and in another browser.
fn compare(mode: Mode, part: Part) {
    testkit::bins().watchdog();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let compared = runtime.block_on(async {
        let (chromium, other) = tokio::join!(own(Mode::Usual), own(mode));
        let pages = corpus::pages(part);
        let size = pages.len().div_ceil(AT_ONCE);
        let parts = pages.chunks(size).map(|part| read(part, mode, &chromium.browser, &other.browser));
        let compared = futures_util::future::join_all(parts).await.concat();
        tokio::join!(chromium.close(), other.close());
        compared
    });
    let faults = faults(mode.browser(), &compared);
    assert!(faults.is_empty(), "{} of {} pages:\n{}", faults.len(), compared.len(), faults.join("\n"));
}

async fn read(
    pages: &[String],
    mode: Mode,
    chromium: &Arc<dyn Browser>,
    other: &Arc<dyn Browser>,
) -> Vec<Arc<Compared>> {
    let site = Site::start().unwrap();
    let (first, second) = tokio::join!(Given::prepare(Mode::Usual, chromium), Given::prepare(mode, other));
    let mut compared = Vec::new();
    for html in pages {
        site.page("/", &format!("<!doctype html><meta charset=utf-8>{html}"));
        let (chromium, other) = tokio::join!(told(&first, &site, html), told(&second, &site, html));
        compared.push(Arc::new(Compared { html: html.clone(), chromium, other }));
    }
    tokio::join!(first.close(), second.close());
    compared
}

async fn told(t: &Given, site: &Site, html: &str) -> String {
    let arrived = t.page.navigate(&site.url("/"), WaitUntil::Load, &scope_of(LIMIT)).await;
    arrived.unwrap_or_else(|why| panic!("{html}: {why}"));
    t.snapshot().await
}

/// What differs and is not listed, or is listed and does not differ so.
fn faults(browser: &str, compared: &[Arc<Compared>]) -> Vec<String> {
    let known = differences();
    let of = |html: &str| known.difference.iter().find(|one| one.browser == browser && one.html == html);
    let mut faults = Vec::new();
    for page in compared {
        let same = page.chromium == page.other;
        match of(&page.html) {
            None if same => {}
            None => faults.push(entry(browser, page)),
            Some(_) if same => faults.push(format!("{} is listed, but reads the same", page.html)),
            Some(listed) if listed.yaml.trim_end() == page.other => {}
            Some(_) => faults.push(format!("listed with another text:\n{}", entry(browser, page))),
        }
    }
    faults
}

/// The entry that differences.toml would have, and what Chromium reads.
fn entry(browser: &str, page: &Compared) -> String {
    let mut text = String::new();
    for line in page.chromium.lines() {
        writeln!(text, "# chromium: {line}").unwrap();
    }
    let Compared { html, other, .. } = page;
    writeln!(text, "[[difference]]\nbrowser = \"{browser}\"\nhtml = '''{html}'''\nyaml = '''\n{other}\n'''\nreason = \"\"")
        .unwrap();
    text
}

#[test]
fn every_difference_has_its_page_and_its_reason() {
    let pages: Vec<String> = Part::ALL.iter().flat_map(|part| corpus::pages(*part)).collect();
    assert!(pages.len() >= 600, "{} pages prove little", pages.len());
    let known = differences();
    for one in &known.difference {
        assert!(pages.contains(&one.html), "no page is {:?}", one.html);
        assert!(known.reasons.contains_key(&one.reason), "{:?} has no reason {:?}", one.html, one.reason);
    }
    for reason in known.reasons.keys() {
        assert!(known.difference.iter().any(|one| one.reason == *reason), "{reason} is nobody's reason");
    }
}

/// The full browser draws more than the shell, and reads the same.
#[test]
fn whole_pages_in_the_full_browser() {
    compare(Mode::Full, Part::Pages);
}

/// One test for each part and each browser that is not Chromium.
macro_rules! in_browsers {
    ($($browser:ident = $mode:expr;)*) => {
        $(mod $browser {
            use super::{Mode, Part, compare};

            #[test]
            fn roles() {
                compare($mode, Part::Roles);
            }

            #[test]
            fn names_and_states() {
                compare($mode, Part::NamesAndStates);
            }

            #[test]
            fn whole_pages() {
                compare($mode, Part::Pages);
            }
        })*
    };
}

in_browsers! {
    firefox = Mode::Firefox;
    webkit = Mode::Webkit;
}
