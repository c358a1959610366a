//! Giving files to a page.

use std::path::PathBuf;

use engine::codegen::Statement;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::PAGE_TOOL;
use super::act::{Done, act};
use super::args::{At, On};
use super::failed::Deed;
use super::files::Files;
use crate::tools::schema::input_of;
use crate::tools::{Call, Failure, Reply, Tool, invalid};

pub(crate) static FILE_UPLOAD: Tool = Tool {
    name: "file_upload",
    playwright: Some("browser_file_upload"),
    description: "Gives files of the workspace to a file input, or to the file chooser that is open; without paths the \
                  chooser is cancelled.",
    input: input_of::<FileUpload>,
    handler: |call| Box::pin(file_upload(call)),
    ..PAGE_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
struct FileUpload {
    paths: Option<Vec<String>>,
    #[serde(flatten)]
    at: At,
    #[serde(flatten)]
    _on: On,
}

async fn file_upload(call: Call) -> Result<Reply, Failure> {
    let args: FileUpload = call.args.parse()?;
    let target = args.at.maybe()?;
    let paths = args.paths.unwrap_or_default();
    let files = existing(&paths, &Files::of(&call.services))?;
    act(call, Deed::Edit, |visit, page| async move {
        let acted = page.upload(target.as_ref(), files, &visit.scope).await?;
        Ok(Done::code(match acted {
            Some(acted) => Statement::SetInputFiles { locator: acted.locator, files: paths },
            None => Statement::SetChosenFiles { files: paths },
        }))
    })
    .await
}

/// Files of the workspace that are there.
pub(super) fn existing(paths: &[String], files: &Files) -> Result<Vec<PathBuf>, Failure> {
    let each = paths.iter().enumerate().map(|(index, path)| {
        let field = format!("paths[{index}]");
        let located = files.located(&field, path)?;
        let there = located.absolute().is_file();
        there.then(|| located.absolute().to_owned()).ok_or_else(|| {
            invalid(&field, "a file that exists in the workspace", Some(&Value::from(path.as_str())))
        })
    });
    each.collect()
}
