//! A request as it came.

use std::io::{Error, ErrorKind};

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};
use url::form_urlencoded;

/// More than any browser sends, and less than would hurt.
const MOST_HEAD: u64 = 256 * 1024;
const MOST_BODY: u64 = 256 * 1024 * 1024;

/// What a client asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The path, still percent-encoded, without the query.
    pub path: String,
    /// What follows the question mark; empty when nothing does.
    pub query: String,
    /// The headers in order, with their names as they were spelled.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Whether the client wants the connection kept.
    pub(super) keep_alive: bool,
}

impl Request {
    /// The first header of this name, however it is spelled.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut named = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.as_str())
    }

    /// The first value of a name in the query, decoded.
    pub fn param(&self, name: &str) -> Option<String> {
        self.params(name).into_iter().next()
    }

    /// Every value of a name in the query, decoded.
    pub fn params(&self, name: &str) -> Vec<String> {
        let pairs = form_urlencoded::parse(self.query.as_bytes());
        pairs.filter(|(known, _)| known == name).map(|(_, value)| value.into_owned()).collect()
    }

    /// A value of the query as a number, or what it is when absent or none.
    pub(super) fn number(&self, name: &str, otherwise: u64) -> u64 {
        self.param(name).and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Method, path and query, as in the request's first line.
    pub fn line(&self) -> String {
        let mark = if self.query.is_empty() { "" } else { "?" };
        format!("{} {}{mark}{}", self.method, self.path, self.query)
    }

    /// Reads the next request of a connection; `None` when the client is done with it.
    pub(super) async fn read(from: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Self>> {
        let Some(mut request) = read_head(&mut from.take(MOST_HEAD)).await? else { return Ok(None) };
        request.read_body(from).await?;
        Ok(Some(request))
    }

    async fn read_body(&mut self, from: &mut (impl AsyncRead + Unpin)) -> std::io::Result<()> {
        // Browsers send a length with every body over HTTP/1.1; chunks would be read as the next request.
        if self.header("transfer-encoding").is_some() {
            return Err(bad("a body in chunks is not understood here"));
        }
        let Some(length) = self.header("content-length") else { return Ok(()) };
        let length: u64 = length.parse().map_err(|_| bad("the length is no number"))?;
        if length > MOST_BODY {
            return Err(bad("the body is too long"));
        }
        from.take(length).read_to_end(&mut self.body).await?;
        if self.body.len() as u64 == length { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }
}

/// The first line and the headers.
async fn read_head(from: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Request>> {
    let mut first = read_line(from).await?;
    // RFC 9112, section 2.2: an empty line before the request line is to be ignored.
    if first.as_deref() == Some("") {
        first = read_line(from).await?;
    }
    let Some(first) = first else { return Ok(None) };
    let mut request = request_line(&first).ok_or_else(|| bad("this is no request line"))?;
    loop {
        match read_line(from).await? {
            None => return Err(ErrorKind::UnexpectedEof.into()),
            Some(line) if line.is_empty() => break,
            Some(line) => request.headers.push(header(&line).ok_or_else(|| bad("this is no header"))?),
        }
    }
    if let Some(wish) = request.header("connection").map(str::to_ascii_lowercase) {
        request.keep_alive =
            if wish.contains("close") { false } else { request.keep_alive || wish == "keep-alive" };
    }
    Ok(Some(request))
}

/// A line without its end; `None` when the client has closed.
async fn read_line(from: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line).await?;
    match line.pop() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())),
        Some(_) => Err(ErrorKind::UnexpectedEof.into()),
    }
}

fn request_line(line: &str) -> Option<Request> {
    let [method, target, version]: [&str; 3] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (method, path, query) = (method.to_owned(), path.to_owned(), query.to_owned());
    let keep_alive = version != "HTTP/1.0";
    path.starts_with('/').then(|| Request {
        method,
        path,
        query,
        headers: Vec::new(),
        body: Vec::new(),
        keep_alive,
    })
}

fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    Some((name.to_owned(), value.trim().to_owned()))
}

fn bad(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: &[u8]) -> std::io::Result<Option<Request>> {
        Request::read(&mut &bytes[..]).await
    }

    #[tokio::test]
    async fn a_request_is_read_with_its_query_headers_and_body() {
        let bytes =
            b"POST /a%20b?x=1%2C2&x=3 HTTP/1.1\r\nHost: h\r\ncontent-LENGTH: 3\r\n\r\nabcGET / HTTP/1.1";
        let request = read(bytes).await.unwrap().unwrap();
        assert_eq!(request.line(), "POST /a%20b?x=1%2C2&x=3");
        assert_eq!(request.params("x"), ["1,2", "3"]);
        assert_eq!(request.header("HOST"), Some("h"));
        assert_eq!(request.text(), "abc");
        assert!(request.keep_alive);
    }

    #[tokio::test]
    async fn requests_that_were_sent_together_are_read_one_by_one() {
        let mut bytes = &b"GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.0\r\n\r\n"[..];
        assert_eq!(Request::read(&mut bytes).await.unwrap().unwrap().path, "/1");
        let second = Request::read(&mut bytes).await.unwrap().unwrap();
        assert_eq!((second.path.as_str(), second.keep_alive), ("/2", false));
        assert_eq!(Request::read(&mut bytes).await.unwrap(), None);
    }

    #[tokio::test]
    async fn what_is_no_request_or_only_a_part_of_one_is_an_error() {
        for bytes in [
            &b"hello\r\n\r\n"[..],
            b"GET / HTTP/1.1\r\nHo",
            b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ] {
            assert!(read(bytes).await.is_err(), "{}", String::from_utf8_lossy(bytes));
        }
    }
}
