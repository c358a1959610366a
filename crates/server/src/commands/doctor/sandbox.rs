//! Whether this user can have Chromium's sandbox, and what stands in the way.

use std::path::Path;

use super::report::Finding;
use crate::config::Options;

const CHECK: &str = "sandbox";

/// What a start that succeeded says of it.
pub(super) fn held(options: &Options) -> Finding {
    if options.browser.cdp_endpoint.is_some() {
        return Finding::ok(CHECK, "is a matter of the browser that runs elsewhere");
    }
    if is_root() {
        return Finding::note(
            CHECK,
            "pages are not confined: Chromium has no sandbox for root",
            "run the server as another user",
        );
    }
    if options.browser.no_sandbox {
        return Finding::note(
            CHECK,
            "pages are not confined, as --no-sandbox says",
            "leave --no-sandbox out",
        );
    }
    Finding::ok(CHECK, "pages are confined")
}

/// What to do when the browser did not start for the lack of one.
pub(super) fn why_not(stderr: &[String], options: &Options) -> Option<String> {
    let about_it = stderr.iter().any(|line| line.to_lowercase().contains("sandbox"));
    if !about_it || options.browser.no_sandbox {
        return None;
    }
    Some(obstacle(Path::new("/proc/sys")))
}

/// What the kernel was told, and how to tell it otherwise.
fn obstacle(settings: &Path) -> String {
    let number = |name: &str| {
        std::fs::read_to_string(settings.join(name)).ok().and_then(|text| text.trim().parse::<u64>().ok())
    };
    let mend = if number("kernel/apparmor_restrict_unprivileged_userns") == Some(1) {
        "AppArmor keeps user namespaces from programs without a profile: install the browser by the system's packages, \
         which bring one, or `sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
    } else if number("kernel/unprivileged_userns_clone") == Some(0) {
        "user namespaces are switched off for users: `sysctl kernel.unprivileged_userns_clone=1`"
    } else if number("user/max_user_namespaces") == Some(0) {
        "there may be no user namespaces: `sysctl user.max_user_namespaces=10000`"
    } else {
        "in a container, allow user namespaces: a seccomp profile with clone and unshare (deploy/seccomp.json)"
    };
    format!("{mend}; --no-sandbox is for pages that you trust")
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
const fn is_root() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_the_sandbox_away_is_named_with_the_command_that_lets_it_in() {
        let settings = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(settings.path().join("kernel")).unwrap();
        assert!(obstacle(settings.path()).contains("container"));
        std::fs::write(settings.path().join("kernel/unprivileged_userns_clone"), "0\n").unwrap();
        assert!(obstacle(settings.path()).contains("kernel.unprivileged_userns_clone=1"));
        std::fs::write(settings.path().join("kernel/apparmor_restrict_unprivileged_userns"), "1\n").unwrap();
        assert!(obstacle(settings.path()).contains("AppArmor"));
    }

    #[test]
    fn a_start_that_failed_for_another_reason_is_not_the_sandboxes() {
        let options = Options::default();
        assert_eq!(why_not(&["no such file".to_owned()], &options), None);
        assert!(why_not(&["FATAL: No usable sandbox!".to_owned()], &options).is_some());
    }
}
