//! A line of a snapshot, and what can be made of many.

use serde::Deserialize;

/// A line as the injected script gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Line {
    /// How deep it is nested; the top has 0.
    pub depth: usize,
    /// What makes it the same line in another snapshot: its ref, or else its role or property.
    pub key: String,
    /// Its text, without indentation, dash and the colon that announces children.
    #[serde(rename = "line")]
    pub text: String,
    /// The ref of its element, when it has one.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
}

impl Line {
    /// The role, or the property's name: the first word of the text.
    pub(super) fn role(&self) -> &str {
        let text = self.text.strip_prefix('\'').unwrap_or(&self.text);
        text.split([' ', ':']).next().unwrap_or(text)
    }
}

/// The lines of a YAML that the injected script wrote within no budget: less than half of the bytes that they have as JSON.
pub fn parse(yaml: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for row in yaml.lines() {
        let text = row.trim_start_matches(' ');
        let depth = (row.len() - text.len()) / 2;
        if let Some(above) = lines.last_mut().filter(|above| above.depth < depth)
            && let Some(announced) = above.text.strip_suffix(':')
        {
            above.text.truncate(announced.len());
        }
        let text = text.strip_prefix("- ").unwrap_or(text).to_owned();
        lines.push(Line { depth, key: String::new(), text, reference: None });
    }
    for line in &mut lines {
        line.reference = reference_in(&line.text).map(str::to_owned);
        line.key = line.reference.clone().unwrap_or_else(|| line.role().to_owned());
    }
    lines
}

/// The ref in the brackets after a role and its name; what looks like one in the name or in the value is none.
fn reference_in(text: &str) -> Option<&str> {
    let mut rest = text;
    if let Some((before, after)) = text.split_once(" \"")
        && !before.contains(':')
    {
        let mut escaped = false;
        let end = after.find(|character| {
            let ends = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            ends
        })?;
        rest = &after[end + 1..];
    }
    let head = rest.split(": ").next().unwrap_or(rest);
    head.split_once("[ref=")?.1.split(']').next()
}

/// Puts a frame's lines below the line of the frame in its parent, which is the one at `at`.
pub fn stitch(parent: &mut Vec<Line>, at: usize, child: Vec<Line>) {
    let Some(below) = parent.get(at).map(|frame| frame.depth + 1) else { return };
    let moved = child.into_iter().map(|line| Line { depth: line.depth + below, ..line });
    parent.splice(at + 1..at + 1, moved);
}

/// The lines as YAML. A line with deeper ones after it announces them with a colon.
pub fn yaml(lines: &[Line]) -> String {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        text.extend(std::iter::repeat_n("  ", line.depth));
        text.push_str("- ");
        text.push_str(&line.text);
        if lines.get(at + 1).is_some_and(|next| next.depth > line.depth) {
            text.push(':');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: usize, text: &str) -> Line {
        Line { depth, key: text.to_owned(), text: text.to_owned(), reference: None }
    }

    #[test]
    fn a_frames_lines_come_below_its_own() {
        let mut page = vec![line(0, "main"), line(1, "iframe [ref=e2]"), line(0, "text: end")];
        stitch(&mut page, 1, vec![line(0, "list"), line(1, "listitem: a")]);
        assert_eq!(
            yaml(&page),
            "- main:\n  - iframe [ref=e2]:\n    - list:\n      - listitem: a\n- text: end"
        );
    }

    #[test]
    fn a_ref_is_read_after_the_name_only() {
        assert_eq!(reference_in(r#"button "a \"[ref=e1]" [ref=e2] [cursor=pointer]"#), Some("e2"));
        assert_eq!(reference_in(r#"'button "a: [ref=e1]" [disabled] [ref=f1e2]'"#), Some("f1e2"));
        assert_eq!(reference_in("generic [ref=e3]: see [ref=e1]"), Some("e3"));
        assert_eq!(reference_in(r#"text: "see \"x\" [ref=e1]""#), None);
        assert_eq!(reference_in("/url: /x?[ref=e1]"), None);
    }

    #[test]
    fn the_role_is_the_first_word() {
        assert_eq!(line(0, "'button \"a: b\" [ref=e1]'").role(), "button");
        assert_eq!(line(0, "/url: /x").role(), "/url");
        assert_eq!(line(0, "main").role(), "main");
    }
}
