//! A runner as a value, what can be asked of it, and the command line that comes of it.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use base::{Workspace, WorkspacePath};

use super::program::{self, Found, NotInstalled, Program};
use crate::census::Census;
use crate::failures::Extractor;

/// Which tests are to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Those of one file.
    File(WorkspacePath),
    /// Those whose name matches, in the runner's own language of patterns.
    Pattern(String),
}

/// One test runner: its template, where its program is found, and how its output is read.
pub struct Runner {
    /// What callers call it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What is worth knowing of its scopes; ends up in docs/runners.md.
    pub notes: &'static str,
    /// What a caller may write as a pattern.
    pub pattern: &'static str,
    /// A file of the kind that this runner runs, for examples.
    pub example: &'static str,
    pub(super) programs: &'static [Program],
    pub(super) install: &'static str,
    pub(super) env: &'static [(&'static str, &'static str)],
    pub(super) arguments: fn(&Scope, &Workspace) -> Result<Vec<OsString>, Untranslatable>,
    pub(super) extractor: fn() -> Box<dyn Extractor>,
    /// How many tests ran, by one line of output; nothing when the line does not tell.
    pub(super) ran: fn(&str) -> Option<u64>,
}

/// What to start: a program by its full path, its arguments, and what its environment has besides the inherited one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// The program's full path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables to set.
    pub env: Vec<(&'static str, &'static str)>,
    /// Inherited variables to take away, because they would force colours upon a log.
    pub unset: Vec<&'static str>,
}

/// Why there is no command line. Nothing was started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandRefused {
    /// The runner is not on this machine.
    #[error(transparent)]
    NotInstalled(#[from] NotInstalled),
    /// The runner can't be told to run just this file.
    #[error("{runner} can't run {file:?} alone: {why}")]
    FileUntranslatable {
        /// The runner's name.
        runner: &'static str,
        /// What was asked for.
        file: String,
        /// Why not, and what to do instead.
        why: &'static str,
    },
    /// No argument can hold this pattern.
    #[error("{pattern:?} can't be a pattern: it {why}")]
    PatternUnusable {
        /// What was asked for, cut.
        pattern: String,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// A file that a runner's command line has no words for; says why, and what to do instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Untranslatable(pub(super) &'static str);

/// Said to every runner: nobody watches, nobody answers, and colours would end up in a log.
const COMMON_ENV: &[(&str, &str)] =
    &[("CI", "true"), ("NO_COLOR", "1"), ("TERM", "dumb"), ("GIT_TERMINAL_PROMPT", "0")];

/// Variables that force colours whatever `NO_COLOR` says. They are taken away rather than set to `0`: Node's tools
/// read `FORCE_COLOR=0` as "no", but others, as <https://force-color.org> has it, read any value as "yes".
const COLOUR_FORCING: &[&str] = &["FORCE_COLOR", "CLICOLOR_FORCE"];

/// No shell, but still a limit: Linux takes 128 KiB an argument, Windows 32 Ki characters a command line.
const LONGEST_PATTERN: usize = 4096;

impl Runner {
    /// The command that runs `scope`, with the program found through the server's own `PATH`.
    ///
    /// # Errors
    /// [`CommandRefused`] says what is missing or what can't be expressed.
    pub fn command(&self, scope: &Scope, workspace: &Workspace) -> Result<CommandLine, CommandRefused> {
        self.command_on(scope, workspace, std::env::var_os("PATH").as_deref())
    }

    /// The command that runs `scope`, with the program found through `path`.
    ///
    /// # Errors
    /// As for [`Runner::command`].
    pub fn command_on(
        &self,
        scope: &Scope,
        workspace: &Workspace,
        path: Option<&OsStr>,
    ) -> Result<CommandLine, CommandRefused> {
        let arguments = self.arguments(scope, workspace)?;
        let Found { program, leading } = self.program(workspace, path)?;
        let mut args: Vec<OsString> = leading.iter().map(OsString::from).collect();
        args.extend(arguments);
        let env = self.env();
        let unset =
            COLOUR_FORCING.iter().copied().filter(|name| env.iter().all(|(set, _)| set != name)).collect();
        Ok(CommandLine { program, args, env, unset })
    }

    /// Finds the runner's program: the workspace's own first, then the one on `path`.
    ///
    /// # Errors
    /// [`NotInstalled`] says how to get it.
    pub fn program(&self, workspace: &Workspace, path: Option<&OsStr>) -> Result<Found, NotInstalled> {
        program::find(self.programs, workspace, path).ok_or_else(|| NotInstalled {
            runner: self.name,
            program: self.programs.last().map_or(self.name, |last| last.name),
            install: self.install,
        })
    }

    /// Where the program is looked for, in order, as people write it.
    pub fn program_names(&self) -> Vec<String> {
        self.programs.iter().map(ToString::to_string).collect()
    }

    /// Variables that every run of this runner gets.
    pub fn env(&self) -> Vec<(&'static str, &'static str)> {
        COMMON_ENV.iter().chain(self.env).copied().collect()
    }

    /// A fresh reader of this runner's output.
    pub fn extractor(&self) -> Box<dyn Extractor> {
        (self.extractor)()
    }

    /// A fresh count of the tests that ran.
    pub fn census(&self) -> Census {
        Census::new(self.ran)
    }

    fn arguments(&self, scope: &Scope, workspace: &Workspace) -> Result<Vec<OsString>, CommandRefused> {
        if let Scope::Pattern(pattern) = scope {
            usable(pattern)?;
        }
        (self.arguments)(scope, workspace).map_err(|Untranslatable(why)| CommandRefused::FileUntranslatable {
            runner: self.name,
            file: match scope {
                Scope::File(file) => file.relative().display().to_string(),
                Scope::All | Scope::Pattern(_) => String::new(),
            },
            why,
        })
    }
}

fn usable(pattern: &str) -> Result<(), CommandRefused> {
    let unusable = |why| {
        let pattern = base::clip::head(pattern, 60).into_owned();
        Err(CommandRefused::PatternUnusable { pattern, why })
    };
    if pattern.trim().is_empty() {
        return unusable("is empty; use scope `all` to run everything");
    }
    if pattern.contains(['\0', '\n', '\r']) {
        return unusable("contains a NUL or a line break");
    }
    if pattern.len() > LONGEST_PATTERN {
        return unusable("is longer than 4096 bytes");
    }
    Ok(())
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("name", &self.name).finish_non_exhaustive()
    }
}

/// As a person would type it: the program by its name, arguments quoted where a shell would need it.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.program.file_name().unwrap_or(self.program.as_os_str());
        write!(f, "{}", quoted(&name.to_string_lossy()))?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(&arg.to_string_lossy())))
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,@%+~".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
