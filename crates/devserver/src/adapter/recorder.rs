//! The dev server's output, to three files as it comes, and to whoever waits for a line.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use base::plain;
use regex::Regex;
use supervise::{Output, Stream};
use tokio::sync::Notify;
use url::Url;

use super::printed;
use super::state::Logs;

const CHUNK: usize = 64 * 1024;
/// A log that grows beyond this begins anew: a server in a loop must not fill the disk.
const LONGEST_LOG: u64 = 64 * 1024 * 1024;
/// As much of an unfinished line as is waited for.
const LONGEST_LINE: usize = 64 * 1024;
/// As many lines as are searched for the server's URL: it is printed at the start or not at all.
const MOST_URLS: usize = 50;

/// What was found in the output.
#[derive(Debug, Default)]
pub(super) struct Heard {
    inner: Mutex<Found>,
    /// Told whenever something was found.
    pub(super) news: Notify,
}

#[derive(Debug, Default)]
struct Found {
    urls: Vec<Url>,
    matched: Option<Option<String>>,
}

impl Heard {
    /// The URLs that the server printed, in their order.
    pub(super) fn urls(&self) -> Vec<Url> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).urls.clone()
    }

    /// Whether the awaited line came, and its first group.
    pub(super) fn matched(&self) -> Option<Option<String>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).matched.clone()
    }

    fn line(&self, line: &[u8], awaited: Option<&Regex>, whole: bool) {
        let mut found = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        for line in plain::lines(line) {
            if whole && found.urls.len() < MOST_URLS {
                for url in printed::urls(&line) {
                    if !found.urls.contains(&url) {
                        found.urls.push(url);
                        self.news.notify_one();
                    }
                }
            }
            if found.matched.is_none()
                && let Some(captures) = awaited.and_then(|awaited| awaited.captures(&line))
            {
                found.matched = Some(captures.get(1).map(|group| group.as_str().to_owned()));
                self.news.notify_one();
            }
        }
    }
}

/// The three files.
#[derive(Debug)]
pub(super) struct Recorder {
    stdout: Capped,
    stderr: Capped,
    combined: Capped,
    /// What each stream said of a line that is not whole yet.
    unfinished: [Vec<u8>; 2],
    heard: Arc<Heard>,
    awaited: Option<Regex>,
}

impl Recorder {
    /// Makes the files, which must not exist, for our eyes only.
    pub(super) fn create(logs: &Logs, awaited: Option<Regex>) -> io::Result<(Self, Arc<Heard>)> {
        let heard = Arc::<Heard>::default();
        let recorder = Self {
            stdout: Capped::create(&logs.stdout)?,
            stderr: Capped::create(&logs.stderr)?,
            combined: Capped::create(&logs.combined)?,
            unfinished: [Vec::new(), Vec::new()],
            heard: heard.clone(),
            awaited,
        };
        Ok((recorder, heard))
    }

    /// Records until both streams have ended.
    pub(super) async fn record(mut self, mut output: Output) {
        let mut buffer = vec![0; CHUNK];
        while let Some((stream, length)) = output.read(&mut buffer).await {
            self.take(stream, &buffer[..length]);
        }
        for unfinished in std::mem::take(&mut self.unfinished) {
            if !unfinished.is_empty() {
                self.whole_line(&unfinished);
            }
        }
    }

    fn take(&mut self, stream: Stream, bytes: &[u8]) {
        let (log, number) = match stream {
            Stream::Stdout => (&mut self.stdout, 0),
            Stream::Stderr => (&mut self.stderr, 1),
        };
        log.write(bytes);
        // Whole lines only: two streams in one file must not cut into each other's.
        let mut pending = std::mem::take(&mut self.unfinished[number]);
        pending.extend_from_slice(bytes);
        let mut rest = &pending[..];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.whole_line(&rest[..=end]);
            rest = &rest[end + 1..];
        }
        if rest.len() > LONGEST_LINE {
            self.whole_line(rest);
            rest = &[];
        } else if !rest.is_empty() {
            // A line may be awaited before it ends, but what it is asked for may not be whole yet.
            let awaited = self.awaited.as_ref().filter(|awaited| awaited.captures_len() == 1);
            self.heard.line(rest, awaited, false);
        }
        self.unfinished[number] = rest.to_vec();
    }

    fn whole_line(&mut self, line: &[u8]) {
        self.combined.write(line);
        if line.last() != Some(&b'\n') {
            self.combined.write(b"\n");
        }
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        self.heard.line(line, self.awaited.as_ref(), true);
    }
}

/// A log with a largest size.
#[derive(Debug)]
struct Capped {
    file: File,
    length: u64,
}

impl Capped {
    fn create(path: &Path) -> io::Result<Self> {
        let file = File::options().append(true).create_new(true).mode(0o600).open(path)?;
        Ok(Self { file, length: 0 })
    }

    /// A disk that is full costs the log, not the server.
    fn write(&mut self, bytes: &[u8]) {
        if self.length > LONGEST_LOG && self.file.set_len(0).is_ok() {
            self.length = 0;
            let note = format!("[the log was longer than {} MiB and begins anew here]\n", LONGEST_LOG >> 20);
            let _ = self.file.write_all(note.as_bytes());
        }
        if self.file.write_all(bytes).is_ok() {
            self.length += bytes.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_two_streams_stay_whole_in_the_combined_log() {
        let dir = tempfile::tempdir().unwrap();
        let logs = Logs::within(dir.path());
        let awaited = Some(Regex::new(r"ready on port (\d+)").unwrap());
        let (mut recorder, heard) = Recorder::create(&logs, awaited).unwrap();
        recorder.take(Stream::Stdout, b"one ");
        recorder.take(Stream::Stderr, b"warn: http://localhost:1/\n");
        assert_eq!(heard.matched(), None);
        recorder.take(Stream::Stdout, b"line\nready on \x1b[1mport 77");
        assert_eq!(heard.matched(), None, "the port may go on");
        assert_eq!(heard.urls().len(), 1);
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        assert_eq!(read(&logs.combined), "warn: http://localhost:1/\none line\n");
        assert_eq!(read(&logs.stdout), "one line\nready on \x1b[1mport 77");
        use std::os::unix::fs::PermissionsExt;
        for log in [&logs.stdout, &logs.stderr, &logs.combined] {
            assert_eq!(log.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        recorder.take(Stream::Stdout, b"7\n");
        assert_eq!(heard.matched(), Some(Some("777".to_owned())));
    }
}
