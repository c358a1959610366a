//! Opening a log, and nothing but a log: the path comes from a program that may be wrong or worse.

use std::fs::File;
use std::io;
use std::path::Path;

use super::{Cursor, LogError};

/// An open log.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) file: File,
    pub(super) size: u64,
    /// The file's number in its file system; 0 where there is none.
    pub(super) number: u64,
}

impl Opened {
    pub(super) fn open(path: &Path) -> Result<Self, LogError> {
        let (file, by_link) = open(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => LogError::NotFound { path: path.to_owned() },
            _ => LogError::Failed { path: path.to_owned(), source },
        })?;
        let entry = file.metadata().map_err(|source| LogError::Failed { path: path.to_owned(), source })?;
        let refused = |why| LogError::Refused { path: path.to_owned(), why };
        if !entry.is_file() {
            return Err(refused("it is not a regular file"));
        }
        if by_link && !is_ours(&entry) {
            return Err(refused("it is a link to a file of another user"));
        }
        Ok(Self { file, size: entry.len(), number: number(&entry) })
    }

    pub(super) fn cursor(&self, offset: u64) -> Cursor {
        Cursor { offset, file: self.number }
    }
}

/// Opens without waiting, as a pipe without a writer would make us; and says whether the path is a link.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<(File, bool)> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let with = |flags: OFlags| {
        // The numbers of the flags are small and positive on every system.
        File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)
    };
    match with(flags | OFlags::NOFOLLOW) {
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            with(flags).map(|file| (file, true))
        }
        other => other.map(|file| (file, false)),
    }
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<(File, bool)> {
    File::open(path).map(|file| (file, false))
}

#[cfg(unix)]
fn is_ours(entry: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    entry.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_ours(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn number(entry: &std::fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    entry.ino()
}

#[cfg(not(unix))]
fn number(_: &std::fs::Metadata) -> u64 {
    0
}
