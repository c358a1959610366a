//! One call of the story: what it shows, what is asked, and what the answer must say.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::Value;
use testkit::mcp::{StdioClient, ToolResult};

use super::show;

/// More than any call takes; the first run of the tests compiles the project.
const LIMIT: Duration = Duration::from_secs(150);

/// A call. The story is a list of them.
pub(super) struct Scene {
    pub(super) title: &'static str,
    pub(super) tool: &'static str,
    pub(super) arguments: fn() -> Value,
    /// Whether the tool must say that it failed.
    pub(super) fails: bool,
    /// What the answer must contain: a demo that shows something else is broken.
    pub(super) says: &'static [&'static str],
}

impl Scene {
    /// Makes the call, shows what the agent sees, and checks that it is what was promised.
    pub(super) fn play(&self, client: &mut StdioClient, project: &Path) -> anyhow::Result<Played> {
        show::heading(self.title);
        let Self { tool, arguments, fails, says, .. } = self;
        Asked { tool, arguments: arguments(), fails: *fails, says }.ask(client, project)
    }
}

/// A call whose arguments are known only when it is made.
pub(super) struct Asked<'a> {
    pub(super) tool: &'a str,
    pub(super) arguments: Value,
    pub(super) fails: bool,
    pub(super) says: &'a [&'a str],
}

impl Asked<'_> {
    /// Makes the call under the heading that is there.
    pub(super) fn ask(&self, client: &mut StdioClient, project: &Path) -> anyhow::Result<Played> {
        println!("→ {} {}", self.tool, self.arguments);
        let began = Instant::now();
        let result = client.call_tool_within(self.tool, &self.arguments, LIMIT)?;
        println!("← {}, after {} ms", kind(&result), began.elapsed().as_millis());
        let text = result.text();
        let answer: Option<Value> = serde_json::from_str(&text).ok();
        match &answer {
            Some(answer) => show::answer(answer),
            None => show::text(&text),
        }
        let should = if self.fails { "fail" } else { "not fail" };
        ensure!(result.is_error() == self.fails, "it should {should}");
        for said in self.says {
            ensure!(text.contains(said), "the answer should say {said:?}");
        }
        let mut named = answer.as_ref().map(Named::in_json).unwrap_or_default();
        named.extend(Named::in_text(&text));
        for file in &mut named {
            file.path = project.join(&file.path);
            ensure!(file.path.is_file(), "{} is named, but does not exist", file.path.display());
        }
        let port = answer.as_ref().and_then(|answer| answer["port"].as_u64()?.try_into().ok());
        let session = answer.and_then(|answer| answer["sessionId"].as_str().map(str::to_owned));
        Ok(Played { named, port, session })
    }
}

/// What came, in a word or two.
fn kind(result: &ToolResult) -> &'static str {
    let contents = result.0["content"].as_array().map_or(&[][..], Vec::as_slice);
    let pictured = contents.iter().any(|content| content["type"] == "image");
    match (result.is_error(), pictured) {
        (true, true) => "an error with a picture",
        (true, false) => "an error",
        (false, true) => "a result with a picture",
        (false, false) => "a result",
    }
}

/// What is kept of a call.
pub(super) struct Played {
    pub(super) named: Vec<Named>,
    /// The dev server's, where the answer has it.
    pub(super) port: Option<u16>,
    /// The session that the answer names.
    pub(super) session: Option<String>,
}

/// A file that an answer names.
pub(super) struct Named {
    pub(super) what: &'static str,
    pub(super) path: PathBuf,
}

impl Named {
    fn in_json(answer: &Value) -> Vec<Self> {
        let places = [
            ("picture", "/screenshot/path"),
            ("log", "/logs/combined"),
            ("report", "/artifacts/raw_log"),
            ("report", "/artifacts/summary_md"),
            ("report", "/artifacts/summary_json"),
        ];
        let at = |(what, place): (&'static str, &str)| {
            Some(Self { what, path: answer.pointer(place)?.as_str()?.into() })
        };
        places.into_iter().filter_map(at).collect()
    }

    /// `1280 × 720 pixels, in FILE`.
    fn in_text(text: &str) -> Option<Self> {
        let (_, path) = text.split_once(" pixels, in ")?;
        Some(Self { what: "picture", path: path.lines().next()?.into() })
    }
}
