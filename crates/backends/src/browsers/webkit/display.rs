//! A display that nobody looks at, for a browser that can't do without one.
//!
//! Each process has its own. What is selected, what is copied and where the mouse stands belong to a display: on a common one,
//! what one session selects takes the selection of another away (X11 has one owner of PRIMARY), and a text that should have
//! replaced it comes behind it.

use std::path::{Path, PathBuf};

use base::Deadline;
use supervise::{Spec, Stream, Supervisor};
use tempfile::TempDir;

use super::launch::LaunchFailed;
use super::pointer;
use crate::browsers::process::Kept;

/// An Xvfb of ours, in a tree of its own, which ends when nobody holds this any more.
#[derive(Debug)]
pub(super) struct Display {
    pub(super) process: Kept,
    pub(super) name: String,
    /// The file with the word that it asks of everybody. Its number is somebody else's when it has died, the word is not.
    pub(super) authority: PathBuf,
}

/// As large as windows may be that are seen whole.
const SCREEN: &str = "1920x1200x24";
/// Nobody draws by OpenGL here, whose library is three quarters of a display's memory.
const WITHOUT: &str = "GLX";

/// The word that opens a display, as X servers and clients read it from a file: for any machine and any number.
fn authority(word: &[u8]) -> Vec<u8> {
    const ANY_MACHINE: [u8; 2] = [0xff, 0xff];
    let mut entry = ANY_MACHINE.to_vec();
    for field in [b"".as_slice(), b"", pointer::AUTHORIZATION, word] {
        let length = u16::try_from(field.len()).unwrap_or(u16::MAX);
        entry.extend(length.to_be_bytes());
        entry.extend(field);
    }
    entry
}

impl Display {
    /// Starts one with a number that is free, and waits until it answers.
    pub(super) async fn start(
        supervisor: &Supervisor,
        program: &Path,
        folder: TempDir,
        deadline: Deadline,
    ) -> Result<Self, LaunchFailed> {
        let key = folder.path().join("authority");
        let word = uuid::Uuid::new_v4();
        std::fs::write(&key, authority(word.as_bytes()))
            .map_err(|source| LaunchFailed::Profile { folder: folder.path().to_owned(), source })?;
        // It is told to write its number when it is ready.
        let screen = ["-displayfd", "1", "-screen", "0", SCREEN, "-extension", WITHOUT];
        let flags = ["-nolisten", "tcp", "-noreset", "-auth"];
        // Nothing of the user's own is read.
        let spec = Spec::new(program, folder.path())
            .args(screen)
            .args(flags)
            .args([&key])
            .env("HOME", folder.path())
            .remove_afterwards(folder.path());
        let (tree, mut output) = supervisor.spawn(&spec).await?;
        // From here on it goes with the tree.
        let _ = folder.keep();
        let mut said = Vec::new();
        let reading = async {
            let mut buffer = [0; 256];
            while let Some((stream, length)) = output.read(&mut buffer).await {
                if stream == Stream::Stdout {
                    said.extend_from_slice(&buffer[..length]);
                }
                if said.contains(&b'\n') {
                    break;
                }
            }
        };
        let timed_out = deadline.race(reading).await.is_err();
        let process = Kept::keep(tree, output);
        let number = String::from_utf8_lossy(&said).trim().to_owned();
        if timed_out || number.is_empty() {
            let stderr = process.last_lines();
            process.end_now().await;
            return Err(LaunchFailed::Display { stderr });
        }
        // Browsers work with it where it is, too.
        let put_aside = deadline.race(pointer::put_aside(&number, word.as_bytes())).await;
        if let Err(error) = put_aside.map_err(std::io::Error::other).flatten() {
            tracing::warn!(component = "browsers", event = "pointer_not_put_aside", %error);
        }
        Ok(Self { process, name: format!(":{number}"), authority: key })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    use super::*;
    use crate::browsers::Places;
    use crate::browsers::webkit::{Choice, find};

    /// What a display answers to who names itself with this: 1 to whom it lets in.
    fn knock(number: &str, name: &[u8], word: &[u8]) -> u8 {
        let mut stream = UnixStream::connect(format!("/tmp/.X11-unix/X{number}")).unwrap();
        stream.write_all(&pointer::greeting(name, word)).unwrap();
        let mut answer = [0];
        stream.read_exact(&mut answer).unwrap();
        answer[0]
    }

    #[tokio::test]
    async fn a_display_lets_in_nobody_but_who_has_its_word_and_its_pointer_is_aside() {
        let places = Places::of_environment(|name| std::env::var_os(name), None);
        let program = find(&Choice::default(), &places).unwrap().display.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let supervisor = Supervisor::with_watchdog(testkit::bins().watchdog());
        let deadline = Deadline::after(Duration::from_secs(30));
        let own = TempDir::new_in(folder.path()).unwrap();
        let display = Display::start(&supervisor, &program, own, deadline).await.unwrap();
        let kept = std::fs::read(&display.authority).unwrap();
        let word = &kept[kept.len() - 16..];
        let number = display.name.trim_start_matches(':');
        assert_eq!(knock(number, pointer::AUTHORIZATION, word), 1);
        assert_eq!(knock(number, pointer::AUTHORIZATION, &[7; 16]), 0);
        assert_eq!(knock(number, b"", b""), 0);
        let (at, (width, height)) = pointer::tests::pointer(number, word).await;
        assert_eq!(at, (width - 1, height - 1), "out of every window's way");
        display.process.end_now().await;
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_display_that_does_not_start_leaves_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let supervisor = Supervisor::with_watchdog(testkit::bins().watchdog());
        let deadline = Deadline::after(Duration::from_secs(30));
        let unwritable = TempDir::new_in(folder.path()).unwrap();
        std::fs::create_dir(unwritable.path().join("authority")).unwrap();
        for own in [unwritable, TempDir::new_in(folder.path()).unwrap()] {
            let started = Display::start(&supervisor, Path::new("/absent"), own, deadline).await;
            assert!(started.is_err(), "{started:?}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
