//! Everything a contributor runs.

mod conformance;

fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("conformance") => conformance::run(),
        _ => anyhow::bail!("usage: cargo xtask conformance"),
    }
}
