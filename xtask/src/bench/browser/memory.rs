//! What a server holds in memory, its browser left out.

use std::path::Path;

use anyhow::Context;
use testkit::process;

/// The sum over the server and its helpers, in MiB, of the memory that each has for itself and its share of what it
/// shares: adding up resident sizes would count a shared page twice.
pub(super) fn without_browser(server: u32, browser: &str) -> anyhow::Result<f64> {
    let folder = Path::new(browser).parent().context("the browser lies in no folder")?;
    let mut kibibytes = share_of(server).context("the server's memory can't be read")?;
    // A helper may end between being listed and being asked.
    kibibytes += helpers(server, folder).filter_map(share_of).sum::<f64>();
    Ok(kibibytes / 1024.0)
}

/// What the server started, without the browser that lies in `folder`.
fn helpers(server: u32, folder: &Path) -> impl Iterator<Item = u32> {
    process::descendants(server).into_iter().filter(move |pid| !runs_from(*pid, folder))
}

/// Whether a process is one of the browser's: its program lies beside the browser's.
fn runs_from(pid: u32, folder: &Path) -> bool {
    std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|program| program.starts_with(folder))
}

fn share_of(pid: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find(|line| line.starts_with("Pss:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn helpers_count_and_browsers_do_not() {
        let me = std::process::id();
        let sleep = std::fs::canonicalize("/bin/sleep").unwrap();
        let mut child = std::process::Command::new(&sleep).arg("600").spawn().unwrap();
        let program = || std::fs::read_link(format!("/proc/{}/exe", child.id())).ok();
        // Until the child has become `sleep`, it runs our own program.
        process::wait_until(std::time::Duration::from_secs(10), || {
            program().filter(|program| *program == sleep)
        })
        .unwrap();
        let counts = |folder: &Path| helpers(me, folder).any(|pid| pid == child.id());
        let (beside_another, beside_itself) =
            (counts(Path::new("/nowhere")), counts(sleep.parent().unwrap()));
        let all = without_browser(me, "/nowhere/browser");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(beside_another && !beside_itself);
        assert!(all.unwrap() > 0.0);
    }
}
