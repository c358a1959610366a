//! How a misbehaviour was called, how it calls itself again, and how it lives on without outliving everybody.
//!
//! There is no `fork` without unsafe code, so a child of a child is this program started anew, with a stage as its
//! first argument.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use anyhow::Context;

/// After this long, every process of this program ends itself; nextest ends a test that takes as long.
const SEAT_BELT: Duration = Duration::from_secs(180);

/// One command line of this program.
pub(crate) struct Call {
    name: String,
    arguments: Vec<String>,
    pid_file: Option<PathBuf>,
}

impl Call {
    /// Reads the command line; `--pid-file` stands before the name or right after it.
    pub(crate) fn from_command_line() -> anyhow::Result<Self> {
        let mut words: Vec<String> =
            std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let at = words.iter().take(2).position(|word| word == "--pid-file");
        let pid_file = match at {
            Some(at) if at + 1 < words.len() => words.drain(at..at + 2).nth(1).map(PathBuf::from),
            Some(_) => anyhow::bail!("--pid-file needs a path"),
            None => None,
        };
        anyhow::ensure!(!words.is_empty(), "no misbehaviour was named");
        let name = words.remove(0);
        Ok(Self { name, arguments: words, pid_file })
    }

    /// Which misbehaviour is wanted.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What follows its name.
    pub(crate) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The argument at `nth`, if it is there.
    pub(crate) fn optional<T: FromStr>(&self, nth: usize, what: &str) -> anyhow::Result<Option<T>>
    where
        T::Err: std::error::Error + Send + Sync + 'static,
    {
        let Some(word) = self.arguments.get(nth) else { return Ok(None) };
        word.parse().map(Some).with_context(|| format!("{what} can't be {word:?}"))
    }

    /// The argument at `nth`, which must be there.
    pub(crate) fn required<T: FromStr>(&self, nth: usize, what: &str) -> anyhow::Result<T>
    where
        T::Err: std::error::Error + Send + Sync + 'static,
    {
        self.optional(nth, what)?.with_context(|| format!("{} needs {what}", self.name))
    }

    /// Appends this process's pid to the pid file. One short write in append mode: lines of many writers don't mix.
    pub(crate) fn record_pid(&self) -> anyhow::Result<()> {
        let Some(path) = &self.pid_file else { return Ok(()) };
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| format!("can't open the pid file {}", path.display()))?;
        file.write_all(format!("{}\n", std::process::id()).as_bytes())?;
        Ok(())
    }

    /// This program once more, in the same misbehaviour with other arguments, recording into the same pid file.
    pub(crate) fn again(&self, arguments: &[&str]) -> anyhow::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.stdin(Stdio::null());
        if let Some(path) = &self.pid_file {
            command.arg("--pid-file").arg(path);
        }
        command.arg(&self.name).args(arguments);
        Ok(command)
    }
}

/// Sees to it that this process ends, even if it blocks in a write that nobody reads.
pub(crate) fn fasten_seat_belt() {
    std::thread::spawn(|| {
        std::thread::sleep(SEAT_BELT);
        std::process::exit(99);
    });
}

/// Lives on until killed, or until the seat belt ends it.
pub(crate) fn live_on() -> ! {
    loop {
        std::thread::sleep(SEAT_BELT);
    }
}

/// Writes to stdout at once. A reader that went away is no reason to end: these children cling to life.
pub(crate) fn say(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
}

/// Leaves the session, and with it the process group, of whoever started this process.
#[cfg(unix)]
pub(crate) fn leave_session() -> anyhow::Result<()> {
    rustix::process::setsid().context("setsid")?;
    Ok(())
}

/// There are no sessions here.
#[cfg(not(unix))]
pub(crate) fn leave_session() -> anyhow::Result<()> {
    anyhow::bail!("this system has no sessions to leave")
}
