//! The few GVariant signatures of the socket, in little endian (GVariant Specification 1.0, section 2).
//!
//! A tuple's members are aligned to their own need, and the ends of those without a fixed size stand behind it, the last
//! first; an array of such members has all its ends behind it, in order. The width of an end depends on the whole's length.

/// What the browser announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its number in this connection.
    pub id: u64,
    /// What it is.
    pub kind: TargetKind,
    /// Its title; of the automation target, the session's name.
    pub name: String,
    /// Its address.
    pub url: String,
    /// Whether somebody speaks to it.
    pub attached: bool,
}

/// What a target is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetKind {
    /// Input, dialogs, files, windows.
    Automation,
    /// A page.
    Page,
    /// Something else, in the browser's words.
    Other(String),
}

/// Parameters that are not what their message promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("malformed GVariant")]
pub(super) struct Malformed;

/// `(tt)`: a connection and a target.
pub(super) fn pair(connection: u64, target: u64) -> Vec<u8> {
    [connection.to_le_bytes(), target.to_le_bytes()].concat()
}

/// `(tts)`: a message for a target. The only member without a fixed size is the last, whose end needs no mention.
pub(super) fn message(connection: u64, target: u64, text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(17 + text.len());
    bytes.extend_from_slice(&pair(connection, target));
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    bytes
}

/// `(sa{sv})`: a session and its switches.
pub(super) fn session(name: &str, switches: &[(&str, bool)]) -> Vec<u8> {
    let mut entries = Vec::new();
    let mut ends = Vec::new();
    for (key, on) in switches {
        align(&mut entries, 8);
        entries.extend_from_slice(&switch(key, *on));
        ends.push(entries.len());
    }
    close(&mut entries, &ends);
    let mut bytes = text(name);
    let end = bytes.len();
    align(&mut bytes, 8);
    bytes.extend_from_slice(&entries);
    close(&mut bytes, &[end]);
    bytes
}

/// `{sv}` with a `b` in its variant.
fn switch(key: &str, on: bool) -> Vec<u8> {
    let mut bytes = text(key);
    let end = bytes.len();
    align(&mut bytes, 8);
    bytes.extend_from_slice(&[u8::from(on), 0, b'b']);
    close(&mut bytes, &[end]);
    bytes
}

/// `(ay)`: bytes that are a text.
pub(super) fn bytes_of(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes
}

/// Reads `(tts)`: whose message it is, and the message.
pub(super) fn read_message(bytes: &[u8]) -> Result<(u64, &[u8]), Malformed> {
    let target = number(bytes, 8)?;
    let text = bytes.get(16..).and_then(<[u8]>::split_last).map(|(_, text)| text).ok_or(Malformed)?;
    Ok((target, text))
}

/// Reads `(ta(tsssb))`: the connection's number and what is announced.
pub(super) fn read_targets(bytes: &[u8]) -> Result<(u64, Vec<Target>), Malformed> {
    let connection = number(bytes, 0)?;
    let array = bytes.get(8..).ok_or(Malformed)?;
    if array.is_empty() {
        return Ok((connection, Vec::new()));
    }
    let width = end_width(array.len());
    let first_end = end_at(array, array.len().checked_sub(width).ok_or(Malformed)?, width)?;
    let count = array.len().checked_sub(first_end).ok_or(Malformed)? / width;
    let mut targets = Vec::with_capacity(count);
    let mut start = 0;
    for index in 0..count {
        let end = end_at(array, first_end + index * width, width)?;
        start = aligned(start, 8);
        targets.push(read_target(array.get(start..end).ok_or(Malformed)?)?);
        start = end;
    }
    Ok((connection, targets))
}

/// `(tsssb)`
fn read_target(bytes: &[u8]) -> Result<Target, Malformed> {
    let width = end_width(bytes.len());
    let end = |nth: usize| end_at(bytes, bytes.len().checked_sub((nth + 1) * width).ok_or(Malformed)?, width);
    let word = |from: usize, to: usize| {
        let text = bytes.get(from..to.checked_sub(1).ok_or(Malformed)?).ok_or(Malformed)?;
        Ok(String::from_utf8_lossy(text).into_owned())
    };
    let (kind, name, url) = (end(0)?, end(1)?, end(2)?);
    let kind_word: String = word(8, kind)?;
    Ok(Target {
        id: number(bytes, 0)?,
        kind: match kind_word.as_str() {
            "Automation" => TargetKind::Automation,
            "WebPage" => TargetKind::Page,
            _ => TargetKind::Other(kind_word),
        },
        name: word(kind, name)?,
        url: word(name, url)?,
        attached: *bytes.get(url).ok_or(Malformed)? != 0,
    })
}

/// Reads `(ss)`: two texts.
pub(super) fn read_two(bytes: &[u8]) -> Result<(String, String), Malformed> {
    let width = end_width(bytes.len());
    let last = bytes.len().checked_sub(width).ok_or(Malformed)?;
    let end = end_at(bytes, last, width)?;
    let text = |range: std::ops::Range<usize>| {
        let text = bytes.get(range).and_then(<[u8]>::split_last).map(|(_, text)| text).ok_or(Malformed)?;
        Ok(String::from_utf8_lossy(text).into_owned())
    };
    Ok((text(0..end)?, text(end..last)?))
}

/// Reads `(ay)`: bytes that are a text.
pub(super) fn read_bytes(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes)).into_owned()
}

fn text(text: &str) -> Vec<u8> {
    bytes_of(text)
}

fn number(bytes: &[u8], at: usize) -> Result<u64, Malformed> {
    let eight = bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok()).ok_or(Malformed)?;
    Ok(u64::from_le_bytes(eight))
}

fn aligned(length: usize, to: usize) -> usize {
    length.div_ceil(to) * to
}

fn align(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(aligned(bytes.len(), to), 0);
}

/// How wide the ends in a container of this length are.
fn end_width(length: usize) -> usize {
    match length {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

fn end_at(bytes: &[u8], at: usize, width: usize) -> Result<usize, Malformed> {
    let digits = bytes.get(at..at + width).ok_or(Malformed)?;
    Ok(digits.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// Writes the ends behind their container.
fn close(bytes: &mut Vec<u8>, ends: &[usize]) {
    let width = [1, 2, 4].into_iter().find(|width| end_width(bytes.len() + width * ends.len()) <= *width);
    let width = width.unwrap_or(4);
    for end in ends {
        bytes.extend_from_slice(&end.to_le_bytes()[..width]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(tsssb)` as the browser writes it.
    fn target(id: u64, words: [&str; 3], attached: bool) -> Vec<u8> {
        let mut bytes = id.to_le_bytes().to_vec();
        let mut ends = Vec::new();
        for word in words {
            bytes.extend_from_slice(&text(word));
            ends.insert(0, bytes.len());
        }
        bytes.push(u8::from(attached));
        close(&mut bytes, &ends);
        bytes
    }

    fn list(targets: &[Vec<u8>]) -> Vec<u8> {
        let (mut array, mut ends) = (Vec::new(), Vec::new());
        for target in targets {
            align(&mut array, 8);
            array.extend_from_slice(target);
            ends.push(array.len());
        }
        close(&mut array, &ends);
        [7u64.to_le_bytes().to_vec(), array].concat()
    }

    #[test]
    fn what_is_announced_is_read_whatever_its_length() {
        assert_eq!(read_targets(&7u64.to_le_bytes()), Ok((7, Vec::new())));
        for length in [0, 1, 200, 300, 70_000] {
            let title = "é".repeat(length);
            let bytes = list(&[
                target(1, ["WebPage", &title, "http://x/"], false),
                target(2, ["Automation", "session", "null"], true),
                target(3, ["ServiceWorker", "", ""], false),
            ]);
            let (connection, targets) = read_targets(&bytes).unwrap();
            assert_eq!((connection, targets.len()), (7, 3));
            assert_eq!((targets[0].id, &targets[0].kind, &targets[0].name), (1, &TargetKind::Page, &title));
            assert_eq!((&targets[1].kind, targets[1].attached), (&TargetKind::Automation, true));
            assert_eq!(targets[2].kind, TargetKind::Other("ServiceWorker".to_owned()));
        }
    }

    #[test]
    fn a_session_is_written_as_the_browser_reads_it() {
        let mut expected = b"id\0\0\0\0\0\0".to_vec();
        expected.extend_from_slice(b"certs\0\0\0\x01\0b\x06\x0c\x03");
        assert_eq!(session("id", &[("certs", true)]), expected);
        assert_eq!(session("id", &[]), b"id\0\0\0\0\0\0\x03");
    }

    #[test]
    fn a_message_keeps_its_text_and_two_texts_are_told_apart() {
        let bytes = message(1, 2, "{\"é\":1}");
        assert_eq!(read_message(&bytes), Ok((2, "{\"é\":1}".as_bytes())));
        assert_eq!(
            read_two(b"MiniBrowser\x002.50.6\x00\x0c"),
            Ok(("MiniBrowser".to_owned(), "2.50.6".to_owned()))
        );
    }

    #[test]
    fn what_is_cut_short_is_refused_and_not_read_beyond_its_end() {
        let bytes = list(&[target(1, ["WebPage", "t", "u"], false)]);
        for length in 0..bytes.len() {
            // Some of them are valid by chance; none may panic.
            let _ = read_targets(&bytes[..length]);
            let _ = read_two(&bytes[..length]);
            let _ = read_message(&bytes[..length]);
        }
        assert_eq!(read_targets(&bytes[..4]), Err(Malformed));
    }
}
