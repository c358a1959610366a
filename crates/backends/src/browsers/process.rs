//! A browser that we started: one task owns its tree, from its first line on standard error to the proof that nothing
//! of it lives.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::Deadline;
use engine::backend::Gone;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use supervise::{Exit, Ladder, Output, Stream, Tree};
use tokio::sync::{mpsc, watch};

use super::owned;

/// As many lines of standard error as are kept, and as much of each.
const LINES: usize = 50;
const LONGEST_LINE: usize = 500;

/// How long a browser whose connection broke may take to end by itself, so that its exit tells why.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How long what is still in the pipe is read after the end.
const DRAIN: Duration = Duration::from_millis(500);

/// The task's mailbox.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "for browsers whose processes are told apart")
    )]
    pid: u32,
    orders: mpsc::UnboundedSender<Order>,
    gone: watch::Receiver<Option<Gone>>,
    lines: Arc<Lines>,
}

#[derive(Debug)]
enum Order {
    Stop(Deadline),
    Abandoned,
    /// At once: nobody asked it to leave by itself.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "for browsers that can't be asked"))]
    End,
}

/// The last lines of standard error, and how many there were.
#[derive(Debug, Default)]
pub(super) struct Lines {
    last: Mutex<VecDeque<String>>,
    count: watch::Sender<u64>,
}

impl Kept {
    /// Takes over a tree that was just started.
    pub(super) fn keep(tree: Tree, output: Output) -> Self {
        let (pid, (orders, received)) = (tree.pid(), mpsc::unbounded_channel());
        let (tell, gone) = watch::channel(None);
        let lines = Arc::<Lines>::default();
        let reading = tokio::spawn(read(output, lines.clone()));
        let kept = lines.clone();
        tokio::spawn(async move {
            let exit = watch_over(tree, received).await;
            let abort = reading.abort_handle();
            if Deadline::after(DRAIN).race(reading).await.is_err() {
                abort.abort();
            }
            tell.send_replace(Some(Gone { why: told(exit), stderr: kept.last() }));
        });
        Self { pid, orders, gone, lines }
    }

    /// The process at its root.
    #[cfg(target_os = "linux")]
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// What it last said.
    pub(super) fn last_lines(&self) -> Vec<String> {
        self.lines.last()
    }

    /// Waits until it says something that `look` knows, or is gone.
    pub(super) async fn said<T>(&self, look: impl Fn(&str) -> Option<T>) -> Result<T, Gone> {
        let mut count = self.lines.count.subscribe();
        loop {
            count.borrow_and_update();
            if let Some(found) = self.last_lines().iter().find_map(|line| look(line)) {
                return Ok(found);
            }
            tokio::select! {
                // The sender is ours.
                _ = count.changed() => {}
                gone = gone(self.ending()) => return Err(gone),
            }
        }
    }

    /// Ends it without asking, and answers when nothing of it lives.
    #[cfg(target_os = "linux")]
    pub(super) async fn end_now(&self) {
        let _ = self.orders.send(Order::End);
        gone(self.ending()).await;
    }

    /// How it will have ended.
    pub(super) fn ending(&self) -> watch::Receiver<Option<Gone>> {
        self.gone.clone()
    }
}

/// Waits for an end, and says how it was.
pub(super) async fn gone(mut ending: watch::Receiver<Option<Gone>>) -> Gone {
    let told = ending.wait_for(Option::is_some).await.ok().and_then(|gone| gone.clone());
    told.unwrap_or_else(|| Gone { why: "nobody watched over it any more".to_owned(), stderr: Vec::new() })
}

impl owned::Process for Kept {
    fn stop(&self, deadline: Deadline) -> BoxFuture<'_, ()> {
        let _ = self.orders.send(Order::Stop(deadline));
        gone(self.ending()).map(drop).boxed()
    }

    fn abandoned(&self) {
        let _ = self.orders.send(Order::Abandoned);
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        gone(self.ending()).boxed()
    }
}

/// Waits until the browser ends or is to end, and then sees to it that nothing of it is left.
async fn watch_over(mut tree: Tree, mut orders: mpsc::UnboundedReceiver<Order>) -> Option<Exit> {
    let (mut until, mut ladder) = (None, Ladder::default());
    let exit = loop {
        let waiting = async {
            match until {
                Some(deadline) => Deadline::passed(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            exit = tree.exited() => break Some(exit),
            () = waiting => break None,
            order = orders.recv() => match order {
                // It was asked to leave; a part of the time is for the ladder.
                Some(Order::Stop(deadline)) => {
                    until = Some(grace(deadline));
                    ladder.grace = ladder.grace.min(deadline.remaining() / 2);
                }
                Some(Order::Abandoned) => until = Some(Deadline::after(LAST_WORDS)),
                // Nobody holds the browser any more, or wants it.
                Some(Order::End) | None => break None,
            },
        }
    };
    let report = tree.stop(ladder).await;
    for survivor in &report.survivors {
        tracing::warn!(
            component = "browsers",
            event = "survivor",
            pid = survivor.pid,
            command = survivor.command
        );
    }
    exit
}

/// Half of what is left, and not long: a browser that was asked to close takes a fraction of a second.
fn grace(deadline: Deadline) -> Deadline {
    Deadline::after((deadline.remaining() / 2).min(LAST_WORDS))
}

fn told(exit: Option<Exit>) -> String {
    match exit {
        Some(Exit::Code(0)) => "it was closed".to_owned(),
        Some(Exit::Code(code)) => format!("it exited with code {code}"),
        Some(Exit::Signal(signal)) => format!("it was ended by signal {signal}"),
        Some(Exit::Unknown) => "it ended, nobody knows how".to_owned(),
        None => "it was stopped".to_owned(),
    }
}

impl Lines {
    fn add(&self, line: &str) {
        let mut lines = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(base::clip::head(line, LONGEST_LINE).into_owned());
        drop(lines);
        self.count.send_modify(|count| *count += 1);
    }

    fn last(&self) -> Vec<String> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// Reads until both pipes end; a process that outlives the browser may hold them, so nobody waits for this.
async fn read(mut output: Output, lines: Arc<Lines>) {
    let (mut buffer, mut begun) = (vec![0; 8192], Vec::new());
    while let Some((stream, length)) = output.read(&mut buffer).await {
        if stream == Stream::Stdout {
            continue;
        }
        begun.extend_from_slice(&buffer[..length]);
        while let Some(end) = begun.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = begun.drain(..=end).collect();
            lines.add(String::from_utf8_lossy(&line).trim_end());
        }
        // A line without end fills no memory.
        begun.truncate(begun.len().min(64 << 10));
    }
    if !begun.is_empty() {
        lines.add(String::from_utf8_lossy(&begun).trim_end());
    }
}

/// What a browser that failed to start said last.
pub(super) fn last_words(stderr: &[String]) -> String {
    let last = stderr.iter().rev().find(|line| !line.trim().is_empty());
    last.map(|line| format!("; it last wrote {line:?}")).unwrap_or_default()
}
