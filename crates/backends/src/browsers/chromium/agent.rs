//! What pages are told about the browser: without a window it says the same as with one.
//!
//! A headless Chromium calls itself `HeadlessChrome`, and sites that are tested on it answer differently than to their
//! users. The protocol can set another name, but takes the client hints (`navigator.userAgentData`, `Sec-CH-UA`) away
//! unless they are given with it, so they are put together here as Chromium itself does.

use std::path::Path;

use serde_json::{Value, json};

/// What a browser is told to say about itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Agent {
    /// `navigator.userAgent`.
    pub(crate) text: String,
    /// The client hints that fit it, where they are known.
    pub(crate) hints: Option<Value>,
    /// The browser would say something else by itself.
    pub(crate) differs: bool,
}

impl Agent {
    /// What a browser of somebody else's says, whatever that is.
    pub(crate) fn own(text: String) -> Self {
        Self { text, hints: None, differs: false }
    }

    /// What the browser at `executable` says with a window; `text` is what it says now, `product` its name and version.
    #[cfg_attr(
        windows,
        expect(dead_code, reason = "only a browser that we start is told, and none is there yet")
    )]
    pub(crate) fn with_window(text: &str, product: &str, executable: &Path) -> Self {
        let version = product.split_once('/').map_or("", |(_, version)| version);
        let Some(major) = version.split('.').next().and_then(|major| major.parse().ok()) else {
            return Self::own(text.to_owned());
        };
        let plain = without_headless(text, major);
        let hints = json!({
            "brands": brands(major, &major.to_string(), brand(executable)),
            "fullVersionList": brands(major, version, brand(executable)),
            "platform": match std::env::consts::OS { "macos" => "macOS", "windows" => "Windows", _ => "Linux" },
            // Of a Linux it is empty by rule; of the others it is not known here.
            "platformVersion": "",
            "architecture": if cfg!(any(target_arch = "x86", target_arch = "x86_64")) { "x86" } else { "arm" },
            "bitness": if cfg!(target_pointer_width = "64") { "64" } else { "32" },
            "model": "",
            "mobile": false,
            "wow64": false,
            "formFactors": ["Desktop"],
        });
        Self { differs: plain != text, text: plain, hints: Some(hints) }
    }
}

/// `HeadlessChrome/156.0.8078.79` as the same browser with a window has it: `Chrome/156.0.0.0`.
fn without_headless(text: &str, major: u32) -> String {
    let words = text.split(' ').map(|word| match word.strip_prefix("HeadlessChrome/") {
        Some(_) => format!("Chrome/{major}.0.0.0"),
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What a distribution calls itself besides Chromium.
fn brand(executable: &Path) -> Option<&'static str> {
    let path = executable.display().to_string().to_lowercase();
    match path {
        path if path.contains("chromium") || path.contains("headless") => None,
        path if path.contains("edge") => Some("Microsoft Edge"),
        path if path.contains("chrome") => Some("Google Chrome"),
        _ => None,
    }
}

/// The brands in the order of this version, with the one that is made up so that nobody relies on the list (User-Agent
/// Client Hints, "Create arbitrary brands").
fn brands(major: u32, version: &str, brand: Option<&str>) -> Vec<Value> {
    const ODD: [&str; 11] = [" ", "(", ":", "-", ".", "/", ")", ";", "=", "?", "_"];
    const ODD_VERSIONS: [&str; 3] = ["8", "99", "24"];
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let seed = major as usize;
    let odd = |at: usize| ODD[at % ODD.len()];
    let made_up = format!("Not{}A{}Brand", odd(seed), odd(seed + 1));
    let odd_version = ODD_VERSIONS[seed % ODD_VERSIONS.len()];
    let odd_version =
        if version.contains('.') { format!("{odd_version}.0.0.0") } else { odd_version.to_owned() };
    let mut all = vec![
        json!({ "brand": made_up, "version": odd_version }),
        json!({ "brand": "Chromium", "version": version }),
    ];
    let Some(brand) = brand else {
        if seed % 2 == 1 {
            all.reverse();
        }
        return all;
    };
    all.push(json!({ "brand": brand, "version": version }));
    let mut ordered = vec![Value::Null; all.len()];
    for (entry, place) in all.into_iter().zip(ORDERS[seed % ORDERS.len()]) {
        ordered[place] = entry;
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADLESS: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.8078.79 Safari/537.36";

    #[test]
    fn a_browser_without_a_window_says_what_it_says_with_one() {
        let agent = Agent::with_window(
            HEADLESS,
            "HeadlessChrome/156.0.8078.79",
            Path::new("/x/chromium-headless-shell"),
        );
        assert!(agent.differs && agent.text.ends_with("(KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"));
        let hints = agent.hints.unwrap();
        let expected =
            json!([{ "brand": "Not:A-Brand", "version": "8" }, { "brand": "Chromium", "version": "156" }]);
        assert_eq!(hints["brands"], expected);
        assert_eq!(hints["fullVersionList"][0]["version"], "8.0.0.0");
        assert_eq!(hints["fullVersionList"][1]["version"], "156.0.8078.79");
    }

    #[test]
    fn one_with_a_window_is_left_as_it_is() {
        let text = HEADLESS.replace("HeadlessChrome/156.0.8078.79", "Chrome/156.0.0.0");
        let agent = Agent::with_window(&text, "Chrome/156.0.8078.79", Path::new("/usr/bin/chromium"));
        assert_eq!((agent.differs, agent.text), (false, text));
    }

    #[test]
    fn a_distribution_has_its_own_brand() {
        let names =
            |path| brands(156, "156", brand(Path::new(path))).into_iter().map(|brand| brand["brand"].clone());
        assert!(names("/opt/google/chrome/chrome").any(|name| name == "Google Chrome"));
        assert!(names("/opt/microsoft/msedge/microsoft-edge").any(|name| name == "Microsoft Edge"));
        assert_eq!(names("/root/.cache/ms-playwright/chromium-1/chrome-linux/chrome").count(), 2);
    }
}
