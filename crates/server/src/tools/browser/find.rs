//! Finding a text in the page without reading all of it.

use engine::snapshot::Pattern;
use regex::RegexBuilder;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::args::On;
use super::failed::Deed;
use super::report::{Report, SNAPSHOT_BUDGET, Seen};
use super::visit::{How, visit};
use super::{LOOKS, PAGE_TOOL};
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool, invalid};

pub(crate) static FIND: Tool = Tool {
    name: "find",
    playwright: Some("browser_find"),
    description: "The snapshot's lines that contain a text or match a regex.",
    input: input_of::<Find>,
    hints: LOOKS,
    handler: |call| Box::pin(find(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Find {
    text: Option<String>,
    regex: Option<String>,
    #[serde(flatten)]
    _on: On,
}

async fn find(call: Call) -> Result<Reply, Failure> {
    let args: Find = call.args.parse()?;
    let (pattern, asked) = match (&args.text, &args.regex) {
        (Some(text), None) => (Pattern::Text(text.clone()), format!("{text:?}")),
        (None, Some(regex)) => (Pattern::Regex(compiled("regex", regex)?), regex.clone()),
        _ => return Err(invalid("text", "given, or else `regex`, and not both", None)),
    };
    let how = How::queued(call.services.options.browser.action_limit);
    visit(call, how, |visit| async move {
        let page = visit.page().await?;
        let found = page.find(&pattern, &visit.scope).await.map_err(|why| visit.failed(why, Deed::Look))?;
        let asked = base::clip::head(&asked, 100);
        let report = match found.matches {
            0 => Report::of(format!("Nothing on the page matches {asked}.")),
            many => {
                let yaml = found.text(SNAPSHOT_BUDGET);
                let view = Some(Seen::Snapshot { yaml, rest: None });
                let lines =
                    if many == 1 { "1 line matches".to_owned() } else { format!("{many} lines match") };
                Report { view, ..Report::of(format!("{lines} {asked}.")) }
            }
        };
        report.reply(&visit).await
    })
    .await
}

/// A regular expression as agents write it: plain, or as `/…/i`.
pub(super) fn compiled(field: &str, text: &str) -> Result<regex::Regex, Failure> {
    let slashed = text.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
    let (source, flags) = slashed
        .filter(|(_, flags)| flags.chars().all(|flag| "dgimsuvy".contains(flag)))
        .unwrap_or((text, ""));
    let built = RegexBuilder::new(source)
        .case_insensitive(flags.contains('i'))
        .multi_line(flags.contains('m'))
        .dot_matches_new_line(flags.contains('s'))
        .build();
    built.map_err(|error| {
        let why = error.to_string().replace('\n', " ");
        invalid(field, &format!("a regular expression ({why})"), Some(&Value::from(text)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regex_may_be_written_as_in_javascript() {
        assert!(compiled("regex", "/sav.d/i").unwrap().is_match("SAVED"));
        assert!(compiled("regex", "a/b").unwrap().is_match("a/b"));
        assert!(compiled("regex", "/x/notflags").unwrap().is_match("/x/notflags"));
        assert_eq!(compiled("regex", "(").unwrap_err().code().lower(), "invalid_input");
    }
}
