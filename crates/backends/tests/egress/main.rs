//! No request of a confined browser goes around its session's proxy, whatever a page tries.
//!
//! The catalogue holds the attempts as data. Each has a port of its own on a server that nobody may reach, so that whatever arrives or is
//! asked for says which attempt it was. All of them are played twice: behind a session's gate, where nothing may arrive and no packet may
//! leave for any other machine, and behind a proxy that permits, where what was refused before does arrive: an attempt that sends nothing
//! proves nothing, and those that do stand in silent.toml with the reason.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod attempt;
mod browsers;
mod catalogue;
mod door;
mod gate;
mod ground;
mod play;
mod silent;
mod tap;
mod target;
mod trial;

use browsers::Mode;

/// The promises, for each browser.
macro_rules! promises {
    ($($browser:ident: $mode:expr),* $(,)?) => {
        $(mod $browser {
            #[test]
            fn nothing_goes_around_the_proxy() {
                let name = concat!(stringify!($browser), "::nothing_goes_around_the_proxy");
                crate::ground::inside(name, || crate::trial::of_refusal($mode));
            }

            #[test]
            fn what_is_refused_would_arrive() {
                let name = concat!(stringify!($browser), "::what_is_refused_would_arrive");
                crate::ground::inside(name, || crate::trial::of_permission($mode));
            }

            #[test]
            fn without_its_proxy_a_session_reaches_nobody() {
                let name = concat!(stringify!($browser), "::without_its_proxy_a_session_reaches_nobody");
                crate::ground::inside(name, || crate::trial::of_a_missing_proxy($mode));
            }
        })*
    };
}

/// What the promises would see if they were not kept. Of WebKit nothing is seen as it comes, either.
macro_rules! controls {
    ($($browser:ident: $mode:expr),* $(,)?) => {
        $(#[test]
        fn $browser() {
            let name = concat!("as_it_comes_it_goes_around_the_proxy::", stringify!($browser));
            crate::ground::inside(name, || crate::trial::of_freedom($mode));
        })*
    };
}

mod as_it_comes_it_goes_around_the_proxy {
    controls! {
        chromium: crate::browsers::Mode::Chromium,
        full_chromium: crate::browsers::Mode::FullChromium,
        firefox: crate::browsers::Mode::Firefox,
    }
}

promises! {
    chromium: crate::browsers::Mode::Chromium,
    full_chromium: crate::browsers::Mode::FullChromium,
    firefox: crate::browsers::Mode::Firefox,
    webkit: crate::browsers::Mode::Webkit,
}

#[test]
fn every_attempt_has_a_name_of_its_own_and_every_silence_its_attempt() {
    let attempts = catalogue::all();
    let names: std::collections::BTreeSet<&str> = attempts.iter().map(|attempt| attempt.name).collect();
    assert_eq!(names.len(), attempts.len());
    let browsers: Vec<&str> = Mode::ALL.iter().map(|mode| mode.word()).collect();
    for silent in silent::all() {
        assert!(names.contains(silent.attempt.as_str()), "no attempt is called {:?}", silent.attempt);
        assert!(!silent.reason.trim().is_empty(), "{:?} has no reason", silent.attempt);
        assert!(silent.browsers.iter().all(|name| browsers.contains(&name.as_str())), "{silent:?}");
    }
    for browser in browsers {
        let made = attempts.iter().filter(|attempt| silent::find(browser, attempt.name).is_none()).count();
        assert!(made >= 60, "{browser} makes only {made} attempts");
    }
}
