//! Names in several spellings, and the nearest known one to what was typed. Tools, arguments, flags, variables and
//! config keys all ask here, so that a typing mistake is answered the same way everywhere.

/// What two spellings of one name have in common: `timeout_ms`, `timeoutMs` and `timeout-ms` fold to the same.
pub(crate) fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// `run_test` or `kill-grace` as `runTest` or `killGrace`.
pub(crate) fn camel(name: &str) -> String {
    let mut parts = name.split(['_', '-']);
    let mut spelled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        spelled.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        spelled.push_str(chars.as_str());
    }
    spelled
}

/// No name of ours is longer; what is, resembles none of them and is not worth comparing.
const LONGEST_COMPARED: usize = 80;

/// The known names that `typed` resembles, best first: a likely slip of the keyboard or a part of the name.
pub(crate) fn resembling<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if typed.is_empty() || typed.len() > LONGEST_COMPARED {
        return Vec::new();
    }
    let folded = fold(typed);
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (likeness(&folded, &fold(name)), name))
        .filter(|(score, _)| *score >= 0.6)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.dedup_by_key(|(_, name)| *name);
    scored.into_iter().map(|(_, name)| name).collect()
}

/// The known name that `typed` resembles most, if any does.
pub(crate) fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    resembling(typed, known).first().copied()
}

/// From 0 (nothing alike) to 1 (equal once folded).
fn likeness(typed: &str, known: &str) -> f64 {
    let edits = strsim::normalized_damerau_levenshtein(typed, known);
    // `test` for `run_test`, `logs` for `read_server_logs`: the right word, not the whole name.
    let part = if typed.len() >= 3 && (known.contains(typed) || typed.contains(known)) { 0.65 } else { 0.0 };
    edits.max(part)
}

/// `` `a`, `b` and `c` ``: names as a sentence shows them.
pub(crate) fn quoted<'a>(names: impl IntoIterator<Item = &'a str>, last_joint: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "none".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} {last_joint} {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_spellings_of_one_name_fold_to_the_same() {
        assert_eq!(fold("no_output_timeout_ms"), fold("noOutputTimeoutMs"));
        assert_eq!(fold("kill-grace"), fold("KILL_GRACE"));
        assert_eq!(camel("no_output_timeout_ms"), "noOutputTimeoutMs");
        assert_eq!(camel("kill-grace"), "killGrace");
        assert_eq!(camel("port"), "port");
    }

    #[test]
    fn a_slip_of_the_keyboard_finds_its_name_and_noise_finds_none() {
        let known = ["selector", "session_id", "timeout_ms", "run_test"];
        assert_eq!(nearest("selctor", known), Some("selector"));
        assert_eq!(nearest("sesionId", known), Some("session_id"));
        assert_eq!(nearest("timeout", known), Some("timeout_ms"));
        assert_eq!(nearest("test", known), Some("run_test"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(nearest("", known), None);
    }

    #[test]
    fn names_read_as_a_sentence() {
        assert_eq!(quoted(["a", "b", "c"], "and"), "`a`, `b` and `c`");
        assert_eq!(quoted(["a"], "or"), "`a`");
        assert_eq!(quoted([], "or"), "none");
    }

    proptest! {
        #[test]
        fn any_text_may_be_typed(typed in "\\PC{0,120}") {
            let _ = nearest(&typed, ["selector", "session_id"]);
            let _ = (fold(&typed), camel(&typed));
        }
    }
}
