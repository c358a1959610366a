//! Takes a run's output to raw.log on a thread of its own, so that a slow disk never stalls the clock.
//!
//! The queue between them is short: when the disk can't keep up, the run is read more slowly and memory stays flat.
//! When the disk is full, the run goes on: its end is kept in memory, and the report says that raw.log is incomplete.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use base::Deadline;
use supervise::{Output, Stream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::last_line::LastLine;
use crate::raw_log::RawLog;
use crate::time;

/// As much as is read at once.
const CHUNK: usize = 256 * 1024;
/// As many chunks as may wait for the disk.
const QUEUE: usize = 3;
/// As much of a run's end as is kept in memory when the disk is full.
const KEPT_TAIL: usize = 64 * 1024;

struct Chunk {
    stream: Stream,
    buffer: Vec<u8>,
    length: usize,
    unix_ms: i64,
}

/// Reads a run's output and hands it to the writer.
#[derive(Debug)]
pub(crate) struct Recorder {
    queue: mpsc::Sender<Chunk>,
    /// Buffers that the writer is done with.
    returned: mpsc::UnboundedReceiver<Vec<u8>>,
    buffer: Vec<u8>,
    writer: JoinHandle<Recorded>,
    last_line: LastLine,
}

/// What became of raw.log.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    pub(crate) cut_short: Option<CutShort>,
}

/// raw.log is incomplete.
#[derive(Debug)]
pub(crate) struct CutShort {
    pub(crate) why: io::Error,
    /// The output's end, in raw.log's format.
    pub(crate) tail: Vec<u8>,
}

impl Recorder {
    /// Creates raw.log, which must not exist: whatever stands there may be a link to somewhere else.
    pub(crate) fn create(raw_log: &Path) -> io::Result<Self> {
        let file = File::options().write(true).create_new(true).open(raw_log)?;
        let (queue, chunks) = mpsc::channel(QUEUE);
        let (give_back, returned) = mpsc::unbounded_channel();
        let writer = tokio::task::spawn_blocking(move || write_all(file, chunks, &give_back));
        Ok(Self { queue, returned, buffer: Vec::new(), writer, last_line: LastLine::default() })
    }

    /// Waits for the next output and records it. False when both streams have ended.
    ///
    /// The wait may be dropped and taken up again without loss: room in the queue comes first, so that what was read
    /// is always recorded.
    pub(crate) async fn next(&mut self, output: &mut Output) -> bool {
        let Ok(room) = self.queue.reserve().await else { return false };
        if self.buffer.is_empty() {
            self.buffer = self.returned.try_recv().unwrap_or_else(|_| vec![0; CHUNK]);
        }
        let Some((stream, length)) = output.read(&mut self.buffer).await else { return false };
        self.last_line.push(stream, &self.buffer[..length]);
        let buffer = std::mem::take(&mut self.buffer);
        room.send(Chunk { stream, buffer, length, unix_ms: time::now() });
        true
    }

    /// The newest line that says something, for people who wait.
    pub(crate) fn last_line(&self) -> String {
        self.last_line.text()
    }

    /// Waits until everything is in the file, but not for ever: a network disk may hang.
    pub(crate) async fn finish(self, limit: Duration) -> Recorded {
        drop(self.queue);
        match Deadline::after(limit).race(self.writer).await {
            Ok(Ok(recorded)) => recorded,
            Ok(Err(_)) | Err(_) => {
                let why = io::Error::new(io::ErrorKind::TimedOut, "the disk did not take it in time");
                Recorded { cut_short: Some(CutShort { why, tail: Vec::new() }) }
            }
        }
    }
}

/// The writer's whole life.
fn write_all(
    file: File,
    mut chunks: mpsc::Receiver<Chunk>,
    give_back: &mpsc::UnboundedSender<Vec<u8>>,
) -> Recorded {
    let mut log = RawLog::new(file);
    let failed = loop {
        let Some(chunk) = chunks.blocking_recv() else { break log.finish().err() };
        if let Err(error) = log.record(chunk.stream, &chunk.buffer[..chunk.length], chunk.unix_ms) {
            return keep_tail(error, chunk, chunks, give_back);
        }
        // Nobody takes it back when the run is over.
        let _ = give_back.send(chunk.buffer);
    };
    Recorded { cut_short: failed.map(|why| CutShort { why, tail: Vec::new() }) }
}

/// The disk takes no more: goes on reading, so that the run is not held up, and keeps the end.
fn keep_tail(
    why: io::Error,
    first: Chunk,
    mut chunks: mpsc::Receiver<Chunk>,
    give_back: &mpsc::UnboundedSender<Vec<u8>>,
) -> Recorded {
    let mut log = RawLog::new(Vec::new());
    let mut next = Some(first);
    while let Some(chunk) = next {
        let newest = &chunk.buffer[chunk.length.saturating_sub(KEPT_TAIL)..chunk.length];
        // Memory takes everything.
        let _ = log.record(chunk.stream, newest, chunk.unix_ms);
        log.keep_last(KEPT_TAIL);
        let _ = give_back.send(chunk.buffer);
        next = chunks.blocking_recv();
    }
    Recorded { cut_short: Some(CutShort { why, tail: log.into_bytes() }) }
}
