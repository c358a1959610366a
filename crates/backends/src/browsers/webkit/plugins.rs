//! The list of the plugins that play media: GStreamer's registry.
//!
//! To make it takes looking through every plugin, half a second of a core while the first page waits. So it is kept for the
//! next start. GStreamer compares it with the plugins' dates itself, makes it anew when it can't be read, looks again at the
//! few plugins that look into the home (each process has another), and puts it in place as a whole, so any number of browsers
//! may use it at once.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::browsers::profile;

/// How GStreamer goes on with the name of one that it has not written to its end.
const BEGUN: &str = ".tmp";

/// Where the list is kept below `cache`, which is made if it is missing, for nobody else's eyes. What browsers left that were
/// killed while they wrote it is taken away.
pub(super) fn list_in(cache: &Path) -> io::Result<PathBuf> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(cache)?;
    access(cache, Access::WRITE_OK)?;
    // It is as this kind of machine writes numbers, and homes may be shared.
    let name = format!("gstreamer-{}", std::env::consts::ARCH);
    let begun = format!("{name}{BEGUN}");
    for entry in std::fs::read_dir(cache)?.flatten() {
        let is_begun = entry.file_name().to_string_lossy().starts_with(&begun);
        if is_begun && profile::is_stale(&entry) {
            // Somebody else may have taken it away.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(cache.join(name))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::{Duration, SystemTime};

    use base::Deadline;
    use engine::backend::ContextOptions;
    use supervise::Supervisor;

    use super::*;
    use crate::browsers::Places;
    use crate::browsers::webkit::{Choice, LaunchOptions, find, launch};

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn what_a_killed_browser_left_of_a_list_is_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("new/cache");
        let list = list_in(&cache).unwrap();
        assert_eq!(cache.metadata().unwrap().permissions().mode() & 0o077, 0);
        let begun = |end: &str| cache.join(format!("{}{BEGUN}{end}", list.file_name().unwrap().display()));
        let (old, young) = (begun("AbCdEf"), begun("GhIjKl"));
        let then = SystemTime::now() - Duration::from_secs(3600);
        for path in [&old, &young, &list] {
            std::fs::write(path, "x").unwrap();
        }
        for path in [&old, &list] {
            std::fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
        }
        assert_eq!(list_in(&cache).unwrap(), list);
        assert!(list.exists() && young.exists() && !old.exists());
        assert!(list_in(&list.join("x")).is_err(), "a file is no folder");
    }

    /// Starts a browser, lets it open a page, and ends it.
    async fn start(profiles: &Path, cache: Option<PathBuf>, done: impl Fn() -> bool) {
        let places = Places::of_environment(|name| std::env::var_os(name), None);
        let options = LaunchOptions {
            executable: find(&Choice::default(), &places).unwrap(),
            headless: true,
            args: Vec::new(),
            profiles: profiles.to_owned(),
            cache,
            confined: false,
        };
        let supervisor = Supervisor::with_watchdog(testkit::bins().watchdog());
        let deadline = Deadline::after(Duration::from_secs(60));
        let browser = launch(&supervisor, options, deadline).await.unwrap();
        let opened = browser.new_context(ContextOptions::default()).await.unwrap();
        opened.context.new_page().await.unwrap();
        let until = async {
            while !done() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let in_time = deadline.race(until).await.is_ok();
        browser.close(deadline).await;
        assert!(in_time, "the list was not made");
        assert!(names(profiles).is_empty());
    }

    #[tokio::test]
    async fn a_list_that_is_broken_is_made_anew_and_none_is_needed() {
        let folder = tempfile::tempdir().unwrap();
        let (profiles, cache) = (folder.path().join("profiles"), folder.path().join("cache"));
        let list = list_in(&cache).unwrap();
        std::fs::write(&list, "no list").unwrap();
        let is_made = || std::fs::read(&list).unwrap().windows(9).any(|part| part == b"gstreamer");
        start(&profiles, Some(cache.clone()), is_made).await;
        start(&profiles, Some(cache.clone()), || true).await;
        assert!(is_made());
        // Where none can be kept, browsers start all the same.
        start(&profiles, Some(list.join("x")), || true).await;
        start(&profiles, None, || true).await;
    }
}
