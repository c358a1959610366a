//! Turning a target into one argument.

use std::ffi::OsString;

use base::WorkspacePath;

/// The file, relative to the workspace, with `/` on every system.
pub(super) fn slashed(file: &WorkspacePath) -> String {
    let parts: Vec<_> = file.relative().components().map(|part| part.as_os_str().to_string_lossy()).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// The file as an argument of its own. One that begins like an option (`-x`), or like a file of options (`@x`, which
/// pytest would read), gets a `./`, which changes nothing about the place it names.
pub(super) fn file_argument(file: &WorkspacePath) -> OsString {
    let plain = slashed(file);
    if plain.starts_with(['-', '@', '+', '~']) { format!("./{plain}").into() } else { plain.into() }
}

/// The file, always with `./`, for runners that would take a bare name for something else.
pub(super) fn dotted(file: &WorkspacePath) -> OsString {
    format!("./{}", slashed(file)).into()
}

/// `--option=value` as one argument, in which the value can't become an option whatever it is.
pub(super) fn option(name: &str, value: &str) -> OsString {
    format!("{name}={value}").into()
}

/// A command line's fixed words, then whatever else.
pub(super) fn words(fixed: &[&str], rest: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    fixed.iter().map(OsString::from).chain(rest).collect()
}
