//! The clients that `init` knows: where each keeps its servers, and what tells that a project uses it.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// How a client's file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Comments are kept where the client allows them.
    Json,
    Toml,
}

/// One client.
#[derive(Debug)]
pub(super) struct Client {
    /// As it is named on the command line.
    pub(super) name: &'static str,
    /// As people call it.
    pub(super) label: &'static str,
    pub(super) format: Format,
    /// The key below which its servers are.
    pub(super) key: &'static str,
    /// Its file in a project.
    file: &'static str,
    /// Files and folders of a project that uses it.
    signs: &'static [&'static str],
    /// The variable and the folder of the user's home that its own file is in, where a project seldom has one.
    home: Option<(&'static str, &'static str)>,
    /// What its entries have besides `command` and `args`.
    besides: fn(&mut Map<String, Value>),
}

/// All of them.
pub(super) const CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        label: "Claude Code",
        format: Format::Json,
        key: "mcpServers",
        file: ".mcp.json",
        signs: &[".mcp.json", ".claude", "CLAUDE.md"],
        home: None,
        besides: |_| {},
    },
    Client {
        name: "codex",
        label: "Codex",
        format: Format::Toml,
        key: "mcp_servers",
        file: ".codex/config.toml",
        signs: &[".codex"],
        home: Some(("CODEX_HOME", ".codex")),
        // A test run may take longer than Codex waits unless told.
        besides: |entry| drop(entry.insert("tool_timeout_sec".to_owned(), json!(300))),
    },
    Client {
        name: "cursor",
        label: "Cursor",
        format: Format::Json,
        key: "mcpServers",
        file: ".cursor/mcp.json",
        signs: &[".cursor"],
        home: None,
        besides: |_| {},
    },
    Client {
        name: "vscode",
        label: "VS Code",
        format: Format::Json,
        key: "servers",
        file: ".vscode/mcp.json",
        signs: &[".vscode"],
        home: None,
        besides: |entry| drop(entry.shift_insert(0, "type".to_owned(), json!("stdio"))),
    },
    Client {
        name: "gemini",
        label: "Gemini CLI",
        format: Format::Json,
        key: "mcpServers",
        file: ".gemini/settings.json",
        signs: &[".gemini", "GEMINI.md"],
        home: None,
        besides: |_| {},
    },
];

/// Where the user's own files are.
#[derive(Debug)]
pub(super) struct Homes {
    /// The user's folder.
    pub(super) home: Option<PathBuf>,
    /// A variable that names a client's folder elsewhere.
    pub(super) variable: fn(&str) -> Option<PathBuf>,
}

impl Client {
    /// Whether the project uses it.
    pub(super) fn is_used_in(&self, project: &Path) -> bool {
        self.signs.iter().any(|sign| project.join(sign).exists())
    }

    /// Its file: the project's, or the user's where the client has one and the project shows no sign of it.
    pub(super) fn file(&self, project: &Path, homes: &Homes) -> PathBuf {
        let own = project.join(self.file);
        let Some((variable, folder)) = self.home.filter(|_| !self.is_used_in(project)) else { return own };
        let folder = (homes.variable)(variable).or_else(|| homes.home.as_ref().map(|home| home.join(folder)));
        match (folder, Path::new(self.file).file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => own,
        }
    }

    /// The server's entry in it.
    pub(super) fn entry(&self, command: &str, args: &[String]) -> Value {
        let mut entry = Map::new();
        entry.insert("command".to_owned(), json!(command));
        entry.insert("args".to_owned(), json!(args));
        (self.besides)(&mut entry);
        Value::Object(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projects_own_file_of_codex_comes_before_the_users() {
        let (project, home) = (tempfile::tempdir().unwrap(), PathBuf::from("/home/me"));
        let codex = CLIENTS.iter().find(|client| client.name == "codex").unwrap();
        let homes = Homes { home: Some(home), variable: |_| None };
        assert_eq!(codex.file(project.path(), &homes), Path::new("/home/me/.codex/config.toml"));
        let moved = Homes { variable: |name| (name == "CODEX_HOME").then(|| "/c".into()), ..homes };
        assert_eq!(codex.file(project.path(), &moved), Path::new("/c/config.toml"));
        std::fs::create_dir(project.path().join(".codex")).unwrap();
        assert_eq!(codex.file(project.path(), &moved), project.path().join(".codex/config.toml"));
    }

    #[test]
    fn a_client_is_found_by_what_it_keeps_in_a_project() {
        let project = tempfile::tempdir().unwrap();
        let found = || {
            let used = CLIENTS.iter().filter(|client| client.is_used_in(project.path()));
            used.map(|client| client.name).collect::<Vec<_>>()
        };
        assert!(found().is_empty());
        std::fs::create_dir(project.path().join(".cursor")).unwrap();
        std::fs::write(project.path().join("CLAUDE.md"), "").unwrap();
        assert_eq!(found(), ["claude-code", "cursor"]);
    }
}
