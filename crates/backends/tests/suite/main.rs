//! The engine suite: what a user of the engine may rely on, through its public surface, in a real browser.
//!
//! A case is a name and a function that gets a fresh page in a context of its own. A family of cases is one test: it
//! starts one browser, runs its cases side by side and tells all that failed. The cases know no browser; what one of
//! them can't do stands in expectations.toml with its reason, and a case that passes against it fails, too.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod case;
mod corpus;
mod docs;
mod expectations;
mod stage;

mod acting;
mod beforeunload;
mod clicks;
mod console;
mod content;
mod contexts;
mod crashes;
mod dialogs;
mod downloads;
mod dragging;
mod endless;
mod evaluate;
mod everyday;
mod fields;
mod frames;
mod history;
mod input;
mod navigation;
mod network;
mod parity;
mod screenshots;
mod secure;
mod selectors;
mod settling;
mod snapshots;
mod storage;
mod tabs;
mod unreachable;
mod uploads;
mod views;
mod waits;

use stage::Mode;

/// One test per family and browser; the list is the table of contents.
macro_rules! families {
    ($($family:ident),* $(,)?) => {
        $(
            #[test]
            fn $family() {
                stage::play(Mode::Usual, stringify!($family), $family::CASES);
            }
        )*

        mod firefox {
            $(
                #[test]
                fn $family() {
                    crate::stage::play(crate::stage::Mode::Firefox, stringify!($family), crate::$family::CASES);
                }
            )*
        }

        mod webkit {
            $(
                #[test]
                fn $family() {
                    crate::stage::play(crate::stage::Mode::Webkit, stringify!($family), crate::$family::CASES);
                }
            )*
        }

        /// Every family, for those who look at all of them.
        const FAMILIES: &[(&str, &[case::Case])] = &[$((stringify!($family), $family::CASES)),*];
    };
}

families![
    acting,
    beforeunload,
    clicks,
    console,
    content,
    contexts,
    crashes,
    dialogs,
    downloads,
    dragging,
    endless,
    evaluate,
    everyday,
    fields,
    frames,
    history,
    input,
    navigation,
    network,
    screenshots,
    secure,
    selectors,
    settling,
    snapshots,
    storage,
    tabs,
    unreachable,
    uploads,
    views,
    waits,
];

#[test]
fn everyday_in_the_full_browser() {
    stage::play(Mode::Full, "everyday", everyday::CASES);
}

#[test]
fn everyday_in_windows() {
    stage::play(Mode::Windows, "everyday", everyday::CASES);
}

#[test]
fn every_name_is_used_once_and_every_expectation_has_its_case() {
    let mut names = std::collections::BTreeSet::new();
    for (family, cases) in FAMILIES {
        for case in *cases {
            assert!(
                names.insert(format!("{family}: {}", case.name)),
                "{family}: {} is there twice",
                case.name
            );
        }
    }
    for expected in expectations::all() {
        assert!(names.contains(&expected.case), "no case is called {:?}", expected.case);
        assert!(!expected.reason.trim().is_empty(), "{:?} has no reason", expected.case);
    }
}
