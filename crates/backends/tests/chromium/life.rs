//! Starting and ending: nothing is left, whoever ends it.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use backends::browsers::chromium::{self, Executable, HeaderMap, LaunchFailed};
use base::Deadline;
use engine::backend::*;
use serde_json::json;
use supervise::{Ladder, Spec, Supervisor};
use tempfile::TempDir;
use testkit::{bins, process};

use crate::site::{Site, html};
use crate::tab::*;

fn supervisor() -> Supervisor {
    Supervisor::with_watchdog(bins().watchdog())
}

/// The browser of a profile: it has the profile's folder for its temporary files, and so has its watchdog.
fn browser_of(profile: &std::path::Path) -> u32 {
    let marked = process::with_variable(&format!("TMPDIR={}", profile.join("t").display()));
    let below = |pid: &&u32| marked.iter().any(|other| process::descendants(*other).contains(pid));
    *marked.iter().find(below).expect("no browser runs")
}

/// The browser of a profile and everything that it started.
fn processes_of(profile: &std::path::Path) -> Vec<u32> {
    let browser = browser_of(profile);
    [process::descendants(browser), vec![browser]].concat()
}

fn only_profile(profiles: &std::path::Path) -> PathBuf {
    let found: Vec<_> = std::fs::read_dir(profiles).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// A browser, the folder of its profile, and the temporary folder that holds that.
async fn launched() -> (TempDir, PathBuf, Arc<dyn Browser>) {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path());
    let profiles = options.profiles.clone();
    let browser = chromium::launch(&supervisor(), options, Deadline::after(LIMIT)).await.unwrap();
    (folder, profiles, browser)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_browser_leaves_no_process_and_no_profile() {
    let (_folder, profiles, browser) = launched().await;
    let (_room, tab) = tab(&browser).await;
    assert!(browser.identity().product.contains("Chrome"), "{:?}", browser.identity());
    assert!(!browser.identity().headed);

    let profile = only_profile(&profiles);
    for private in [&profiles, &profile] {
        assert_eq!(private.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
    let alive = processes_of(&profile);
    assert!(alive.len() > 2, "{alive:?}");
    in_time(browser.close(Deadline::after(LIMIT))).await;
    process::wait_gone(&alive, Duration::ZERO).unwrap();
    assert!(!profile.exists());
    assert_eq!(in_time(browser.gone()).await.why, "it was closed");
    assert_eq!(tab.rest().await.last(), Some(&PageEvent::Closed));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_safe_when_the_browser_is_gone() {
    let (_folder, profiles, browser) = launched().await;
    let (room, tab) = tab(&browser).await;
    let profile = only_profile(&profiles);
    let waiting = tab.page.evaluate(&tab.main, "() => new Promise(() => {})", Vec::new());
    let kill = async {
        tab.evaluate("1").await;
        process::kill(browser_of(&profile));
    };
    let (waited, ()) = tokio::join!(in_time(waiting), kill);
    assert!(matches!(waited, Err(BackendError::BrowserGone(_))), "{waited:?}");
    let gone = in_time(browser.gone()).await;
    assert_eq!(gone.why, "it was ended by signal 9");
    assert!(!profile.exists(), "a browser that died is cleared away without being asked to");

    let gone = |error: BackendError| assert!(matches!(error, BackendError::BrowserGone(_)), "{error:?}");
    gone(in_time(tab.page.navigate(&tab.main, "about:blank", None)).await.unwrap_err());
    gone(in_time(tab.page.ask(&tab.main, &count("a"))).await.unwrap_err());
    gone(in_time(tab.page.input(click(1.0, 1.0))).await.unwrap_err());
    gone(in_time(tab.page.interrupt()).await.unwrap_err());
    gone(in_time(room.context.new_page()).await.unwrap_err());
    gone(in_time(browser.new_context(ContextOptions::default())).await.unwrap_err());
    in_time(browser.close(Deadline::after(LIMIT))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_is_forgotten_ends() {
    let (_folder, profiles, browser) = launched().await;
    let (room, tab) = tab(&browser).await;
    let profile = only_profile(&profiles);
    let alive = processes_of(&profile);
    drop((room, tab, browser));
    let gone = tokio::task::spawn_blocking(move || {
        process::wait_gone(&alive, LIMIT / 3).unwrap();
        process::wait_until(LIMIT / 3, || (!profile.exists()).then_some(()))
    });
    assert_eq!(gone.await.unwrap(), Some(()), "the profile is still there");
}

/// Names the folder in which this very test, started anew, plays the server that is killed.
const OWNER: &str = "TEST_OWNS_A_BROWSER_IN";

async fn own_a_browser(folder: &std::path::Path) {
    let browser = chromium::launch(&supervisor(), options(folder), Deadline::after(LIMIT)).await.unwrap();
    let _tab = tab(&browser).await;
    std::fs::write(folder.join("ready"), "").unwrap();
    // A failed test leaves nothing behind for longer.
    tokio::time::sleep(LIMIT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_and_its_profile_go_when_their_owner_is_killed() {
    if let Some(folder) = std::env::var_os(OWNER) {
        return own_a_browser(folder.as_ref()).await;
    }
    let folder = tempfile::tempdir().unwrap();
    bins().watchdog();
    let mut owner = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "life::a_browser_and_its_profile_go_when_their_owner_is_killed"])
        .env(OWNER, folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let ready = folder.path().join("ready");
    let started = process::wait_until(LIMIT, || ready.exists().then_some(()));
    let alive = started.map(|()| processes_of(&only_profile(&folder.path().join("p"))));
    process::kill(owner.id());
    owner.wait().unwrap();
    let alive = alive.expect("no browser came up");
    assert!(alive.len() > 2, "{alive:?}");
    process::wait_gone(&alive, LIMIT).unwrap();
    let empty = || std::fs::read_dir(folder.path().join("p")).unwrap().next().is_none().then_some(());
    process::wait_until(LIMIT, empty).expect("the profile is still there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_does_not_come_up_is_told_with_its_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("broken");
    std::fs::write(&script, "#!/bin/sh\necho 'no library libfoo.so' >&2\nexit 3\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut broken = options(folder.path());
    broken.executable = Executable { path: script, shell: true };
    let profiles = broken.profiles.clone();
    let failed = chromium::launch(&supervisor(), broken.clone(), Deadline::after(LIMIT)).await.unwrap_err();
    let LaunchFailed::Ended { why, stderr } = &failed else { panic!("{failed:?}") };
    assert_eq!(
        (why.as_str(), stderr.as_slice()),
        ("it exited with code 3", &["no library libfoo.so".to_owned()][..])
    );
    assert!(failed.to_string().contains("libfoo"), "{failed}");

    broken.executable.path = "/nowhere/at all".into();
    let failed = chromium::launch(&supervisor(), broken.clone(), Deadline::after(LIMIT)).await.unwrap_err();
    assert!(matches!(failed, LaunchFailed::Spawn(_)), "{failed:?}");

    let silent = folder.path().join("silent");
    std::fs::write(&silent, "#!/bin/sh\necho 'thinking' >&2\nexec sleep 1000\n").unwrap();
    std::fs::set_permissions(&silent, std::fs::Permissions::from_mode(0o755)).unwrap();
    broken.executable.path = silent;
    let soon = Deadline::after(Duration::from_millis(300));
    let failed = chromium::launch(&supervisor(), broken, soon).await.unwrap_err();
    assert!(matches!(failed, LaunchFailed::TimedOut { .. }), "{failed:?}");
    assert!(std::fs::read_dir(profiles).unwrap().next().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_is_given_up_leaves_no_profile() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path());
    let profiles = options.profiles.clone();
    // It is begun, and dropped at its first wait.
    let supervisor = supervisor();
    let start = chromium::launch(&supervisor, options, Deadline::after(LIMIT));
    assert!(tokio::time::timeout(Duration::ZERO, start).await.is_err());
    let empty = || std::fs::read_dir(&profiles).unwrap().next().is_none().then_some(());
    process::wait_until(LIMIT, empty).expect("the profile is gone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_elses_browser_is_driven_over_its_socket_and_goes_on_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let user_data = format!("--user-data-dir={}", folder.path().display());
    let spec = Spec::new(SHELL, "/")
        .args(["--remote-debugging-port=0", &user_data, "--no-first-run", "--disable-background-networking"])
        .args(rustix::process::geteuid().is_root().then_some("--no-sandbox"))
        .env("TMPDIR", folder.path());
    let (tree, mut output) = supervisor().spawn(&spec).await.unwrap();
    let (mut said, mut buffer) = (String::new(), vec![0; 4096]);
    let address = loop {
        if let Some((_, rest)) = said.split_once("DevTools listening on ws://")
            && let Some((address, _)) = rest.split_once('/')
        {
            break format!("http://{address}");
        }
        let (_, length) = in_time(output.read(&mut buffer)).await.expect("it ended before it listened");
        said.push_str(&String::from_utf8_lossy(&buffer[..length]));
    };
    let site = Site::start().await;
    site.at("/", html("<title>hi</title>"));
    for _ in 0..2 {
        let browser = chromium::attach(&address, HeaderMap::new(), Deadline::after(LIMIT)).await.unwrap();
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        assert_eq!(tab.evaluate("document.title").await, json!("hi"));
        in_time(browser.close(Deadline::after(LIMIT))).await;
        assert_eq!(tab.rest().await.last(), Some(&PageEvent::Closed));
        in_time(browser.gone()).await;
    }
    tree.stop(Ladder::default()).await;
    let failed = chromium::attach(&address, HeaderMap::new(), Deadline::after(LIMIT)).await.unwrap_err();
    assert!(failed.to_string().contains("can't be reached"), "{failed}");
}
