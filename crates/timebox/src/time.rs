//! Times as the artifacts show them.

use jiff::Timestamp;
use supervise::Stream;

/// The record beginnings of raw.log, made anew only when the millisecond changes: a flood has thousands of lines in
/// each.
#[derive(Debug, Default)]
pub(crate) struct Stamp {
    unix_ms: Option<i64>,
    text: String,
}

impl Stamp {
    /// How a record of `stream` at `unix_ms` begins, and how one that goes on with an interrupted line does.
    pub(crate) fn prefixes(&mut self, stream: Stream, unix_ms: i64) -> (Vec<u8>, Vec<u8>) {
        if self.unix_ms != Some(unix_ms) {
            self.unix_ms = Some(unix_ms);
            self.text = rfc3339(unix_ms);
        }
        let prefix = |plus: &str| format!("[{}] [{}{plus}] ", self.text, stream.name()).into_bytes();
        (prefix(""), prefix("+"))
    }
}

/// Now, in milliseconds.
pub(crate) fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

/// `2026-01-12T12:34:56.789Z`
pub(crate) fn rfc3339(unix_ms: i64) -> String {
    format!("{:.3}", Timestamp::from_millisecond(unix_ms).unwrap_or_default())
}

/// `2026-01-12T12-34-56-789Z`: the same as a file name that every system takes.
pub(crate) fn file_name(unix_ms: i64) -> String {
    rfc3339(unix_ms).replace([':', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds_even_when_they_are_zero() {
        assert_eq!(rfc3339(1_768_221_296_000), "2026-01-12T12:34:56.000Z");
        assert_eq!(file_name(1_768_221_296_789), "2026-01-12T12-34-56-789Z");
    }
}
