//! Scripts that do not end. The protocol can't end one, but its page's process can be; the page gets another one when it is
//! next asked.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, ConsoleEntry, ConsoleLevel, PageEvent};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::page::{Page, lock};

/// A page that takes longer for nothing at all is in a loop.
const ANSWER: Duration = Duration::from_millis(400);
/// So often it is looked whether it works.
const LOOKS: u32 = 20;
/// How long the death of a process may take to be told.
const DEATH: Duration = Duration::from_secs(3);
/// How long the document may take to come back.
const BACK: Duration = Duration::from_secs(10);
/// A process in a loop gets at least so much of a busy machine meanwhile, in the system's ticks of 10 ms.
const BUSY: u64 = 4;
/// What a page's process is called, as far as the system keeps names.
const NAME: &str = "(WebKitWebProces)";

impl Page {
    /// Ends the scripts of a page that does not answer any more.
    pub(super) async fn end_scripts(&self) -> Result<(), BackendError> {
        let dialog = lock(&self.dialog).clone();
        if let Some(dialog) = dialog {
            // The script ends when it comes back from it.
            return self.handle_dialog(&dialog, false, None).await;
        }
        let owner = self.owner()?;
        let parent = owner.carrier.pid();
        let page = owner.every_page().into_iter().find(|page| page.id == self.id);
        if let Some(page) = page
            && !page.doubted.send_replace(true)
        {
            // Whoever asked may not wait for it.
            tokio::spawn(page.judge(parent));
        }
        self.judged().await;
        Ok(())
    }

    /// Finds out whether the page answers or its process is in a loop, however little of a busy machine that gets.
    async fn judge(self: Arc<Self>, parent: u32) {
        let before = processes(parent);
        let mut answer = std::pin::pin!(self.tell("Runtime.evaluate", json!({ "expression": "0" })));
        for _ in 0..LOOKS {
            if self.has_crashed() || Deadline::after(ANSWER).race(&mut answer).await.is_ok() {
                break;
            }
            if let Some(pid) = busiest(&before, &processes(parent)) {
                self.clone().end_process(pid).await;
                break;
            }
        }
        self.doubted.send_replace(false);
    }

    /// Waits until it is known whether the page answers, if anybody doubts it.
    pub(super) async fn judged(&self) {
        let mut doubted = self.doubted.subscribe();
        let known = async { doubted.wait_for(|doubted| !doubted).await.is_ok() };
        let _ = Deadline::after(ANSWER * LOOKS + DEATH).race(known).await;
    }

    async fn end_process(self: Arc<Self>, pid: Pid) {
        lock(&self.link).ended = true;
        let mut life = self.life.subscribe();
        if let Err(error) = kill_process(pid, Signal::KILL) {
            tracing::debug!(component = "webkit", event = "process_not_ended", %error);
        }
        let died = life.wait_for(|life| life.crashed || life.closed);
        if Deadline::after(DEATH).race(died).await.is_err() {
            // It was another page's.
            lock(&self.link).ended = false;
            return;
        }
        let text = "A script did not end, so the page's process was ended; the page is loaded anew when it is next asked.";
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        self.say(PageEvent::Console(ConsoleEntry {
            level: ConsoleLevel::Error,
            text: text.to_owned(),
            place: None,
            uncaught: false,
            at: now.as_secs_f64(),
        }));
    }

    /// Waits until the end of a process that we ended is told.
    pub(super) async fn dying(&self) {
        self.judged().await;
        if lock(&self.link).ended {
            let mut life = self.life.subscribe();
            let died = life.wait_for(|life| life.crashed || life.closed);
            let _ = Deadline::after(DEATH).race(died).await;
        }
    }

    /// Brings back a page whose process we ended; one that died by itself stays as it is until it is navigated.
    pub(super) async fn come_back(&self) -> Result<(), BackendError> {
        self.judged().await;
        if !lock(&self.link).ended {
            return Ok(());
        }
        let _turn = self.returning.lock().await;
        self.dying().await;
        if !lock(&self.link).ended || !self.has_crashed() {
            return Ok(());
        }
        let before = self.frames().get(&self.main_frame).map_or(0, |top| top.starts);
        self.load_again(false).await?;
        let loaded = self.until(|page| {
            let frames = page.frames();
            let top = frames.get(&page.main_frame)?;
            let arrived = top.starts > before && top.url != "about:blank";
            (arrived && top.pending.is_none() && top.is_loaded()).then_some(())
        });
        // A document that takes longer is there all the same.
        let _ = Deadline::after(BACK).race(loaded).await;
        Ok(())
    }
}

/// The processes that draw pages for the browser `parent`, and how long each has worked, in ticks (proc(5), /proc/pid/stat).
fn processes(parent: u32) -> HashMap<i32, u64> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let stat = |pid: i32| std::fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    pids.filter_map(|pid| Some((pid, worked(&stat(pid)?, parent)?))).collect()
}

fn worked(stat: &str, parent: u32) -> Option<u64> {
    let (name, rest) = stat.split_at(stat.rfind(')')? + 1);
    let mut words = rest.split_whitespace();
    let is_child = words.nth(1)?.parse() == Ok(parent);
    let user: u64 = words.nth(9)?.parse().ok()?;
    let system: u64 = words.next()?.parse().ok()?;
    (is_child && name.ends_with(NAME)).then_some(user + system)
}

/// The process that worked most between two looks, if one did.
fn busiest(before: &HashMap<i32, u64>, after: &HashMap<i32, u64>) -> Option<Pid> {
    let worked = after.iter().map(|(pid, now)| (now.saturating_sub(*before.get(pid).unwrap_or(now)), *pid));
    worked.max().filter(|(ticks, _)| *ticks >= BUSY).and_then(|(_, pid)| Pid::from_raw(pid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_browsers_own_page_processes_count() {
        let stat = "77 (WebKitWebProces) R 5 1 1 0 -1 4194304 1 2 3 4 130 20 0 0 20 0 9 0 100 200";
        assert_eq!(worked(stat, 5), Some(150));
        assert_eq!(worked(stat, 6), None);
        assert_eq!(worked(&stat.replace("WebKitWebProces", "x) (Xvfb"), 5), None);
    }

    #[test]
    fn a_process_that_rests_is_in_no_loop() {
        let (before, after) = (HashMap::from([(1, 5), (2, 5)]), HashMap::from([(1, 6), (2, 40), (3, 99)]));
        assert_eq!(busiest(&before, &after).map(Pid::as_raw_pid), Some(2));
        assert_eq!(busiest(&after, &after), None);
    }
}
