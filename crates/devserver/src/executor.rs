//! Running the server command: one call of it, from its start to its understood answer.
//!
//! The answer is taken when the command has exited and its JSON is complete; a dev server that inherited its output
//! does not hold the call. The dev server is meant to outlive `--start`: the tree that it was born in is handed out
//! instead of stopped, and stopping it later is the force-stop and the proof. Everything else leaves nothing.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::{CallScope, Deadline};
use supervise::{Exit, Ladder, Output, StopReport, Supervisor, Tree};
use tokio::task::JoinHandle;

use crate::answer;
use crate::command::ServerCommand;
use crate::contract::{Running, State, Status, Stopped, Unusable, Verb};
use crate::error::{CommandError, Reported};
use crate::lenient::Object;
use crate::process::ServerProcess;
use crate::said::{Ears, Said};

/// As much as is read at once.
const CHUNK: usize = 64 * 1024;
/// After the exit, how long silence means that nothing more comes: the command's own words are in the pipe by then.
const SILENCE: Duration = Duration::from_millis(500);
/// The same when the answer is already complete.
const SILENCE_AFTER_ANSWER: Duration = Duration::from_millis(20);
/// The longest that is listened after the exit: a grandchild may talk for ever.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A dev server that runs.
#[derive(Debug)]
pub struct Started {
    /// What the command answered.
    pub running: Running,
    /// Its process, if the command named one that lives.
    pub server: Option<ServerProcess>,
    /// What the command left running. `None` when the server ran before: it is not ours then.
    pub tree: Option<ServerTree>,
}

/// Everything that a successful `--start` or `--restart` left running. Dropping it ends that in the background.
#[derive(Debug)]
pub struct ServerTree {
    tree: Tree,
    /// Reads on: a server that inherited the pipes would die of writing into closed ones.
    reader: JoinHandle<()>,
    ears: Arc<Mutex<Ears>>,
}

impl ServerTree {
    /// Ends whatever of it still lives, and proves it.
    pub async fn stop(self, ladder: Ladder) -> StopReport {
        let Self { tree, reader, .. } = self;
        let report = tree.stop(ladder).await;
        reader.abort();
        report
    }

    /// Waits until the server has ended, as far as the system tells. The wait may be dropped.
    pub async fn server_exited(&mut self) -> Exit {
        self.tree.followed().await
    }

    /// The end of what was written to the outputs that the command left behind; empty when the server has its own.
    pub fn said(&self) -> Said {
        self.ears.lock().unwrap_or_else(PoisonError::into_inner).said(None)
    }
}

impl ServerCommand {
    /// Starts the dev server, or finds that it runs.
    ///
    /// # Errors
    /// [`CommandError`]; nothing that this call started runs then.
    pub async fn start(&self, supervisor: &Supervisor, scope: &CallScope) -> Result<Started, CommandError> {
        self.bring_up(Verb::Start, supervisor, scope).await
    }

    /// Stops the dev server and starts it anew.
    ///
    /// # Errors
    /// [`CommandError`]; nothing that this call started runs then.
    pub async fn restart(&self, supervisor: &Supervisor, scope: &CallScope) -> Result<Started, CommandError> {
        self.bring_up(Verb::Restart, supervisor, scope).await
    }

    /// Asks how the dev server is. A command that exits with an error because the server is down has answered too.
    ///
    /// # Errors
    /// [`CommandError`] when it can't be said.
    pub async fn status(&self, supervisor: &Supervisor, scope: &CallScope) -> Result<Status, CommandError> {
        let call = self.call(Verb::Status, supervisor, scope).await?;
        let (tree, heard) = call.let_go();
        tree.stop(Ladder::default()).await;
        let told = heard.answer.as_ref().and_then(|object| Status::read(object).ok());
        match told {
            Some(status) if status.state != State::Running => Ok(status),
            _ => heard.understood(Status::read),
        }
    }

    /// Stops the dev server.
    ///
    /// # Errors
    /// [`CommandError`] when the command does not say that it stopped.
    pub async fn shutdown(
        &self,
        supervisor: &Supervisor,
        scope: &CallScope,
    ) -> Result<Stopped, CommandError> {
        let call = self.call(Verb::Shutdown, supervisor, scope).await?;
        let (tree, heard) = call.let_go();
        tree.stop(Ladder::default()).await;
        heard.understood(Stopped::read)
    }

    async fn bring_up(
        &self,
        verb: Verb,
        supervisor: &Supervisor,
        scope: &CallScope,
    ) -> Result<Started, CommandError> {
        let call = self.call(verb, supervisor, scope).await?;
        let heard = call.heard(verb);
        match heard.understood(Running::read) {
            Ok(running) if running.already => {
                let (tree, _) = call.let_go();
                tree.stop(Ladder::default()).await;
                let server = running.pid.and_then(ServerProcess::of);
                Ok(Started { running, server, tree: None })
            }
            Ok(running) => {
                let server = running.pid.and_then(ServerProcess::of);
                let mut tree = call.keep();
                if let Some(server) = &server {
                    tree.tree.follow(server.pid()).await;
                }
                Ok(Started { running, server, tree: Some(tree) })
            }
            Err(error) => {
                call.tree.stop(Ladder::default()).await;
                Err(error)
            }
        }
    }

    async fn call(
        &self,
        verb: Verb,
        supervisor: &Supervisor,
        scope: &CallScope,
    ) -> Result<Call, CommandError> {
        self.call_with(verb, Some(verb.flag()), supervisor, scope).await
    }

    /// Runs the command with `flag`, or with no option at all, and hears it out. It is held to the limit of `verb` and to the scope.
    pub(crate) async fn call_with(
        &self,
        verb: Verb,
        flag: Option<&str>,
        supervisor: &Supervisor,
        scope: &CallScope,
    ) -> Result<Call, CommandError> {
        scope.activity().set(format!("{} {}", self.program().display(), flag.unwrap_or_default()));
        let limit = Deadline::after(verb.limit());
        // Only what stays behind needs a farewell.
        let spec = match verb {
            Verb::Start | Verb::Restart => self.spec(flag).farewell(
                self.program(),
                self.words(Verb::Shutdown),
                self.folder(),
                Verb::Shutdown.limit(),
            ),
            Verb::Status | Verb::Shutdown => self.spec(flag),
        };
        // Not raced: it is short, and what it starts must be in our hands to be proven gone.
        let (tree, output) = supervisor.spawn(&spec).await?;
        let mut call = Call { verb, tree, output, open: true, ears: Ears::default(), exit: None };
        let heard = {
            let within = scope.race(limit.race(call.hear_out()));
            within.await
        };
        let refused = match heard {
            Ok(Ok(())) => return Ok(call),
            Ok(Err(_)) => {
                CommandError::Timeout { verb, limit: verb.limit(), said: call.ears.said(call.exit) }
            }
            Err(why) => CommandError::Interrupted { verb, why, said: call.ears.said(call.exit) },
        };
        call.tree.stop(Ladder::default()).await;
        Err(refused)
    }
}

/// One run of the command.
#[derive(Debug)]
pub(crate) struct Call {
    verb: Verb,
    tree: Tree,
    output: Output,
    /// Whether either stream may still say something.
    open: bool,
    ears: Ears,
    exit: Option<Exit>,
}

impl Call {
    /// Listens until the command has exited and said what it had to say.
    async fn hear_out(&mut self) {
        let mut buffer = vec![0; CHUNK];
        while self.exit.is_none() {
            tokio::select! {
                exit = self.tree.exited() => self.exit = Some(exit),
                heard = self.output.read(&mut buffer), if self.open => match heard {
                    Some((stream, length)) => self.ears.hear(stream, &buffer[..length]),
                    None => self.open = false,
                },
            }
        }
        let end = Deadline::after(LAST_WORDS);
        while self.open && !end.has_passed() {
            let answered = answer::find(&self.ears.stdout()).is_some();
            let silence = if answered { SILENCE_AFTER_ANSWER } else { SILENCE };
            match end.at_most(silence).race(self.output.read(&mut buffer)).await {
                Ok(Some((stream, length))) => self.ears.hear(stream, &buffer[..length]),
                Ok(None) => self.open = false,
                Err(_) => return,
            }
        }
    }

    pub(crate) fn heard(&self, verb: Verb) -> Heard {
        let said = self.ears.said(self.exit);
        Heard { verb, exit: self.exit.unwrap_or(Exit::Unknown), answer: answer::find(&said.stdout), said }
    }

    /// The tree to be stopped, and what was heard.
    pub(crate) fn let_go(self) -> (Tree, Heard) {
        let heard = self.heard(self.verb);
        (self.tree, heard)
    }

    /// Holds what the command left running.
    pub(crate) fn keep(self) -> ServerTree {
        let Self { tree, mut output, ears, .. } = self;
        let ears = Arc::new(Mutex::new(ears));
        *ears.lock().unwrap_or_else(PoisonError::into_inner) = Ears::default();
        let kept = ears.clone();
        let reader = tokio::spawn(async move {
            let mut buffer = vec![0; CHUNK];
            while let Some((stream, length)) = output.read(&mut buffer).await {
                kept.lock().unwrap_or_else(PoisonError::into_inner).hear(stream, &buffer[..length]);
            }
        });
        ServerTree { tree, reader, ears }
    }
}

/// What a command said before it exited.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) verb: Verb,
    pub(crate) exit: Exit,
    pub(crate) answer: Option<Object>,
    pub(crate) said: Said,
}

impl Heard {
    /// The answer as `read` understands it.
    pub(crate) fn understood<T>(
        &self,
        read: impl Fn(&Object) -> Result<T, Unusable>,
    ) -> Result<T, CommandError> {
        let (verb, said) = (self.verb, self.said.clone());
        let reported = self.answer.as_ref().and_then(Reported::read).map(Box::new);
        if self.exit != Exit::Code(0) {
            return Err(CommandError::NonZeroExit { verb, exit: self.exit, said, reported });
        }
        if let Some(reported) = reported
            && self.answer.as_ref().is_some_and(Reported::is_one)
        {
            return Err(CommandError::Reported { verb, reported, said });
        }
        let Some(answer) = &self.answer else {
            let why = if said.stdout.trim().is_empty() {
                "nothing was printed on standard output; a JSON object was expected".to_owned()
            } else {
                format!(
                    "standard output holds no complete JSON object; it ends with: {}",
                    base::clip::tail(said.stdout.trim_end(), 200)
                )
            };
            return Err(CommandError::InvalidJson { verb, why, said });
        };
        read(answer).map_err(|unusable| CommandError::InvalidJson { verb, why: unusable.to_string(), said })
    }
}
