//! `cargo xtask requirements`: every acceptance criterion has its row in docs/requirements.md, and every test that a
//! row names exists.
//!
//! Rows are `| criterion | what | tests |`. A test is `` `crate::module::tests::name` `` (the crate by its folder) or
//! `` `crates/server/tests/file.rs::name` ``; several are separated by commas. `open` instead of tests means: not
//! yet; `--strict` refuses it.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::repo;

/// Criteria with consecutive numbers: `prefix` + `first` … `prefix` + `last`.
struct Range {
    prefix: &'static str,
    first: u32,
    last: u32,
}

const fn range(prefix: &'static str, first: u32, last: u32) -> Range {
    Range { prefix, first, last }
}

/// Every criterion that must have a row, by seed and requirement; BP are seed B's correctness properties.
const EXPECTED: &[Range] = &[
    range("A1.", 1, 5),
    range("A2.", 1, 11),
    range("A3.", 1, 7),
    range("A4.", 1, 9),
    range("A5.", 1, 6),
    range("A6.", 1, 7),
    range("AT2.", 1, 6),
    range("B1.", 1, 4),
    range("B2.", 1, 6),
    range("B3.", 1, 5),
    range("B4.", 1, 7),
    range("B5.", 1, 5),
    range("B6.", 1, 5),
    range("B7.", 1, 6),
    range("BP", 1, 13),
    range("C1.", 1, 5),
    range("C2.", 1, 5),
    range("C3.", 1, 5),
    range("C4.", 1, 5),
    range("C5.", 1, 5),
    range("C6.", 1, 8),
    range("C7.", 1, 5),
    range("C8.", 1, 5),
    range("C9.", 1, 5),
];

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let strict = match arguments {
        [] => false,
        [only] if only == "--strict" => true,
        _ => bail!("requirements takes only --strict"),
    };
    println!("{}", check(strict)?);
    Ok(())
}

/// Checks the table and says in a word what it holds.
pub(crate) fn check(strict: bool) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(repo::root().join("docs/requirements.md"))?;
    let rows = parse(&text)?;
    let faults = faults(&rows, &existing_tests()?, strict);
    ensure!(faults.is_empty(), "{} faults in docs/requirements.md:\n{}", faults.len(), faults.join("\n"));
    let open = rows.iter().filter(|row| row.tests.is_empty()).count();
    let named: usize = rows.iter().map(|row| row.tests.len()).sum();
    Ok(format!("{} criteria, {named} tests named, {open} open", rows.len()))
}

/// One row of the table; no tests means open.
#[derive(Debug, PartialEq)]
struct Row {
    criterion: String,
    tests: Vec<String>,
}

/// Reads the rows of every table of the document.
fn parse(text: &str) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [criterion, _what, tests] = cells[..] else {
            bail!("this row has {} cells instead of three: {line}", cells.len())
        };
        if criterion == "criterion" || criterion.starts_with('-') {
            continue;
        }
        let tests = tests.split([',', ' ']).map(|test| test.trim_matches('`'));
        let tests = tests.filter(|test| !test.is_empty() && *test != "open").map(str::to_owned).collect();
        rows.push(Row { criterion: criterion.to_owned(), tests });
    }
    Ok(rows)
}

/// Everything that is wrong with the rows, one line each.
fn faults(rows: &[Row], existing: &HashSet<String>, strict: bool) -> Vec<String> {
    let expected: BTreeSet<String> = EXPECTED
        .iter()
        .flat_map(|range| (range.first..=range.last).map(|number| format!("{}{number}", range.prefix)))
        .collect();
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for Row { criterion, tests } in rows {
        if !expected.contains(criterion) {
            faults.push(format!(
                "{criterion} is no known criterion; new ones go into xtask's requirements.rs too"
            ));
        }
        if !seen.insert(criterion.clone()) {
            faults.push(format!("{criterion} has two rows"));
        }
        if strict && tests.is_empty() {
            faults.push(format!("{criterion} names no test"));
        }
        for test in tests.iter().filter(|test| !existing.contains(*test)) {
            faults.push(format!("{criterion} names a test that does not exist: {test}"));
        }
    }
    faults.extend(expected.difference(&seen).map(|criterion| format!("{criterion} has no row")));
    faults
}

/// Every test of the workspace in the spellings that rows may use.
fn existing_tests() -> anyhow::Result<HashSet<String>> {
    let mut list = repo::cargo();
    list.args(["nextest", "list", "--workspace", "--message-format", "json"]);
    let output = list.output().context("can't run cargo nextest")?;
    ensure!(output.status.success(), "cargo nextest list: {}", String::from_utf8_lossy(&output.stderr));
    let listed: Value = serde_json::from_slice(&output.stdout)?;
    let suites = listed["rust-suites"].as_object().context("nextest lists no suites")?;
    let root = repo::root();
    Ok(suites.values().flat_map(|suite| spellings(suite, &root)).collect())
}

/// How the tests of one test binary may be spelled.
fn spellings(suite: &Value, root: &Path) -> Vec<String> {
    let text = |key: &str| suite[key].as_str().unwrap_or_default();
    let folder = Path::new(text("cwd"));
    let binary = text("binary-name");
    let names = suite["testcases"].as_object().into_iter().flat_map(serde_json::Map::keys);
    if text("kind") != "test" {
        let krate = folder.file_name().unwrap_or_default().to_string_lossy();
        return names.map(|name| format!("{krate}::{name}")).collect();
    }
    let tests = folder.strip_prefix(root).unwrap_or(folder).join("tests").display().to_string();
    if !root.join(&tests).join(binary).join("main.rs").exists() {
        return names.map(|name| format!("{tests}/{binary}.rs::{name}")).collect();
    }
    // A folder of test files is one binary: its tests' names begin with the module, which is the file.
    names
        .map(|name| match name.rsplit_once("::") {
            Some((file, name)) => format!("{tests}/{binary}/{}.rs::{name}", file.replace("::", "/")),
            None => format!("{tests}/{binary}/main.rs::{name}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(criterion: &str, tests: &[&str]) -> Row {
        Row { criterion: criterion.to_owned(), tests: tests.iter().map(|test| (*test).to_owned()).collect() }
    }

    /// A table that is complete, all of it covered by one test.
    fn complete() -> (Vec<Row>, HashSet<String>) {
        let numbers = EXPECTED.iter().flat_map(|range| (range.first..=range.last).map(|n| (range.prefix, n)));
        let rows = numbers.map(|(prefix, n)| row(&format!("{prefix}{n}"), &["base::a"])).collect();
        (rows, HashSet::from(["base::a".to_owned()]))
    }

    #[test]
    fn rows_are_read_with_their_tests_and_open_means_none() {
        let text = "# Title\n\n| criterion | what | tests |\n|---|---|---|\n\
                    | B1.1 | speaks | `base::a::b`, `crates/server/tests/x.rs::y` |\n| B1.2 | one tool | open |\n";
        let rows = parse(text).unwrap();
        assert_eq!(rows, [row("B1.1", &["base::a::b", "crates/server/tests/x.rs::y"]), row("B1.2", &[])]);
        assert!(parse("| B1.1 | only two |").is_err());
    }

    #[test]
    fn a_complete_table_has_no_faults() {
        let (rows, existing) = complete();
        assert_eq!(faults(&rows, &existing, true), Vec::<String>::new());
    }

    #[test]
    fn missing_unknown_and_double_rows_and_unknown_tests_are_faults() {
        let (mut rows, existing) = complete();
        rows.remove(0);
        rows.push(row("B9.9", &["base::a"]));
        rows.push(row("BP1", &["base::gone"]));
        let found = faults(&rows, &existing, false).join("\n");
        for fault in ["A1.1 has no row", "B9.9 is no known", "BP1 has two rows", "does not exist: base::gone"]
        {
            assert!(found.contains(fault), "{fault} is not in\n{found}");
        }
    }

    #[test]
    fn an_open_row_is_a_fault_only_when_strict() {
        let (mut rows, existing) = complete();
        rows[0].tests.clear();
        assert!(faults(&rows, &existing, false).is_empty());
        assert_eq!(faults(&rows, &existing, true), ["A1.1 names no test"]);
    }

    #[test]
    fn tests_are_spelled_by_crate_or_by_file() {
        let suite = |kind: &str, name: &str| {
            serde_json::json!({ "kind": kind, "binary-name": name, "cwd": "/repo/crates/server",
                                "testcases": { "tools::tests::a": {} } })
        };
        assert_eq!(spellings(&suite("bin", "e2e"), Path::new("/repo")), ["server::tools::tests::a"]);
        assert_eq!(
            spellings(&suite("test", "stdio"), Path::new("/repo")),
            ["crates/server/tests/stdio.rs::tools::tests::a"]
        );
    }
}
