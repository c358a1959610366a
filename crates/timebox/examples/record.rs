//! Records a runner's real output for `tests/recorded`: the template's own command line and environment, stdout and
//! stderr in the order of their arrival, the workspace's path written as /repo.
//!
//! `cargo run -p timebox --example record -- RUNNER all|file|pattern [TARGET] < /dev/null` in the project's folder.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use timebox::runners::{self, Scope};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let workspace = base::Workspace::open(&std::env::current_dir()?, None)?;
    let (runner, scope) = match words.as_slice() {
        [runner, "all"] => (runner, Scope::All),
        [runner, "file", file] => (runner, Scope::File(workspace.locate(file)?)),
        [runner, "pattern", pattern] => (runner, Scope::Pattern((*pattern).to_owned())),
        _ => return Err("usage: record RUNNER all|file|pattern [TARGET]".into()),
    };
    let line = runners::find(runner)?.command(&scope, &workspace)?;
    let (mut output, writer) = std::io::pipe()?;
    let mut command = Command::new(&line.program);
    command.args(&line.args).envs(line.env.iter().copied()).current_dir(workspace.root());
    line.unset.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the pipe's other end too; the end of the output is only seen once it is gone.
    drop(command);
    let mut recorded = Vec::new();
    output.read_to_end(&mut recorded)?;
    let status = child.wait()?;
    let root = workspace.root().to_string_lossy().into_owned();
    let text = String::from_utf8_lossy(&recorded).replace(&root, "/repo");
    std::io::stdout().write_all(text.as_bytes())?;
    writeln!(std::io::stderr(), "{line}: {status}")?;
    Ok(())
}
