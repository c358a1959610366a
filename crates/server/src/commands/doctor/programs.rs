//! Node and npm, where the project has packages, or we are one.

use std::path::Path;
use std::time::Duration;

use base::Deadline;
use supervise::{Ladder, Spec, Supervisor};

use super::super::init::own;
use super::report::Finding;

/// The oldest Node that the launcher runs on.
const OLDEST: u32 = 18;
const LIMIT: Duration = Duration::from_secs(20);
const CHECK: &str = "node";
const MEND: &str = "install Node 18 or later, and see that node and npm are on the PATH that your client has";

/// Nothing where nobody needs it.
pub(super) async fn node(workspace: &Path, supervisor: &Supervisor) -> Option<Finding> {
    let packaged = std::env::current_exe().is_ok_and(|program| own::of_npm(&program));
    if !packaged && !workspace.join("package.json").exists() {
        return None;
    }
    let node = version("node", supervisor).await;
    let npm = version("npm", supervisor).await;
    Some(judged(node.as_deref(), npm.as_deref()))
}

fn judged(node: Option<&str>, npm: Option<&str>) -> Finding {
    match (node, npm) {
        (Some(node), Some(npm)) if major(node) >= Some(OLDEST) => {
            Finding::ok(CHECK, format!("Node {node}, npm {npm}"))
        }
        (Some(node), Some(_)) => {
            Finding::note(CHECK, format!("Node {node} is too old for npx {}", super::super::PROGRAM), MEND)
        }
        (None, _) => Finding::note(CHECK, "the project has packages, and there is no node", MEND),
        (_, None) => Finding::note(CHECK, "the project has packages, and there is no npm", MEND),
    }
}

fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

/// The first line that `program --version` prints.
async fn version(program: &str, supervisor: &Supervisor) -> Option<String> {
    let path = which::which(program).ok()?;
    let spec = Spec::new(path, std::env::temp_dir()).args(["--version"]);
    let (tree, mut output) = supervisor.spawn(&spec).await.ok()?;
    let mut said = Vec::new();
    let reading = async {
        let mut buffer = [0; 256];
        while let Some((stream, count)) = output.read(&mut buffer).await {
            if stream == supervise::Stream::Stdout {
                said.extend_from_slice(&buffer[..count]);
            }
            if said.contains(&b'\n') {
                break;
            }
        }
    };
    let read = Deadline::after(LIMIT).race(reading).await;
    tree.stop(Ladder::default()).await;
    read.ok()?;
    String::from_utf8_lossy(&said)
        .lines()
        .next()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::report::Verdict;
    use super::*;

    #[test]
    fn a_node_that_is_old_or_missing_is_told() {
        assert_eq!(judged(Some("v20.1.0"), Some("10.0.0")).verdict, Verdict::Ok);
        assert!(judged(Some("v16.20.2"), Some("8.0.0")).seen.contains("too old"));
        assert!(judged(None, Some("8.0.0")).seen.contains("no node"));
        assert!(judged(Some("v20.1.0"), None).seen.contains("no npm"));
    }
}
