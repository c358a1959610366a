//! Making a line of output plain text: no escape sequences, no control characters, no broken encoding.

use std::borrow::Cow;

/// The plain lines in one line of output, as bytes and without its line break.
///
/// A carriage return in the middle is a line break of its own: progress bars overwrite their line again and again, and
/// the last word must not hide an earlier one.
pub fn lines(line: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(line);
    let plain = self::text(&text);
    let mut lines: Vec<String> = plain.split('\r').map(str::to_owned).collect();
    if lines.len() > 1 {
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines
}

/// The text without ANSI escape sequences and without control characters other than tab and carriage return.
pub fn text(text: &str) -> Cow<'_, str> {
    let unwanted = |c: char| c.is_control() && c != '\t' && c != '\r';
    if !text.contains(unwanted) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_control_sequence(&mut chars),
            c if unwanted(c) => {}
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Skips what follows an ESC (ECMA-48, 5.3): a control sequence, a string up to its terminator, or one character.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_control_sequence(chars);
        }
        // OSC, DCS, SOS, PM, APC: titles and hyperlinks. They end with BEL or ESC \.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            chars.next();
            while let Some(c) = chars.next() {
                if c == '\u{7}' || c == '\u{9c}' {
                    break;
                }
                if c == '\u{1b}' {
                    chars.next_if_eq(&'\\');
                    break;
                }
            }
        }
        // Intermediate bytes, then a final one: character sets.
        Some(' '..='/') => {
            while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
            chars.next_if(|c| ('0'..='~').contains(c));
        }
        Some('0'..='~') => {
            chars.next();
        }
        _ => {}
    }
}

/// Skips parameters and the final character of a control sequence (ECMA-48, 5.4).
fn skip_control_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colours_titles_and_links_go_and_text_stays() {
        assert_eq!(text("\u{1b}[1;31mFAIL\u{1b}[0m a"), "FAIL a");
        assert_eq!(text("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b"), "ab");
        assert_eq!(text("\u{1b}(Ba\u{1b}7b\u{9b}2Kc\0d\te"), "abcd\te");
    }

    #[test]
    fn an_unfinished_escape_sequence_is_no_trouble() {
        for text in ["a\u{1b}", "a\u{1b}[", "a\u{1b}[31", "a\u{1b}]0;t"] {
            assert_eq!(super::text(text), "a", "{text:?}");
        }
    }

    #[test]
    fn a_carriage_return_breaks_the_line_and_one_at_its_end_does_not() {
        assert_eq!(lines(b"ok\r"), ["ok"]);
        assert_eq!(lines(b"10%\r20%\rFAILED\r"), ["10%", "20%", "FAILED"]);
        assert_eq!(lines(b"\r"), [""]);
        assert_eq!(lines(b""), [""]);
    }

    #[test]
    fn broken_encoding_becomes_a_replacement_character() {
        assert_eq!(lines(b"a\xffb"), ["a\u{fffd}b"]);
    }

    proptest! {
        #[test]
        fn nothing_but_plain_text_is_left(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            for line in lines(&bytes) {
                prop_assert!(!line.chars().any(|c| c.is_control() && c != '\t'), "{line:?}");
            }
        }

        #[test]
        fn plain_text_is_untouched(text in "[a-z \t\u{e9}]{0,40}") {
            prop_assert_eq!(super::text(&text), text.as_str());
        }
    }
}
