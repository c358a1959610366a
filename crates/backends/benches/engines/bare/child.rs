//! A program and what it says of itself.

use anyhow::bail;
use supervise::{Output, Spec, Supervisor, Tree};

/// Starts a program and waits for the first of its lines that is looked for; what it writes later is thrown away.
pub(super) async fn start<T>(
    supervisor: &Supervisor,
    spec: &Spec,
    find: impl Fn(&str) -> Option<T>,
) -> anyhow::Result<(Tree, T)> {
    let (tree, mut output) = supervisor.spawn(spec).await?;
    let found = first(&mut output, find).await?;
    tokio::spawn(async move {
        let mut buffer = [0; 4096];
        while output.read(&mut buffer).await.is_some() {}
    });
    Ok((tree, found))
}

async fn first<T>(output: &mut Output, find: impl Fn(&str) -> Option<T>) -> anyhow::Result<T> {
    let mut said = String::new();
    let mut buffer = [0; 4096];
    while let Some((_, length)) = output.read(&mut buffer).await {
        said.push_str(&String::from_utf8_lossy(&buffer[..length]));
        let whole = said.rfind('\n').map_or("", |end| &said[..end]);
        if let Some(found) = whole.lines().find_map(&find) {
            return Ok(found);
        }
    }
    bail!("it ended, and had said: {said}")
}
