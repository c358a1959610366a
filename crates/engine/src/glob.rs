//! Addresses and the patterns that they may fit.

/// Whether an address fits: as a glob when the pattern has a star, as a part of it otherwise.
pub(crate) fn matches(pattern: &str, url: &str) -> bool {
    if !pattern.contains('*') {
        return url.contains(pattern);
    }
    let parts = glob(pattern);
    // Whether the parts so far may end at each place of the address.
    let bytes = url.as_bytes();
    let mut ends = vec![false; bytes.len() + 1];
    ends[0] = true;
    for part in parts {
        let mut next = vec![false; bytes.len() + 1];
        for start in (0..=bytes.len()).filter(|at| ends[*at]) {
            match part {
                Part::Text(text) => {
                    if bytes[start..].starts_with(text.as_bytes()) {
                        next[start + text.len()] = true;
                    }
                }
                Part::Star { slashes } => {
                    let run = bytes[start..].iter().take_while(|byte| slashes || **byte != b'/').count();
                    next[start..=start + run].fill(true);
                }
            }
        }
        ends = next;
    }
    ends[bytes.len()]
}

enum Part<'a> {
    Text(&'a str),
    Star { slashes: bool },
}

fn glob(pattern: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('*') {
        if at > 0 {
            parts.push(Part::Text(&rest[..at]));
        }
        let stars = rest[at..].bytes().take_while(|byte| *byte == b'*').count();
        parts.push(Part::Star { slashes: stars > 1 });
        rest = &rest[at + stars..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_matched_as_a_glob_or_a_part() {
        assert!(matches("/done", "http://host/done?x=1"));
        assert!(!matches("/gone", "http://host/done"));
        assert!(matches("**/done", "http://host/a/b/done"));
        assert!(matches("http://host/*/done", "http://host/a/done"));
        assert!(!matches("http://host/*/done", "http://host/a/b/done"));
        assert!(!matches("**/done", "http://host/done?x=1"));
        assert!(matches("**/done**", "http://host/done?x=1/2"));
    }
}
