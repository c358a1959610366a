//! Taking the snapshot of a page over all its frames, and remembering what the agent has seen of it.

use std::sync::Arc;
use std::time::Duration;

use base::CallScope;
use futures_util::future::{BoxFuture, join_all};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Diff, Line, parse, stitch, within_budget, yaml};
use crate::backend::{FrameId, Question};
use crate::failed::Failed;
use crate::locate::Located;
use crate::page::{Interruption, Page};
use crate::target::Target;

/// A frame that leaves a question unanswered for this long is left out: one that hangs must not hide the page around it.
const FRAME: Duration = Duration::from_secs(2);
/// On a machine that has much else to do a frame may take so many times as long as the page around it.
const SLOWER: u32 = 20;

/// What of a page to show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SnapshotOptions {
    /// Only this element and what is in it.
    pub target: Option<Target>,
    /// No deeper than this.
    pub depth: Option<usize>,
    /// With the box of each element.
    pub boxes: bool,
    /// In no more characters than this.
    pub budget: Option<usize>,
}

/// A page as its user meets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    lines: Arc<[Line]>,
    text: String,
    left_out: usize,
}

/// What an agent needs to be told of a page that it may have seen before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// It is as the agent saw it last.
    Unchanged,
    /// These lines changed.
    Changed(String),
    /// It was never seen, or is another page now.
    Whole(Snapshot),
}

/// What the agent saw last.
#[derive(Debug)]
pub(crate) struct Seen {
    lines: Arc<[Line]>,
    /// The how-many-th document of the topmost frame it was.
    document: u64,
}

/// What to look for in a snapshot.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// A part of a line, whatever its case.
    Text(String),
    /// A regular expression.
    Regex(regex::Regex),
}

/// The lines that match, with the elements around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// How many lines match.
    pub matches: usize,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Answer {
    yaml: Option<String>,
    #[serde(default)]
    frames: Vec<FrameLine>,
    #[serde(flatten)]
    why: Located,
}

#[derive(Deserialize)]
struct FrameLine {
    line: usize,
    #[serde(rename = "ref")]
    reference: Option<String>,
}

impl Seen {
    /// Whether it was this document.
    pub(crate) fn is_of(&self, document: u64) -> bool {
        self.document == document
    }
}

impl Snapshot {
    fn new(lines: Arc<[Line]>, budget: Option<usize>) -> Self {
        let (text, left_out) = match budget {
            None => (yaml(&lines), 0),
            Some(budget) => {
                let (kept, left_out) = within_budget(&lines, budget);
                (yaml(&kept), left_out)
            }
        };
        Self { lines, text, left_out }
    }

    /// As YAML within the budget.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines the budget leaves out.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// All of it as YAML.
    pub fn whole(&self) -> String {
        yaml(&self.lines)
    }
}

impl Found {
    /// As YAML within the budget.
    pub fn text(&self, budget: usize) -> String {
        yaml(&within_budget(&self.lines, budget).0)
    }
}

impl Page {
    /// The page as it is now. A whole one is remembered as what the agent has seen.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn snapshot(&self, options: &SnapshotOptions, scope: &CallScope) -> Result<Snapshot, Failed> {
        let document = self.state().frames.top().documents;
        self.forget_others(document);
        let lines: Arc<[Line]> = self.capture(options, scope).await?.into();
        if options.target.is_none() && options.depth.is_none() && !options.boxes {
            self.remember(Seen { lines: lines.clone(), document });
        }
        Ok(Snapshot::new(lines, options.budget))
    }

    /// What changed since the agent last saw the page; all of it when it has not seen this document.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn view(&self, budget: usize, scope: &CallScope) -> Result<View, Failed> {
        let document = self.state().frames.top().documents;
        self.forget_others(document);
        let lines: Arc<[Line]> = self.capture(&SnapshotOptions::default(), scope).await?.into();
        let seen = self.remember(Seen { lines: lines.clone(), document });
        let whole = || View::Whole(Snapshot::new(lines.clone(), Some(budget)));
        let Some(seen) = seen.filter(|seen| seen.is_of(document)) else { return Ok(whole()) };
        let diff = Diff::between(&seen.lines, &lines);
        if diff.changes() == 0 {
            return Ok(View::Unchanged);
        }
        let text = diff.render(&seen.lines);
        // Changes that are longer than the page say less than the page.
        let size: usize = lines.iter().map(|line| 2 * line.depth + line.text.len() + 3).sum();
        Ok(if text.len() > size { whole() } else { View::Changed(text) })
    }

    /// The lines of the page that match.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn find(&self, pattern: &Pattern, scope: &CallScope) -> Result<Found, Failed> {
        let lines = self.capture(&SnapshotOptions::default(), scope).await?;
        Ok(found(&lines, pattern))
    }

    async fn capture(&self, options: &SnapshotOptions, scope: &CallScope) -> Result<Vec<Line>, Failed> {
        let (frame, at) = match &options.target {
            Some(target) => {
                let place = self.place(target, scope).await?;
                self.locate(&place, target, scope).await?;
                (place.frame, place.at)
            }
            None => (self.main_frame(), Value::Null),
        };
        let asked = Instant::now();
        let answer: Answer =
            self.ask_anew(&frame, "picture", self.question(&frame, &at, options), scope).await?;
        let slow = (asked.elapsed() * SLOWER).min(scope.deadline().remaining() / 2);
        let Answer { yaml, frames, why } = answer;
        let Some(text) = yaml else {
            let nothing = Failed::Interrupted(Interruption::TimedOut);
            let failed = options.target.as_ref().and_then(|target| why.failure(target));
            return Err(failed.unwrap_or(nothing));
        };
        Ok(self.with_frames(&frame, &text, frames, options, FRAME.max(slow), scope).await)
    }

    /// The lines of a document, with those of its frames below theirs.
    async fn with_frames(
        &self,
        frame: &FrameId,
        text: &str,
        frames: Vec<FrameLine>,
        options: &SnapshotOptions,
        patience: Duration,
        scope: &CallScope,
    ) -> Vec<Line> {
        let mut lines = parse(text);
        let depths: Vec<usize> =
            frames.iter().map(|frame| lines.get(frame.line).map_or(0, |line| line.depth)).collect();
        let inside = frames.iter().zip(depths).map(|(line, depth)| {
            let deeper = options.depth.map(|most| most.checked_sub(depth + 1));
            self.inside_of(frame, line, deeper, options, patience, scope)
        });
        let inside = join_all(inside).await;
        // From the end, so that the numbers of the lines before stay.
        for (line, inside) in frames.iter().zip(inside).rev() {
            stitch(&mut lines, line.line, inside);
        }
        lines
    }

    /// What is in the frame of this line; nothing when it can't be told, or is too deep.
    fn inside_of<'a>(
        &'a self,
        parent: &'a FrameId,
        line: &'a FrameLine,
        depth: Option<Option<usize>>,
        options: &'a SnapshotOptions,
        patience: Duration,
        scope: &'a CallScope,
    ) -> BoxFuture<'a, Vec<Line>> {
        Box::pin(async move {
            let depth = match depth {
                None => None,
                Some(Some(depth)) => Some(depth),
                Some(None) => return Vec::new(),
            };
            let options = SnapshotOptions { target: None, depth, ..options.clone() };
            let Some(reference) = &line.reference else { return Vec::new() };
            let Ok(Some(frame)) = self.frame_of_ref(parent, reference, &scope.within(patience)).await else {
                return Vec::new();
            };
            let question = self.question(&frame, &Value::Null, &options);
            match self.ask_anew::<Answer>(&frame, "picture", question, &scope.within(patience)).await {
                Ok(Answer { yaml: Some(text), frames, .. }) => {
                    self.with_frames(&frame, &text, frames, &options, patience, scope).await
                }
                _ => Vec::new(),
            }
        })
    }

    async fn frame_of_ref(
        &self,
        parent: &FrameId,
        reference: &str,
        scope: &CallScope,
    ) -> Result<Option<FrameId>, Interruption> {
        let question = Question::new("nodeOfRef", reference);
        let node = self.attempt(scope, self.backend().ask_for_node(parent, &question)).await?;
        let Some(node) = node else { return Ok(None) };
        let frame = self.attempt(scope, self.backend().content_frame(&node)).await;
        self.backend().release(node);
        frame
    }

    fn question(&self, frame: &FrameId, at: &Value, options: &SnapshotOptions) -> Value {
        let number = self.state().frames.get(frame).map_or(0, |frame| frame.number);
        let prefix = if number == 0 { String::new() } else { format!("f{number}") };
        json!({ "at": at, "depth": options.depth, "boxes": options.boxes, "prefix": prefix })
    }
}

/// The lines that match, with what they are in.
fn found(lines: &[Line], pattern: &Pattern) -> Found {
    let fits = |line: &Line| match pattern {
        Pattern::Text(text) => line.text.to_lowercase().contains(&text.to_lowercase()),
        Pattern::Regex(regex) => regex.is_match(&line.text),
    };
    let mut kept = Vec::new();
    let mut around: Vec<&Line> = Vec::new(); // the lines that the current one is in, and are not written yet
    let mut matches = 0;
    let mut inside = None; // the depth of a match, whose properties are written with it
    for line in lines {
        around.retain(|above| above.depth < line.depth);
        let property = inside.is_some_and(|depth| line.depth == depth + 1) && line.text.starts_with('/');
        if inside.is_some_and(|depth| line.depth <= depth) {
            inside = None;
        }
        if fits(line) {
            matches += 1;
            inside = Some(line.depth);
            kept.extend(around.drain(..).cloned());
            kept.push(line.clone());
        } else if property {
            kept.push(line.clone());
        } else {
            around.push(line);
        }
    }
    Found { matches, lines: kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_comes_with_what_it_is_in() {
        let lines = parse(
            "- main [ref=e1]:\n  - list [ref=e2]:\n    - link \"Save\" [ref=e3]:\n      - /url: /save\n    - link \"Quit\" [ref=e4]\n  - button \"Save all\" [ref=e5]",
        );
        let found = found(&lines, &Pattern::Text("save".to_owned()));
        assert_eq!(found.matches, 3);
        assert_eq!(
            found.text(10_000),
            "- main [ref=e1]:\n  - list [ref=e2]:\n    - link \"Save\" [ref=e3]:\n      - /url: /save\n  - button \"Save all\" [ref=e5]"
        );
        let nothing = super::found(&lines, &Pattern::Text("absent".to_owned()));
        assert_eq!((nothing.matches, nothing.text(100)), (0, String::new()));
    }
}
