//! What `init` does to each file: seen first, then done.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::client::{Client, Homes};
use super::edit::{self, Addition, Refused};

/// What every client is to have.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) name: String,
    pub(super) command: String,
    pub(super) args: Vec<String>,
    pub(super) replace: bool,
}

/// What is to become of one client's file.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) client: &'static Client,
    pub(super) file: PathBuf,
    pub(super) step: Step,
}

/// What is to be done.
#[derive(Debug)]
pub(super) enum Step {
    /// The server is there.
    Nothing,
    Write {
        before: String,
        after: String,
    },
    /// It is left, with what to add by hand.
    Refused {
        why: Refused,
        by_hand: String,
    },
}

impl Plan {
    pub(super) fn of(client: &'static Client, server: &Server, project: &Path, homes: &Homes) -> Self {
        let file = client.file(project, homes);
        let entry = client.entry(&server.command, &server.args);
        let addition =
            Addition { key: client.key, name: &server.name, entry: &entry, replace: server.replace };
        let added = read(&file).and_then(|before| {
            let after = edit::add(client.format, &before, &addition)?;
            Ok((before, after))
        });
        let step = match added {
            Ok((_, None)) => Step::Nothing,
            Ok((before, Some(after))) => Step::Write { before, after },
            Err(why) => Step::Refused { why, by_hand: edit::alone(client.format, &addition) },
        };
        Self { client, file, step }
    }

    /// For people: the file, and what changes in it.
    pub(super) fn shown(&self) -> String {
        let heading = format!("{}: {}\n", self.client.label, self.file.display());
        let rest = match &self.step {
            Step::Nothing => "  is set up already\n".to_owned(),
            Step::Refused { why, by_hand } => {
                format!("  is left as it is: {why}\n  To be added by hand:\n\n{by_hand}\n")
            }
            Step::Write { before, after } => {
                let diff = TextDiff::from_lines(before, after);
                diff.unified_diff().context_radius(3).header("before", "after").to_string()
            }
        };
        heading + &rest
    }

    /// Writes the file, as a whole or not at all.
    pub(super) fn write(&self) -> std::io::Result<()> {
        let Step::Write { after, .. } = &self.step else { return Ok(()) };
        // A link stays one: its target is written.
        let file = self.file.canonicalize().unwrap_or_else(|_| self.file.clone());
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::Builder::new();
        if let Ok(there) = file.metadata() {
            new.permissions(there.permissions());
        } else {
            usual(&mut new);
        }
        let mut new = new.prefix(".e2e-mcp-").tempfile_in(folder)?;
        new.write_all(after.as_bytes())?;
        new.persist(&file)?;
        Ok(())
    }
}

/// A new file may be read by whoever may read the project; temporary ones are private otherwise.
#[cfg(unix)]
fn usual(new: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    new.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn usual(_: &mut tempfile::Builder<'_, '_>) {}

fn read(file: &Path) -> Result<String, Refused> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Refused::Unreadable(error.to_string())),
    }
}
