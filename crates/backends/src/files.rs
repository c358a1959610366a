//! Files that browsers made, and where they are wanted.

use std::path::Path;

/// Moves a file, also to another disk, and to a folder that somebody has removed meanwhile.
pub(crate) fn put(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::rename(from, to).or_else(|_| {
        // What is not there, or not ours to read, has no use for a folder.
        let mut file = std::fs::File::open(from)?;
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::io::copy(&mut file, &mut std::fs::File::create(to)?)?;
        std::fs::remove_file(from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_moved_also_to_a_folder_that_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("gone/to"));
        std::fs::write(&from, "text").unwrap();
        put(&from, &to).unwrap();
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "text");
        assert!(!from.exists());
    }

    #[test]
    fn a_file_that_is_not_there_makes_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(put(&folder.path().join("from"), &folder.path().join("gone/to")).is_err());
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}
