//! What a model reads of a page: few tokens, Markdown headings, what is empty left out.
//!
//! The same value is the machine's form with `--structured-results`.

use engine::codegen::Statement;
use engine::locator::Language;
use serde::Serialize;

use super::files::Files;
use super::policy;
use super::visit::Visit;
use crate::tools::app::witness;
use crate::tools::{Failure, Reply};

/// As much as an answer holds; the rest is in a file (FIELD.md: clients cut and drop longer ones).
pub(in crate::tools) const BUDGET: usize = 20_000;
/// What a snapshot may take of it.
pub(super) const SNAPSHOT_BUDGET: usize = 16_000;

/// What is to be told of a page after a call.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    /// What should not be overlooked, though the call did what was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) attention: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<About>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) dialog: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) code: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) console: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) requests: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tabs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) downloads: Vec<String>,
    /// What the dev server logged since the last answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) server_log: Vec<String>,
    /// Last, because it is the longest.
    #[serde(flatten)]
    pub(super) view: Option<Seen>,
}

/// Where the page is.
#[derive(Debug, Default, Serialize)]
pub(super) struct About {
    pub(super) url: String,
    pub(super) title: String,
    /// Only what is worth a word: `404 Not Found`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<String>,
    /// How far it is loaded, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<&'static str>,
}

/// What is to be seen in it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Seen {
    /// Nothing that was not there before.
    Unchanged(bool),
    /// What changed.
    Changes(String),
    /// All of it, and where what is left out can be read.
    Snapshot {
        yaml: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        rest: Option<String>,
    },
}

impl Report {
    /// A report that has only a result.
    pub(super) fn of(result: impl Into<String>) -> Self {
        Self { result: Some(result.into()), ..Self::default() }
    }

    /// With the code of what was done, if code is wanted.
    pub(super) fn with_code(
        mut self,
        code: impl IntoIterator<Item = Statement>,
        language: Option<Language>,
    ) -> Self {
        if let Some(language) = language {
            self.code.extend(code.into_iter().map(|statement| statement.code(language)));
        }
        self
    }

    /// As a model reads it.
    pub(super) fn text(&self) -> String {
        let mut text = Text::default();
        text.plain(self.note.as_deref());
        text.list("Attention", &self.attention);
        text.list("Page", &self.page.as_ref().map(About::lines).unwrap_or_default());
        text.section("Result", self.result.as_deref());
        text.list("Dialog", &self.dialog);
        if !self.code.is_empty() {
            text.section("Code", Some(&self.code.join("\n")));
        }
        text.list("Console", &self.console);
        text.list("Requests", &self.requests);
        text.list("Tabs", &self.tabs);
        text.list("Downloads", &self.downloads);
        if !self.server_log.is_empty() {
            text.section("Server log", Some(&format!("```\n{}\n```", self.server_log.join("\n"))));
        }
        match &self.view {
            Some(Seen::Unchanged(_)) => text.plain(Some("Nothing changed on the page.")),
            Some(Seen::Changes(changes)) => text.fenced("Changes", changes),
            Some(Seen::Snapshot { yaml, rest }) => {
                text.fenced("Snapshot", yaml);
                text.plain(rest.as_deref());
            }
            None => {}
        }
        text.0
    }

    /// The reply; what is longer than an answer may be is in a file.
    pub(super) async fn reply(mut self, visit: &Visit) -> Result<Reply, Failure> {
        let notes: Vec<String> = [visit.note.clone(), self.note.take()].into_iter().flatten().collect();
        self.note = (!notes.is_empty()).then(|| notes.join("\n"));
        if let Some(app) = visit.session.app()
            && let Ok(Some((line, words))) = visit.late.race(witness::death(app)).await
        {
            self.attention.insert(0, line);
            if self.server_log.is_empty() {
                self.server_log = words;
            }
        }
        self.attention.extend(policy::lines(visit));
        let text = within_budget(self.text(), "result", "md", &visit.files).await;
        let mut reply = Reply::text(text);
        if visit.options.structured_results {
            reply.structured = Some(serde_json::to_value(&self)?);
        }
        Ok(reply)
    }
}

impl About {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("URL: {}", self.url)];
        if !self.title.is_empty() {
            lines.push(format!("Title: {}", self.title));
        }
        lines.extend(self.status.as_ref().map(|status| format!("Status: {status}")));
        lines.extend(self.state.map(|state| format!("State: {state}")));
        lines
    }
}

/// The text, cut to what an answer may hold, the whole of it in a file that is named at its end.
pub(super) async fn within_budget(text: String, kind: &str, extension: &str, files: &Files) -> String {
    if text.len() <= BUDGET || text.chars().count() <= BUDGET {
        return text;
    }
    let whole = files.save(kind, extension, text.as_bytes()).await;
    let cut = base::clip::head(&text, BUDGET);
    match whole {
        Some(path) => format!("{cut}\nThe whole of it is in {path}"),
        None => cut.into_owned(),
    }
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn plain(&mut self, line: Option<&str>) {
        if let Some(line) = line {
            self.begin();
            self.0.push_str(line);
        }
    }

    fn section(&mut self, heading: &str, body: Option<&str>) {
        if let Some(body) = body {
            self.begin();
            self.0.push_str(&format!("### {heading}\n{body}"));
        }
    }

    fn list(&mut self, heading: &str, lines: &[String]) {
        if !lines.is_empty() {
            let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
            self.section(heading, Some(&lines.join("\n")));
        }
    }

    fn fenced(&mut self, heading: &str, body: &str) {
        self.section(heading, Some(&format!("```yaml\n{}\n```", body.trim_end())));
    }

    fn begin(&mut self) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_empty_is_left_out_and_the_rest_reads_from_top_to_bottom() {
        let report = Report {
            page: Some(About {
                url: "http://x/".to_owned(),
                status: Some("404 Not Found".to_owned()),
                ..About::default()
            }),
            code: vec!["await page.goto('http://x/');".to_owned()],
            console: vec!["[error] boom".to_owned()],
            view: Some(Seen::Unchanged(true)),
            ..Report::default()
        };
        assert_eq!(
            report.text(),
            "### Page\n- URL: http://x/\n- Status: 404 Not Found\n### Code\nawait page.goto('http://x/');\n\
             ### Console\n- [error] boom\nNothing changed on the page."
        );
    }
}
