//! The trace that a call is a part of, so that its lines are found beside those of the services around it.

use axum::http::HeaderMap;
use tracing::field::{Field, Visit};
use tracing::span::Attributes;

/// A place in a trace (W3C Trace Context, section 3.2).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// 32 hexadecimal digits.
    pub(super) id: String,
    /// 16 of them.
    pub(super) span: Option<String>,
    pub(super) sampled: bool,
}

/// The names of a span's fields.
const ID: &str = "trace_id";
const SPAN: &str = "span_id";
const SAMPLED: &str = "trace_sampled";

impl Trace {
    /// As a proxy told it, in the W3C's header or in Google's older one.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        text("traceparent")
            .and_then(Self::w3c)
            .or_else(|| text("x-cloud-trace-context").and_then(Self::google))
    }

    /// `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`; later versions may append.
    fn w3c(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let (version, id, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let right =
            digits(version, 2) && version != "ff" && digits(id, 32) && digits(span, 16) && digits(flags, 2);
        if !right || is_zero(id) || is_zero(span) {
            return None;
        }
        let sampled = u8::from_str_radix(flags, 16).is_ok_and(|flags| flags & 1 == 1);
        Some(Self { id: id.to_owned(), span: Some(span.to_owned()), sampled })
    }

    /// `105445aa7843bc8bf206b12000100000/1;o=1`, the span in decimal digits.
    fn google(text: &str) -> Option<Self> {
        let (place, options) = text.trim().split_once(';').unwrap_or((text.trim(), ""));
        let (id, span) = place.split_once('/').unwrap_or((place, ""));
        if !digits(id, 32) || is_zero(id) {
            return None;
        }
        let span = span.parse().ok().filter(|span: &u64| *span != 0).map(|span| format!("{span:016x}"));
        Some(Self { id: id.to_ascii_lowercase(), span, sampled: options == "o=1" })
    }

    /// What a call is done in, so that each of its lines has the trace. At the level of errors, so that it is there
    /// whatever is logged.
    pub(crate) fn span(&self) -> tracing::Span {
        tracing::error_span!(
            "call",
            trace_id = self.id,
            span_id = self.span.as_deref(),
            trace_sampled = self.sampled
        )
    }

    /// Off a span of ours.
    pub(super) fn read(attributes: &Attributes<'_>) -> Option<Self> {
        let mut trace = Self::default();
        attributes.record(&mut Reading(&mut trace));
        (!trace.id.is_empty()).then_some(trace)
    }
}

struct Reading<'a>(&'a mut Trace);

impl Visit for Reading<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            ID => self.0.id = value.to_owned(),
            SPAN => self.0.span = Some(value.to_owned()),
            _ => {}
        }
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        if field.name() == SAMPLED {
            self.0.sampled = value;
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

fn digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|digit| digit == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &'static str, value: &str) -> Option<Trace> {
        Trace::of(&HeaderMap::from_iter([(
            axum::http::HeaderName::from_static(name),
            value.parse().unwrap(),
        )]))
    }

    const ID: &str = "0af7651916cd43dd8448eb211c80319c";

    #[test]
    fn both_headers_are_read() {
        let trace = told("traceparent", &format!("00-{ID}-b7ad6b7169203331-01")).unwrap();
        assert_eq!(
            (trace.id.as_str(), trace.span.as_deref(), trace.sampled),
            (ID, Some("b7ad6b7169203331"), true)
        );
        let trace = told("x-cloud-trace-context", &format!("{ID}/255;o=1")).unwrap();
        assert_eq!(
            (trace.id.as_str(), trace.span.as_deref(), trace.sampled),
            (ID, Some("00000000000000ff"), true)
        );
        let trace = told("x-cloud-trace-context", ID).unwrap();
        assert_eq!((trace.span, trace.sampled), (None, false));
    }

    #[test]
    fn what_is_no_trace_is_none() {
        let zeros = "0".repeat(32);
        for bad in [
            "".to_owned(),
            "00".to_owned(),
            format!("ff-{ID}-b7ad6b7169203331-01"),
            format!("00-{zeros}-b7ad6b7169203331-01"),
            format!("00-{ID}-0000000000000000-01"),
            format!("00-{ID}x-b7ad6b7169203331-01"),
        ] {
            assert_eq!(told("traceparent", &bad), None, "{bad}");
        }
        assert_eq!(told("x-cloud-trace-context", "\"}/1"), None);
    }
}
