//! Places in source files, as runners write them: `path:line`, `path:line:column`, `(path:line:column)`.

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
}

/// Reads `path:line` or `path:line:column`, and nothing else, off the whole text.
pub(super) fn place(text: &str) -> Option<Place> {
    let text = text.trim().trim_end_matches(':');
    let (rest, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (file, line) = match rest.rsplit_once(':') {
        Some((file, line)) => match line.parse() {
            Ok(line) => (file, line),
            // A Windows drive, or a colon in a name.
            Err(_) => (rest, last),
        },
        None => (rest, last),
    };
    (!file.is_empty()).then(|| Place { file: plain(file).to_owned(), line })
}

/// Reads the place of a JavaScript stack frame: `at f (path:1:2)`, `at path:1:2`, `❯ f path:1:2`.
pub(super) fn frame(line: &str) -> Option<Place> {
    let line = line.trim();
    let rest = line.strip_prefix("at ").or_else(|| line.strip_prefix('❯'))?.trim();
    let inner = match rest.rsplit_once('(') {
        Some((_, inner)) => inner.trim_end_matches([')', ' ', '{']),
        None => rest.trim_end_matches([' ', '{']).trim_start_matches("async "),
    };
    // Without parentheses the function's name stands before the path; a path that begins at the root has its own spaces.
    let path = if inner.starts_with(['/', '(']) {
        inner
    } else {
        inner.rsplit_once(' ').map_or(inner, |(_, path)| path)
    };
    place(path)
}

/// Whether a stack frame's file is somebody else's code.
pub(super) fn is_foreign(file: &str) -> bool {
    file.starts_with("node:") || file.contains("node_modules/") || file.starts_with('<')
}

/// The path without the scheme that Node writes before it.
fn plain(file: &str) -> &str {
    file.strip_prefix("file://").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: &str, line: u32) -> Option<Place> {
        Some(Place { file: file.to_owned(), line })
    }

    #[test]
    fn places_are_read_with_and_without_a_column() {
        assert_eq!(place("src/lib.rs:7:25:"), at("src/lib.rs", 7));
        assert_eq!(place("tests/test_cart.py:14"), at("tests/test_cart.py", 14));
        assert_eq!(place(r"C:\repo\a.ts:3:1"), at(r"C:\repo\a.ts", 3));
        assert_eq!(place("no place"), None);
        assert_eq!(place(":3"), None);
    }

    #[test]
    fn frames_are_read_in_every_engines_spelling() {
        assert_eq!(frame("  at load (src/a.js:1:25)"), at("src/a.js", 1));
        assert_eq!(frame("at async Object.<anonymous> (file:///repo/a.mjs:5:10) {"), at("/repo/a.mjs", 5));
        assert_eq!(frame("    at /repo/pw/cart.spec.ts:6:32"), at("/repo/pw/cart.spec.ts", 6));
        assert_eq!(frame(" ❯ load vitest/sum.test.ts:2:32"), at("vitest/sum.test.ts", 2));
        assert_eq!(frame(" ❯ vitest/sum.test.ts:12:28"), at("vitest/sum.test.ts", 12));
        assert_eq!(frame("at Array.map (<anonymous>)"), None);
    }
}
