//! The files of results: pictures, and what is too long for an answer.
//!
//! What the server names itself goes to the output folder; what an agent names goes where it says, inside the workspace.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use base::{Secrets, Workspace, WorkspacePath};
use jiff::Timestamp;
use tokio::io::AsyncWriteExt;

use crate::tools::test::{PROCESS_ERROR, escaped};
use crate::tools::{Failure, Services};

/// Below the workspace, if nobody named another folder.
const FOLDER: &str = ".cache/e2e-mcp-server";
/// So many files of one moment are told apart by a number.
const MOST_ALIKE: u32 = 100;

/// Where files go. Without a workspace there is no folder, and results are without files.
#[derive(Debug, Clone)]
pub(in crate::tools) struct Files {
    folder: Option<PathBuf>,
    workspace: Option<Workspace>,
    secrets: Secrets,
}

impl Files {
    /// Those of this server.
    pub(in crate::tools) fn of(services: &Services) -> Self {
        let workspace = services.project().ok().map(|project| project.workspace.clone());
        let usual = || workspace.as_ref().map(|workspace| workspace.root().join(FOLDER));
        let folder = services.options.browser.output.clone().or_else(usual);
        Self { folder, workspace, secrets: services.options.app.secrets.clone() }
    }

    /// Where downloads go; made when it is not there.
    pub(super) fn downloads(&self) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?.join("downloads");
        std::fs::create_dir_all(&folder).ok().map(|()| folder)
    }

    /// Writes a file `kind-<time>.<extension>`, and answers with its path as an agent can use it. Nothing when there is
    /// no place for it: the answer is complete without.
    pub(in crate::tools) async fn save(&self, kind: &str, extension: &str, bytes: &[u8]) -> Option<String> {
        let folder = self.folder.as_ref()?;
        let bytes = &*self.without_secrets(bytes);
        let written = async {
            tokio::fs::create_dir_all(folder).await?;
            let stamp = format!("{:.3}", Timestamp::now()).replace([':', '.'], "-");
            for number in 0..MOST_ALIKE {
                let more = if number == 0 { String::new() } else { format!("-{number}") };
                let path = folder.join(format!("{kind}-{stamp}{more}.{extension}"));
                match tokio::fs::File::create_new(&path).await {
                    Ok(mut file) => {
                        file.write_all(bytes).await?;
                        file.flush().await?;
                        return Ok(path);
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(error),
                }
            }
            Err(std::io::ErrorKind::AlreadyExists.into())
        };
        match written.await {
            Ok(path) => Some(self.shown(&path)),
            Err(error) => {
                tracing::warn!(component = "tools", event = "file_not_written", folder = %folder.display(), %error);
                None
            }
        }
    }

    /// Writes a file that the agent named.
    pub(super) async fn save_as(&self, name: &str, bytes: &[u8]) -> Result<String, Failure> {
        let path = self.located("filename", name)?;
        let target = path.absolute();
        let bytes = &*self.without_secrets(bytes);
        let written = async {
            if let Some(folder) = target.parent() {
                tokio::fs::create_dir_all(folder).await?;
            }
            tokio::fs::write(target, bytes).await
        };
        match written.await {
            Ok(()) => Ok(self.shown(target)),
            Err(error) => Err(Failure::new(PROCESS_ERROR, format!("{name} can't be written: {error}"))
                .fact("field", "filename")
                .suggest("give another filename, relative to the workspace")),
        }
    }

    /// What may be written: of texts, what no secret is in. Pictures are no texts.
    fn without_secrets<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        match std::str::from_utf8(bytes).map(|text| self.secrets.hide(text)) {
            Ok(Cow::Owned(hidden)) => Cow::Owned(hidden.into_bytes()),
            _ => Cow::Borrowed(bytes),
        }
    }

    /// A path of the agent's inside the workspace.
    pub(super) fn located(&self, field: &str, path: &str) -> Result<WorkspacePath, Failure> {
        let Some(workspace) = &self.workspace else {
            return Err(Failure::new(
                crate::tools::project::WORKSPACE_REFUSED,
                "there is no workspace that the path could lie in",
            )
            .fact("field", field)
            .suggest("start the server with `--workspace` and the project's folder"));
        };
        // Agents know absolute paths of their project, too.
        let inside = Path::new(path).strip_prefix(workspace.root()).ok().and_then(Path::to_str);
        workspace.locate(inside.unwrap_or(path)).map_err(|refused| escaped(field, path, &refused))
    }

    /// A path as an agent can use it: relative to its workspace, if it lies there.
    pub(super) fn shown(&self, path: &Path) -> String {
        let root = self.workspace.as_ref().map(Workspace::root);
        let inside = root.and_then(|root| path.strip_prefix(root).ok());
        inside.unwrap_or(path).display().to_string()
    }
}
