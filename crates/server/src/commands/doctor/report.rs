//! What was found, for people and for programs.

use serde::Serialize;
use serde_json::{Value, json};

/// What a finding means for the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Ok,
    /// It works, but not in every way that one might think.
    Note,
    /// Something will not work.
    Failed,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// What was looked at, in a word.
    pub(super) check: &'static str,
    pub(super) verdict: Verdict,
    pub(super) seen: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mend: Option<String>,
}

impl Finding {
    pub(super) fn ok(check: &'static str, seen: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Ok, seen: seen.into(), mend: None }
    }

    pub(super) fn note(check: &'static str, seen: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Note, seen: seen.into(), mend: Some(mend.into()) }
    }

    pub(super) fn failed(check: &'static str, seen: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Failed, seen: seen.into(), mend: Some(mend.into()) }
    }
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Report(pub(super) Vec<Finding>);

impl Report {
    /// Whether the server will work.
    pub(super) fn holds(&self) -> bool {
        self.0.iter().all(|finding| finding.verdict != Verdict::Failed)
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for Finding { check, verdict, seen, mend } in &self.0 {
            let verdict = match verdict {
                Verdict::Ok => "ok",
                Verdict::Note => "note",
                Verdict::Failed => "FAILED",
            };
            text.push_str(&format!("{verdict:<6} {check:<10} {seen}\n"));
            if let Some(mend) = mend {
                text.push_str(&format!("{:<17} → {mend}\n", ""));
            }
        }
        let failed = self.0.iter().filter(|finding| finding.verdict == Verdict::Failed).count();
        text.push_str(&match failed {
            0 => "Everything that the server needs is there.\n".to_owned(),
            1 => "One thing will not work.\n".to_owned(),
            many => format!("{many} things will not work.\n"),
        });
        text
    }

    pub(super) fn json(&self) -> Value {
        json!({ "ok": self.holds(), "version": env!("CARGO_PKG_VERSION"), "findings": self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_will_not_work_fails() {
        let mut report = Report(vec![
            Finding::ok("ports", "a port of 127.0.0.1 can be had"),
            Finding::note("display", "there is none, so browsers run headless", "start one for a window"),
        ]);
        assert!(report.holds());
        report.0.push(Finding::failed("browser", "no chromium was found", "install it"));
        assert!(!report.holds());
        insta::assert_snapshot!(report.text(), @r"
        ok     ports      a port of 127.0.0.1 can be had
        note   display    there is none, so browsers run headless
                          → start one for a window
        FAILED browser    no chromium was found
                          → install it
        One thing will not work.
        ");
        assert_eq!(report.json()["findings"][2]["verdict"], "failed");
    }
}
