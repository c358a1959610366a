//! `--dev "npm run dev"`: a plain dev server as a server command, without a script.

use std::path::{Path, PathBuf};

use super::Readiness;
use crate::command::ServerCommand;
use crate::error::CommandError;

/// The subcommand that is the adapter.
pub const SUBCOMMAND: &str = "dev-server";

/// Why a line is no command.
#[derive(Debug, thiserror::Error)]
pub enum DevRefused {
    /// There is no word in it.
    #[error("the dev server's command is empty")]
    Empty,
    /// A quote is not closed.
    #[error("the dev server's command has a quote ({0}) that is not closed")]
    OpenQuote(char),
    /// It needs a shell, and there is none.
    #[error(
        "the dev server's command is run without a shell, so `{0}` means nothing in it; put the command into a script, \
         or quote the word"
    )]
    Shell(String),
    /// Our own program can't be run.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// The server command that runs `dev` (`npm run dev`) in `folder` by the adapter, which is `this_program`.
///
/// # Errors
/// [`DevRefused`] when `dev` is no command line.
pub fn command_for(
    dev: &str,
    ready: &Readiness,
    folder: &Path,
    this_program: impl Into<PathBuf>,
) -> Result<ServerCommand, DevRefused> {
    let dev = words(dev)?;
    let mut leading = vec![SUBCOMMAND.to_owned()];
    match ready {
        Readiness::Port => {}
        Readiness::Url(url) => leading.push(format!("--ready-url={url}")),
        Readiness::Log(pattern) => leading.push(format!("--ready-log={pattern}")),
    }
    let args = std::iter::once("--".to_owned()).chain(dev);
    Ok(ServerCommand::check(this_program, args, folder)?.leading(leading))
}

/// Words as a shell would split them: spaces separate, quotes and backslashes keep together.
fn words(line: &str) -> Result<Vec<String>, DevRefused> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take().map(Word::finish).transpose()?),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                word.quoted = true;
                loop {
                    match chars.next() {
                        None => return Err(DevRefused::OpenQuote(c)),
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => word.text.extend(chars.next()),
                        Some(inner) => word.text.push(inner),
                    }
                }
            }
            '\\' if !cfg!(windows) => {
                let word = word.get_or_insert_default();
                word.quoted = true;
                word.text.extend(chars.next());
            }
            c => word.get_or_insert_default().text.push(c),
        }
    }
    words.extend(word.map(Word::finish).transpose()?);
    if words.is_empty() { Err(DevRefused::Empty) } else { Ok(words) }
}

#[derive(Debug, Default)]
struct Word {
    text: String,
    quoted: bool,
}

impl Word {
    /// Words that only a shell understands are refused rather than passed on to surprise somebody.
    fn finish(self) -> Result<String, DevRefused> {
        const OPERATORS: &[&str] = &["&&", "||", "|", ";", "&", ">", ">>", "<", "2>&1"];
        let shell = OPERATORS.contains(&self.text.as_str()) || self.text.ends_with(';');
        if shell && !self.quoted { Err(DevRefused::Shell(self.text)) } else { Ok(self.text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verb;

    #[test]
    fn a_line_is_split_as_a_shell_would() {
        assert_eq!(words("npm run dev").unwrap(), ["npm", "run", "dev"]);
        assert_eq!(
            words(r#" node -e "a \"b\" c" 'd e'\ f ''"#).unwrap(),
            ["node", "-e", "a \"b\" c", "d e f", ""]
        );
        assert!(matches!(words("  "), Err(DevRefused::Empty)));
        assert!(matches!(words("a 'b"), Err(DevRefused::OpenQuote('\''))));
        assert!(matches!(words("cd app && npm start"), Err(DevRefused::Shell(word)) if word == "&&"));
        assert_eq!(words("echo '&&'").unwrap(), ["echo", "&&"]);
    }

    #[test]
    fn the_verb_stands_before_the_dev_servers_own_words() {
        let this = std::env::current_exe().unwrap();
        let ready = Readiness::Url("/health".to_owned());
        let command = command_for("npm run dev", &ready, Path::new("/"), this).unwrap();
        let words = command.words(Verb::Restart);
        assert_eq!(words, ["dev-server", "--ready-url=/health", "--restart", "--", "npm", "run", "dev"]);
    }
}
