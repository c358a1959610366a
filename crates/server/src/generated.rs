//! Pages that are made, not written: a test compares each with what would be made now.

use std::path::Path;

/// Fails when the file at `path` (from the repository's root) differs from `page`; with `UPDATE_DOCS` set, writes it.
#[track_caller]
pub(crate) fn is_up_to_date(path: &str, page: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, page).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page,
        "{path} is out of date; make it with UPDATE_DOCS=1 cargo nextest run -p e2e-mcp-server"
    );
}
