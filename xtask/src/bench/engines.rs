//! `cargo xtask bench engines`: each browser through our back ends, beside its bare protocol. The bench itself is
//! `crates/backends/benches/engines`: it needs what this program does without.

use crate::{machine, repo};

/// Installs the browsers that are missing, and measures all of them, or those that are named.
pub(super) fn run(names: &[String]) -> anyhow::Result<()> {
    machine::prepare_browsers()?;
    repo::show(repo::cargo().args(["bench", "--package", "backends", "--bench", "engines", "--"]).args(names))
}
