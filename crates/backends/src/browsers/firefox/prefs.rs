//! How Firefox is set up: quiet, without a word to Mozilla, and without what would throttle pages that nobody looks at.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::confined;

/// How many seconds a script may keep its page busy. Firefox's own number, 10, would not be taken for ours: its remote agent sets
/// what is left as it was to no limit at all.
const LONGEST_SCRIPT: i32 = 8;

/// The settings of every browser that we start, in the words of `about:config`.
const PREFS: &[(&str, Pref)] = &[
    // It starts with nothing, greets nobody and asks nothing.
    ("browser.startup.page", Pref::Number(0)),
    ("browser.startup.homepage", Pref::Text("about:blank")),
    ("browser.startup.homepage_override.mstone", Pref::Text("ignore")),
    ("startup.homepage_welcome_url", Pref::Text("about:blank")),
    ("startup.homepage_welcome_url.additional", Pref::Text("")),
    ("browser.newtabpage.enabled", Pref::No),
    ("browser.newtab.preload", Pref::No),
    ("browser.aboutwelcome.enabled", Pref::No),
    ("browser.shell.checkDefaultBrowser", Pref::No),
    ("browser.sessionstore.resume_from_crash", Pref::No),
    ("browser.tabs.warnOnClose", Pref::No),
    ("browser.tabs.warnOnCloseOtherTabs", Pref::No),
    ("browser.warnOnQuit", Pref::No),
    ("browser.pagethumbnails.capturing_disabled", Pref::Yes),
    ("browser.download.panel.shown", Pref::Yes),
    ("browser.download.always_ask_before_handling_new_types", Pref::No),
    ("browser.translations.enable", Pref::No),
    ("browser.ml.enable", Pref::No),
    ("browser.chrome.site_icons", Pref::No),
    ("signon.autofillForms", Pref::No),
    ("signon.rememberSignons", Pref::No),
    ("extensions.formautofill.addresses.enabled", Pref::No),
    ("extensions.formautofill.creditCards.enabled", Pref::No),
    ("datareporting.policy.dataSubmissionPolicyBypassNotification", Pref::Yes),
    ("toolkit.startup.max_resumed_crashes", Pref::Number(-1)),
    // Mozilla's services are not asked for anything.
    ("services.settings.server", Pref::Text("data:,#remote-settings-dummy/v1")),
    ("app.normandy.enabled", Pref::No),
    ("app.normandy.api_url", Pref::Text("")),
    ("messaging-system.rsexperimentloader.enabled", Pref::No),
    ("nimbus.rollouts.enabled", Pref::No),
    ("datareporting.policy.dataSubmissionEnabled", Pref::No),
    ("datareporting.healthreport.uploadEnabled", Pref::No),
    ("datareporting.usage.uploadEnabled", Pref::No),
    ("toolkit.telemetry.enabled", Pref::No),
    ("toolkit.telemetry.server", Pref::Text("")),
    ("toolkit.telemetry.reportingpolicy.firstRun", Pref::No),
    ("browser.safebrowsing.malware.enabled", Pref::No),
    ("browser.safebrowsing.phishing.enabled", Pref::No),
    ("browser.safebrowsing.update.enabled", Pref::No),
    ("browser.safebrowsing.blockedURIs.enabled", Pref::No),
    ("browser.safebrowsing.downloads.enabled", Pref::No),
    ("network.captive-portal-service.enabled", Pref::No),
    ("network.connectivity-service.enabled", Pref::No),
    ("network.dns.disablePrefetch", Pref::Yes),
    ("network.prefetch-next", Pref::No),
    ("network.http.speculative-parallel-limit", Pref::Number(0)),
    ("network.trr.mode", Pref::Number(5)),
    // A tab in the background is nobody's here: what it loads would wait a quarter of a second for the one in front.
    ("network.http.throttle.enable", Pref::No),
    // Nor does it wait as long for its turn to go on parsing, which it stops for what runs in every new document: its turn comes when
    // there is nothing else to do for three milliseconds, not shortly before a frame, and only after two quiet ones; while a page is
    // loading only after the next frame, and there may be none.
    ("layout.idle_period.required_quiescent_frames", Pref::Number(0)),
    ("layout.expose_high_rate_mode_from_refreshdriver", Pref::No),
    ("layout.idle_period.time_limit", Pref::Number(0)),
    ("content.sink.interactive_parse_time", Pref::Number(0)),
    // Which is also how long it would parse at a time after a user's input.
    ("content.sink.enable_perf_mode", Pref::Number(2)),
    ("extensions.update.enabled", Pref::No),
    ("extensions.getAddons.cache.enabled", Pref::No),
    ("extensions.systemAddon.update.enabled", Pref::No),
    ("app.update.disabledForTesting", Pref::Yes),
    ("browser.region.network.url", Pref::Text("")),
    ("browser.region.update.enabled", Pref::No),
    ("browser.search.update", Pref::No),
    ("browser.topsites.contile.enabled", Pref::No),
    ("dom.push.connection.enabled", Pref::No),
    ("dom.push.serverURL", Pref::Text("")),
    ("media.gmp-manager.updateEnabled", Pref::No),
    ("media.gmp-provider.enabled", Pref::No),
    ("geo.provider.network.url", Pref::Text("")),
    ("security.OCSP.enabled", Pref::Number(0)),
    // Addresses are taken as they are.
    ("dom.security.https_first", Pref::No),
    // A dev server may be anywhere, and a port where nobody listens is told as such.
    ("network.security.ports.banned.override", Pref::Text("1-65535")),
    ("browser.fixup.alternate.enabled", Pref::No),
    ("network.auth.non-web-content-triggered-resources-http-auth-allow", Pref::Yes),
    // Whoever has a proxy has it for this machine, too.
    ("network.proxy.allow_hijacking_localhost", Pref::Yes),
    // Every page is the one that somebody looks at: its timers, frames and focus are those of a tab in front.
    ("layout.testing.top-level-always-active", Pref::Yes),
    ("focusmanager.testmode", Pref::Yes),
    ("dom.min_background_timeout_value", Pref::Number(4)),
    ("dom.min_background_timeout_value_without_budget_throttling", Pref::Number(4)),
    ("dom.timeout.enable_budget_timer_throttling", Pref::No),
    ("widget.windows.window_occlusion_tracking.enabled", Pref::No),
    // None is put aside when memory runs short.
    ("browser.tabs.unloadOnLowMemory", Pref::No),
    ("dom.ipc.processPriorityManager.backgroundUsesEcoQoS", Pref::No),
    // What a page opens is opened, and what it asks before it is left is asked.
    ("dom.disable_open_during_load", Pref::No),
    ("dom.block_multiple_popups", Pref::No),
    ("dom.popup_maximum", Pref::Number(-1)),
    ("dom.successive_dialog_time_limit", Pref::Number(0)),
    ("dom.disable_beforeunload", Pref::No),
    ("dom.require_user_interaction_for_beforeunload", Pref::Yes),
    // JSON is shown as its text; the viewer is a page of the browser's, with no storage.
    ("devtools.jsonview.enabled", Pref::No),
    // Nobody is there to answer such a question: without a permission the answer is no.
    ("permissions.default.camera", Pref::Number(2)),
    ("permissions.default.desktop-notification", Pref::Number(2)),
    ("permissions.default.geo", Pref::Number(2)),
    ("permissions.default.microphone", Pref::Number(2)),
    // With Shift, too, a right click is the page's first.
    ("dom.event.contextmenu.shift_suppresses_event", Pref::No),
    // What was asked of a document that is left is not asked of the next: a user's script would run twice.
    ("remote.retry-on-abort", Pref::No),
    // A page that is gone back to is loaded: of one that is taken from memory the protocol tells nothing.
    ("browser.sessionhistory.max_total_viewers", Pref::Number(0)),
    // Without it a scrollbar takes its width from what pages are told and from pictures.
    ("ui.useOverlayScrollbars", Pref::Number(1)),
    ("ui.caretBlinkTime", Pref::Number(0)),
    ("general.smoothScroll", Pref::No),
    ("media.autoplay.default", Pref::Number(0)),
    ("media.navigator.streams.fake", Pref::Yes),
    // The protocol can't end a script, so Firefox does, without asking, a little before it would ask its user whether to. Otherwise
    // a page in a loop would answer nothing any more and could not even be left.
    ("dom.max_script_run_time", Pref::Number(LONGEST_SCRIPT)),
    ("dom.max_script_run_time.require_critical_input", Pref::No),
    ("dom.always_stop_slow_scripts", Pref::Yes),
    // Only that script: its page may run others afterwards.
    ("dom.global_stop_script", Pref::No),
    // A context whose page crashed has a page that says so; no report is sent.
    ("browser.tabs.crashReporting.sendReport", Pref::No),
    ("browser.crashReports.unsubmittedCheck.enabled", Pref::No),
];

#[derive(Debug, Clone, Copy)]
pub(super) enum Pref {
    Yes,
    No,
    Number(i32),
    Text(&'static str),
}

impl Pref {
    fn value(self) -> Value {
        match self {
            Self::Yes => json!(true),
            Self::No => json!(false),
            Self::Number(number) => json!(number),
            Self::Text(text) => json!(text),
        }
    }
}

/// The text of a profile's `user.js`.
pub(super) fn user_js(confined: bool) -> String {
    let confined = if confined { confined::PREFS } else { &[] };
    let mut text = String::new();
    for (name, pref) in PREFS.iter().chain(confined) {
        let _ = writeln!(text, "user_pref(\"{name}\", {});", pref.value());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_there_once_and_written_as_firefox_reads_it() {
        let names: std::collections::BTreeSet<&str> = PREFS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), PREFS.len());
        let text = user_js(false);
        assert!(text.contains("user_pref(\"browser.startup.page\", 0);\n"));
        assert!(text.contains("user_pref(\"toolkit.telemetry.server\", \"\");\n"));
        assert!(text.lines().all(|line| line.starts_with("user_pref(\"") && line.ends_with(");")));
        assert!(!text.contains("network.proxy.type"));
    }

    #[test]
    fn what_confines_comes_last_and_names_a_proxy_for_everything() {
        let text = user_js(true);
        assert!(text.starts_with(&user_js(false)));
        for kind in ["http", "ssl", "socks"] {
            assert!(text.contains(&format!("user_pref(\"network.proxy.{kind}_port\", 1);")), "{kind}");
        }
        assert!(text.contains("user_pref(\"network.proxy.failover_direct\", false);"));
    }
}
