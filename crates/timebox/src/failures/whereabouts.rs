//! Where a file is that a runner named without its folder: Go and the machines of Java write `cart_test.go:15`.
//!
//! The workspace is searched for the name. Of several files the one counts whose folders the test's name spells
//! (`example.com/shop/cart.TestAdds`, `shop.cart.CartTest`); where that does not decide, the name stays as it is.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::Failure;

/// Folders that hold no sources, or other people's.
const PASSED_BY: &[&str] = &["build", "dist", "node_modules", "target", "vendor"];
/// More than this is not looked at: the answer must not wait for a giant's folders.
const MOST_ENTRIES: usize = 50_000;

/// Completes the files that have no folder.
pub(super) fn complete(failures: &mut [Failure], root: &Path) {
    let wanted: HashSet<String> = failures.iter().filter_map(|failure| bare(failure, root)).collect();
    if wanted.is_empty() {
        return;
    }
    let found = search(root, &wanted);
    for failure in failures {
        let places = bare(failure, root).and_then(|name| found.get(&name));
        if let Some(place) = places.and_then(|places| choose(places, failure.test.as_deref().unwrap_or(""))) {
            failure.file = Some(place.to_string_lossy().into_owned());
        }
    }
}

/// The file's name, if that is all there is, and it does not lie in the workspace's own folder.
fn bare(failure: &Failure, root: &Path) -> Option<String> {
    let file = failure.file.as_ref().filter(|file| !file.contains(['/', '\\']))?;
    (!root.join(file).is_file()).then(|| file.clone())
}

/// Every place of each name, relative to the root.
fn search(root: &Path, wanted: &HashSet<String>) -> HashMap<String, Vec<PathBuf>> {
    let mut found: HashMap<String, Vec<PathBuf>> = HashMap::new();
    let mut folders = vec![PathBuf::new()];
    let mut entries = 0;
    while let Some(folder) = folders.pop() {
        // A folder that can't be read holds nothing for the agent either.
        for entry in root.join(&folder).read_dir().into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return HashMap::new();
            }
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !name.starts_with('.') && !PASSED_BY.contains(&name.as_str()) {
                folders.push(folder.join(name));
            } else if !is_folder && wanted.contains(&name) {
                let place = folder.join(&name);
                found.entry(name).or_default().push(place);
            }
        }
    }
    found
}

/// The only place, or the one whose last folders the test's name spells best: as many as possible, with as few others
/// before them as possible.
fn choose<'a>(places: &'a [PathBuf], test: &str) -> Option<&'a Path> {
    if let [only] = places {
        return Some(only);
    }
    let words: Vec<&str> = test.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').collect();
    let fit = |place: &PathBuf| {
        let folders: Vec<&str> =
            place.parent().into_iter().flatten().filter_map(|part| part.to_str()).collect();
        let spelled = |last: &usize| words.windows(*last).any(|run| run == &folders[folders.len() - last..]);
        ((1..=folders.len()).take_while(spelled).count(), Reverse(folders.len()))
    };
    let best = places.iter().map(fit).max().filter(|(spelled, _)| *spelled > 0)?;
    let mut fitting = places.iter().filter(|place| fit(place) == best);
    fitting.next().filter(|_| fitting.next().is_none()).map(PathBuf::as_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(files: &[&str], test: &str, file: &str) -> String {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let mut failures =
            [Failure { test: Some(test.to_owned()), file: Some(file.to_owned()), ..Failure::default() }];
        complete(&mut failures, root.path());
        failures[0].file.clone().unwrap()
    }

    #[test]
    fn a_bare_name_gets_its_folder() {
        let java = "app/src/test/java/shop/CartTest.java";
        assert_eq!(completed(&[java], "shop.CartTest.adds", "CartTest.java"), java);
        assert_eq!(completed(&[], "shop.CartTest.adds", "CartTest.java"), "CartTest.java");
        let copies = ["node_modules/a/x_test.go", ".git/x_test.go", "a/x_test.go"];
        assert_eq!(completed(&copies, "m/b.TestX", "x_test.go"), "a/x_test.go");
    }

    #[test]
    fn of_several_files_the_tests_name_decides() {
        let files = ["cart/a_test.go", "price/a_test.go", "old/price/a_test.go"];
        assert_eq!(completed(&files, "example.com/cart.TestA", "a_test.go"), "cart/a_test.go");
        assert_eq!(completed(&files, "example.com/old/price.TestA", "a_test.go"), "old/price/a_test.go");
        assert_eq!(completed(&files, "example.com/price.TestA", "a_test.go"), "price/a_test.go");
        assert_eq!(completed(&files, "example.com/other.TestA", "a_test.go"), "a_test.go");
    }

    #[test]
    fn a_file_in_the_workspaces_own_folder_is_not_looked_for() {
        assert_eq!(completed(&["a_test.py", "a/a_test.py"], "a_test.py::a", "a_test.py"), "a_test.py");
    }
}
