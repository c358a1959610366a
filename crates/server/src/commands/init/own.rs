//! How a client is to start this very program.

use std::path::{Component, Path};

use crate::commands::PROGRAM;

/// The command, and the arguments that come before the server's own.
pub(super) fn command() -> std::io::Result<(String, Vec<String>)> {
    let program = std::env::current_exe()?;
    let on_path = which::which(PROGRAM).ok();
    Ok(command_of(&program, on_path.as_deref()))
}

/// A package of npm is started by npx, which finds it wherever it is; a program on the PATH by its name; any other by
/// its path.
fn command_of(program: &Path, on_path: Option<&Path>) -> (String, Vec<String>) {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    if of_npm(program) {
        // There npx is a script, which only a shell can run.
        return match cfg!(windows) {
            true => ("cmd".to_owned(), words(&["/c", "npx", "-y", PROGRAM])),
            false => ("npx".to_owned(), words(&["-y", PROGRAM])),
        };
    }
    let same = |other: &Path| match (other.canonicalize(), program.canonicalize()) {
        (Ok(other), Ok(program)) => other == program,
        _ => false,
    };
    let name = if on_path.is_some_and(same) { PROGRAM.to_owned() } else { program.display().to_string() };
    (name, Vec::new())
}

/// Whether the program lies in one of our packages of npm.
pub(in crate::commands) fn of_npm(program: &Path) -> bool {
    let scope = format!("@{PROGRAM}");
    let mut parts = program.components().map(Component::as_os_str);
    parts.any(|part| part == "node_modules") && parts.any(|part| *part == *scope)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_client_starts_what_wrote_its_configuration() {
        let packaged = Path::new("/p/node_modules/@e2e-mcp-server/linux-x64/bin/e2e-mcp-server");
        assert_eq!(command_of(packaged, None), ("npx".into(), vec!["-y".into(), "e2e-mcp-server".into()]));
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("e2e-mcp-server");
        let link = folder.path().join("link");
        std::fs::write(&program, "").unwrap();
        std::os::unix::fs::symlink(&program, &link).unwrap();
        assert_eq!(command_of(&program, Some(&link)).0, "e2e-mcp-server");
        assert_eq!(command_of(&program, None).0, program.display().to_string());
        assert_eq!(command_of(&program, Some(Path::new("/bin/sh"))).0, program.display().to_string());
    }
}
