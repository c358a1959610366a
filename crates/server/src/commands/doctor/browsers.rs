//! The browsers: each is really started, without a window, asked for its name, and closed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Deadline;
use engine::backend::BrowserKind;
use supervise::Supervisor;

use super::report::Finding;
use crate::config::Options;
use crate::session::{LaunchRefused, Launcher as _, SystemLauncher, Wanted};
use crate::tools::Word as _;

/// A first start on a slow disk takes long.
const LIMIT: Duration = Duration::from_secs(30);
const CHECK: &str = "browser";

/// Every kind, and whether the sandbox held; the kind that sessions use by default must be there.
pub(super) async fn look(options: &Arc<Options>, supervisor: &Supervisor) -> Vec<Finding> {
    let launcher = SystemLauncher::new(options.clone(), supervisor.clone(), std::env::home_dir());
    let mut findings = Vec::new();
    for (name, kind) in BrowserKind::WORDS {
        let default = *kind == options.browser.kind;
        let began = Instant::now();
        let launched = launcher.launch(Wanted { kind: *kind, headless: true }, Deadline::after(LIMIT)).await;
        match launched {
            Ok(browser) => {
                let took = began.elapsed().as_millis();
                let how = match (&options.browser.cdp_endpoint, *kind) {
                    (Some(endpoint), BrowserKind::Chromium) => format!("answers at {endpoint}"),
                    _ => "starts".to_owned(),
                };
                findings.push(Finding::ok(
                    CHECK,
                    format!("{name}: {} {how} ({took} ms)", browser.identity().product),
                ));
                browser.close(Deadline::after(LIMIT)).await;
                if *kind == BrowserKind::Chromium {
                    findings.push(super::sandbox::held(options));
                }
            }
            Err(refused) => findings.push(refusal(name, &refused, default, options)),
        }
    }
    findings
}

fn refusal(name: &str, refused: &LaunchRefused, default: bool, options: &Options) -> Finding {
    let (seen, mend) = match refused {
        LaunchRefused::NotFound { remedy, .. } => (format!("{name}: {refused}"), remedy.clone()),
        LaunchRefused::Failed { stderr, .. } => {
            let mend = super::sandbox::why_not(stderr, options)
                .or_else(|| missing_library(stderr))
                .unwrap_or_else(|| last_lines(stderr));
            (format!("{name}: {refused}"), mend)
        }
        other => (format!("{name}: {other}"), "use another browser".to_owned()),
    };
    if default { Finding::failed(CHECK, seen, mend) } else { Finding::note(CHECK, seen, mend) }
}

/// `…: error while loading shared libraries: libnss3.so: cannot open shared object file`.
fn missing_library(stderr: &[String]) -> Option<String> {
    let line = stderr.iter().find(|line| line.contains("error while loading shared libraries"))?;
    let library = line.split(": ").find(|part| part.contains(".so"))?;
    Some(format!("install the package that has {library}; the browser's own package would have brought it"))
}

fn last_lines(stderr: &[String]) -> String {
    match stderr {
        [] => "start it by hand and see what it says".to_owned(),
        lines => format!("it wrote: {}", lines[lines.len().saturating_sub(3)..].join(" / ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_missing_is_named() {
        let stderr =
            ["/x/chrome: error while loading shared libraries: libnss3.so: cannot open shared object \
                       file: No such file or directory"
                .to_owned()];
        assert!(missing_library(&stderr).unwrap().contains("libnss3.so"));
    }

    #[test]
    fn a_browser_that_sessions_use_by_default_must_be_there_and_others_may_be() {
        let missing = LaunchRefused::NotFound {
            wanted: "chromium".to_owned(),
            looked: Vec::new(),
            remedy: "install it with `x`".to_owned(),
        };
        let finding = |default| refusal("chromium", &missing, default, &Options::default());
        assert_eq!(finding(true).verdict, super::super::report::Verdict::Failed);
        assert_eq!(finding(false).verdict, super::super::report::Verdict::Note);
        assert_eq!(finding(true).mend.as_deref(), Some("install it with `x`"));
    }
}
