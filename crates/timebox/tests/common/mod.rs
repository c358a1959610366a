//! A workspace whose `flutter` is a program of ours, and what tests ask of its runs.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::{Activity, Workspace};
use supervise::{Ladder, Supervisor};
use testkit::bins;
use testkit::process::PidFile;
use timebox::runners::{self, Scope};
use timebox::{NotStarted, Report, Request, Timebox};
use tokio_util::sync::CancellationToken;

/// A run's limits in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) total: u64,
    pub(crate) silence: u64,
}

impl Limits {
    /// Nothing reaches them: a test that hangs is ended before, and a gibibyte takes its time on a busy machine.
    pub(crate) fn generous() -> Self {
        Self { total: 1_000_000, silence: 1_000_000 }
    }

    pub(crate) fn total(total: u64) -> Self {
        Self { total, ..Self::generous() }
    }
}

/// A workspace, a fake `flutter` and its pids.
pub(crate) struct Bench {
    pub(crate) root: tempfile::TempDir,
    pids: PidFile,
    pub(crate) timebox: Arc<Timebox>,
}

impl Bench {
    /// `flutter` misbehaves in the given way.
    pub(crate) fn running(child: &[&str]) -> Self {
        let pids = PidFile::new().unwrap();
        let words: Vec<String> =
            child.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
        let line = format!("exec {:?} --pid-file {:?} {}", bins().child(), pids.path(), words.join(" "));
        Self::with_script(&line, pids)
    }

    /// `flutter` is a shell script.
    pub(crate) fn with_shell(script: &str) -> Self {
        Self::with_script(script, PidFile::new().unwrap())
    }

    fn with_script(script: &str, pids: PidFile) -> Self {
        let root = tempfile::tempdir().unwrap();
        let (workspace, bin) = (root.path().join("repo"), root.path().join("bin"));
        fs::create_dir(&workspace).unwrap();
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join("flutter"), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(bin.join("flutter"), fs::Permissions::from_mode(0o755)).unwrap();
        let timebox = Timebox::new(
            Supervisor::with_watchdog(bins().watchdog()),
            Workspace::open(&workspace, None).unwrap(),
            Ladder { grace: Duration::from_millis(300), kill: Duration::from_secs(5) },
            Some(OsString::from(bin)),
        );
        Self { root, pids, timebox: Arc::new(timebox) }
    }

    pub(crate) fn workspace(&self) -> Workspace {
        Workspace::open(&self.root.path().join("repo"), None).unwrap()
    }

    pub(crate) fn request(&self, limits: Limits) -> Request {
        Request {
            runner: runners::find("flutter").unwrap(),
            scope: Scope::All,
            limits: timebox::controller::Limits {
                total: Duration::from_millis(limits.total),
                silence: Duration::from_millis(limits.silence),
            },
            max_output_bytes: 1 << 20,
            report_dir: None,
        }
    }

    pub(crate) async fn try_run(&self, request: &Request) -> Result<Report, NotStarted> {
        self.timebox.run(request, CancellationToken::new(), Activity::default()).await
    }

    /// Runs, and checks what holds after every run.
    pub(crate) async fn run(&self, limits: Limits) -> Report {
        let report = self.try_run(&self.request(limits)).await.unwrap();
        self.check(&report);
        report
    }

    /// Cancels a run as soon as that many processes of it live, and checks what holds after every run.
    pub(crate) async fn cancelled_when(&self, living: usize) -> Report {
        let cancel = CancellationToken::new();
        let request = self.request(Limits::generous());
        let run = self.timebox.run(&request, cancel.clone(), Activity::default());
        let when_they_live = async {
            self.wait_for_pids(living).await;
            cancel.cancel();
        };
        let (report, ()) = tokio::join!(run, when_they_live);
        let report = report.unwrap();
        self.check(&report);
        report
    }

    /// Nothing lives, and the artifacts are complete.
    pub(crate) fn check(&self, report: &Report) {
        for pid in self.pids.pids() {
            assert!(!testkit::process::alive(pid), "{pid} outlived its run: {report:?}");
        }
        assert!(report.processes.survived.is_empty(), "{report:?}");
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        assert!(report.artifacts.raw_log.is_file());
        let page = fs::read_to_string(&report.artifacts.summary_md).unwrap();
        assert!(page.contains("## Last lines"), "{page}");
        let summary = self.summary(report);
        for field in ["command", "exit_code", "status", "duration_ms", "excerpts", "tail_lines"] {
            assert!(summary.get(field).is_some(), "summary.json has no {field}");
        }
        assert_eq!(summary["status"], serde_json::to_value(report.status).unwrap());
    }

    /// Waits until that many processes of the run live.
    async fn wait_for_pids(&self, count: usize) {
        let path = self.pids.path();
        let look = move || {
            let lines = fs::read_to_string(&path).unwrap_or_default().lines().count();
            (lines >= count).then_some(())
        };
        let seen =
            tokio::task::spawn_blocking(move || testkit::process::wait_until(Duration::from_secs(60), look));
        seen.await.unwrap().unwrap();
    }

    pub(crate) fn summary(&self, report: &Report) -> serde_json::Value {
        serde_json::from_slice(&fs::read(&report.artifacts.summary_json).unwrap()).unwrap()
    }

    pub(crate) fn raw_log(&self, report: &Report) -> String {
        String::from_utf8_lossy(&fs::read(&report.artifacts.raw_log).unwrap()).into_owned()
    }

    /// How many bytes were printed according to raw.log (a newline a line), and in how many lines.
    pub(crate) fn payload_of_raw_log(&self, report: &Report) -> (u64, u64) {
        let mut log = BufReader::with_capacity(1 << 20, fs::File::open(&report.artifacts.raw_log).unwrap());
        let prefix = "[2026-01-12T12:34:56.789Z] [stdout] ".len() as u64;
        let (mut payload, mut lines, mut length) = (0, 0, 0u64);
        loop {
            let chunk = log.fill_buf().unwrap();
            if chunk.is_empty() {
                return (payload, lines);
            }
            let (taken, ended) = match chunk.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (chunk.len(), false),
            };
            length += taken as u64;
            log.consume(taken);
            if ended {
                payload += length - prefix;
                lines += 1;
                length = 0;
            }
        }
    }

    pub(crate) fn reports(&self) -> PathBuf {
        self.root.path().join("repo/.cache/mcp-test-timebox/reports")
    }
}

/// The most memory that this process has ever had, in bytes.
pub(crate) fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() * 1024
}
