//! JSON as it came over the wire, not read until somebody wants to.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::de::{DeserializeOwned, Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// One JSON value as it came: a slice of its message, so holding it holds the message's memory. Read it and let go.
#[derive(Clone, PartialEq, Eq)]
pub struct Json(Bytes);

impl Json {
    pub(crate) fn new(text: Bytes) -> Self {
        Self(text)
    }

    /// The empty object, which an absent value stands for.
    pub(crate) fn empty() -> Self {
        Self(Bytes::from_static(b"{}"))
    }

    /// Reads the value as a `T`.
    ///
    /// JavaScript's strings may hold half a surrogate pair, and browsers send them as such; Rust's may not. Halves
    /// become U+FFFD rather than an error.
    ///
    /// # Errors
    /// It is not a `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice(&self.0).or_else(|error| {
            without_lone_surrogates(&self.0).map_or(Err(error), |text| serde_json::from_slice(&text))
        })
    }

    /// Its text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The length of its text in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Never: even `""` has two bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Shows the beginning: a screenshot is no help in a log.
impl std::fmt::Debug for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 200;
        let start = String::from_utf8_lossy(&self.0[..self.0.len().min(SHOWN)]);
        f.write_str(&start)?;
        if self.0.len() > SHOWN { write!(f, "… ({} bytes)", self.0.len()) } else { Ok(()) }
    }
}

/// The same JSON with `\ufffd` for each escaped half of a surrogate pair that stands alone; `None` if there is none.
fn without_lone_surrogates(json: &[u8]) -> Option<Vec<u8>> {
    let half = |at: usize| -> Option<u16> {
        let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut out, mut copied, mut at) = (Vec::new(), 0, 0);
    while let Some(found) = memchr::memchr(b'\\', &json[at..]) {
        at += found;
        match half(at) {
            Some(0xD800..=0xDBFF) if matches!(half(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                out.extend_from_slice(&json[copied..at]);
                out.extend_from_slice(b"\\ufffd");
                at += 6;
                copied = at;
            }
            _ => at = (at + 2).min(json.len()),
        }
    }
    (copied > 0).then(|| {
        out.extend_from_slice(&json[copied..]);
        out
    })
}

/// A JSON value as its text, for whoever hands it on unread. Halves of surrogate pairs are replaced as in
/// [`Json::read`], so that it can be read later.
#[derive(Debug, Clone)]
pub struct Raw(pub Box<RawValue>);

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match without_lone_surrogates(raw.get().as_bytes()) {
            None => Ok(Self(raw)),
            Some(text) => {
                let text = String::from_utf8(text).map_err(D::Error::custom)?;
                RawValue::from_string(text).map(Self).map_err(D::Error::custom)
            }
        }
    }
}

/// Bytes that travel as base64 text: images, bodies, PDF files.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Blob(pub Vec<u8>);

impl std::fmt::Debug for Blob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Blob({} bytes)", self.0.len())
    }
}

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Decoding;
        impl Visitor<'_> for Decoding {
            type Value = Blob;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("base64 text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Blob, E> {
                STANDARD.decode(text).map(Blob).map_err(E::custom)
            }
        }
        // The text is decoded where it stands: no copy of a screenshot's base64 is made.
        deserializer.deserialize_str(Decoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: DeserializeOwned>(text: &'static str) -> Result<T, serde_json::Error> {
        Json::new(Bytes::from_static(text.as_bytes())).read()
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced_and_whole_pairs_are_kept() {
        assert_eq!(
            read::<String>(r#""a\ud800b\\ud800\ud83d\ude00\udc00""#).unwrap(),
            "a\u{fffd}b\\ud800😀\u{fffd}"
        );
        assert_eq!(read::<String>(r#""\ud83d\ud83d\ude00""#).unwrap(), "\u{fffd}😀");
    }

    #[test]
    fn what_is_handed_on_unread_can_be_read_later() {
        let raw = read::<Raw>(r#"{"a":"x\ud800","b":[1.50]}"#).unwrap();
        assert_eq!(raw.0.get(), r#"{"a":"x\ufffd","b":[1.50]}"#);
        assert_eq!(read::<Raw>(r#"{"a":"\ud83d\ude00"}"#).unwrap().0.get(), r#"{"a":"\ud83d\ude00"}"#);
    }

    #[test]
    fn what_is_wrong_otherwise_stays_an_error() {
        assert!(read::<String>("7").is_err());
        assert!(read::<String>(r#""\u12"#).is_err());
        assert!(read::<String>("\"\\").is_err());
    }

    #[test]
    fn bytes_survive_their_journey_as_text() {
        let blob = Blob((0..=255).collect());
        let text = serde_json::to_vec(&blob).unwrap();
        assert_eq!(Json::new(text.into()).read::<Blob>().unwrap(), blob);
        assert!(read::<Blob>(r#""not base64!""#).is_err());
    }

    #[test]
    fn a_log_line_shows_only_the_beginning() {
        let shown = format!("{:?}", Json::new(vec![b'1'; 5000].into()));
        assert!(shown.len() < 300 && shown.ends_with("… (5000 bytes)"), "{shown}");
    }
}
