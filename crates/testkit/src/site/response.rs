//! What a route answers, good or bad.

use std::time::Duration;

/// An answer, or what happens in its place.
#[derive(Debug, Clone)]
pub struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    /// How long the status and the headers are held back, and then how long the body is.
    pub(super) head_after: Duration,
    pub(super) body_after: Duration,
    pub(super) instead: Option<Instead>,
    /// The connection is closed before the body is complete, with so many bytes of it still owed.
    pub(super) owed: Option<usize>,
}

/// The bytes after the headers.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Whole(Vec<u8>),
    /// The same chunk again and again, as often as told or for ever.
    Drip {
        chunk: Vec<u8>,
        every: Duration,
        count: Option<u64>,
    },
}

/// What happens in place of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Instead {
    Silence,
    HangUp,
    Reset,
    WebSocket,
}

impl Response {
    /// Status 200 with bytes of a media type.
    pub fn bytes(media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::status(200).header("Content-Type", media_type).body(body)
    }

    /// An HTML page.
    pub fn html(html: &str) -> Self {
        Self::bytes("text/html; charset=utf-8", html)
    }

    /// Plain text.
    pub fn text(text: &str) -> Self {
        Self::bytes("text/plain; charset=utf-8", text)
    }

    /// JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::bytes("application/json", value.to_string())
    }

    /// A status without a body.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Body::Whole(Vec::new()),
            head_after: Duration::ZERO,
            body_after: Duration::ZERO,
            instead: None,
            owed: None,
        }
    }

    /// A redirect with status 302.
    pub fn redirect(to: &str) -> Self {
        Self::status(302).header("Location", to)
    }

    /// A body that drips: the chunk at once and then in every interval, `count` times or for ever.
    pub fn drip(media_type: &str, chunk: impl Into<Vec<u8>>, every: Duration, count: Option<u64>) -> Self {
        let body = Body::Drip { chunk: chunk.into(), every, count };
        Self { body, ..Self::status(200).header("Content-Type", media_type) }
    }

    /// Never an answer; the connection stays open for as long as the client likes.
    pub fn never() -> Self {
        Self::in_place(Instead::Silence)
    }

    /// The connection is closed in place of an answer, in good order (an empty reply, to a browser).
    pub fn hang_up() -> Self {
        Self::in_place(Instead::HangUp)
    }

    /// The connection is reset in place of an answer.
    pub fn reset() -> Self {
        Self::in_place(Instead::Reset)
    }

    /// A WebSocket that echoes; the text `close` makes the server close it.
    pub fn websocket() -> Self {
        Self::in_place(Instead::WebSocket)
    }

    /// Adds a header, which stays one line whatever is in it; what is there of the same name stays too.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.replace(['\r', '\n'], " ")));
        self
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// The same with another body.
    #[must_use]
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: Body::Whole(body.into()), ..self }
    }

    /// The same, after a while.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self { head_after: delay, ..self }
    }

    /// The same with the headers as they come and the body after a while.
    #[must_use]
    pub fn body_after(self, delay: Duration) -> Self {
        Self { body_after: delay, ..self }
    }

    /// The same, broken off: `bytes` more were promised than come before the connection is closed. A body that drips
    /// just never ends in good order.
    #[must_use]
    pub fn breaking_off(self, bytes: usize) -> Self {
        Self { owed: Some(bytes), ..self }
    }

    fn in_place(instead: Instead) -> Self {
        Self { instead: Some(instead), ..Self::status(200) }
    }

    /// The status line, the headers and the empty line.
    pub(super) fn head(&self, keep_alive: bool) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        match &self.body {
            // RFC 9110, section 8.6: no length with these, for they never have a body.
            Body::Whole(_) if !self.has_body() => {}
            Body::Whole(bytes) => {
                let length = bytes.len() + self.owed.unwrap_or_default();
                head += &format!("Content-Length: {length}\r\n");
            }
            Body::Drip { .. } => head += "Transfer-Encoding: chunked\r\n",
        }
        if !keep_alive {
            head += "Connection: close\r\n";
        }
        head + "\r\n"
    }

    /// Whether answers of this status have a body at all.
    pub(super) fn has_body(&self) -> bool {
        !matches!(self.status, 100..=199 | 204 | 304)
    }
}

/// The word beside the number, which browsers show and nobody else reads.
fn reason(status: u16) -> &'static str {
    match status {
        101 => "Switching Protocols",
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        418 => "I'm a teapot",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_how_its_body_ends() {
        assert_eq!(
            Response::text("hi").head(true),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 2\r\n\r\n"
        );
        assert_eq!(Response::status(204).head(true), "HTTP/1.1 204 No Content\r\n\r\n");
        let drip = Response::drip("text/plain", "x", Duration::ZERO, None).head(false);
        assert!(drip.ends_with("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"), "{drip}");
    }
}
