//! The routes that every site has.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::{Request, Response};

/// A route that every site has.
#[derive(Debug)]
pub struct Standing {
    /// Its path; one that ends in a slash has a value behind it.
    pub path: &'static str,
    /// What it does and which parameters of the query it takes.
    pub help: &'static str,
    answer: fn(&Request) -> Response,
}

/// One line of the table.
const fn standing(path: &'static str, answer: fn(&Request) -> Response, help: &'static str) -> Standing {
    Standing { path, help, answer }
}

/// Every standing route. A test may set its own on the same paths.
pub const STANDING: &[Standing] = &[
    standing("/empty", |_| Response::html(""), "an empty page"),
    standing("/favicon.ico", |_| Response::status(204), "nothing, so that consoles stay free of a 404"),
    standing("/redirect", redirect, "a redirect to `to`, with status `code` (302)"),
    standing("/redirects/", redirects, "as many redirects as the number behind it says, then a page"),
    standing("/status/", status, "a page with the status behind it"),
    standing("/slow", slow, "`body` as `type` after `ms`; with `head=now` only the body is late"),
    standing("/never", |_| Response::never(), "a connection that is accepted and never answered"),
    standing("/drip", drip, "a body of `bytes` (16) every `ms` (50), `count` times or for ever, as `type`"),
    standing("/events", events, "server-sent events every `ms` (50), for ever"),
    standing("/download", download, "`bytes` (1024) as an attachment called `name`"),
    standing("/no-content", |_| Response::status(204), "status 204, which leaves a browser where it is"),
    standing("/cookie", cookie, "sets each `set` as a cookie, and tells the cookies that came"),
    standing("/echo", echo, "the request as JSON: method, path, query, headers, body"),
    standing("/auth", auth, "basic authentication for `user` (user) and `password` (password)"),
    standing("/csp", csp, "a page whose Content-Security-Policy allows no script and no style"),
    standing("/big", big, "`mb` (1) megabytes of text"),
    standing("/image.png", |_| Response::bytes("image/png", IMAGE), "a picture of 64 × 48"),
    standing("/ws", |_| Response::websocket(), "a WebSocket that echoes; the text `close` closes it"),
    standing("/reset", |_| Response::reset(), "a connection that is reset instead of an answer"),
    standing("/hang-up", |_| Response::hang_up(), "a connection that is closed instead of an answer"),
];

const IMAGE: &[u8] = include_bytes!("image.png");

const CSP: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

/// Who answers a path.
pub(super) fn find(path: &str) -> fn(&Request) -> Response {
    let answers = |route: &&Standing| match route.path.strip_suffix('/') {
        Some(_) => path.len() > route.path.len() && path.starts_with(route.path),
        None => path == route.path,
    };
    STANDING.iter().find(answers).map_or(not_found, |route| route.answer)
}

fn not_found(request: &Request) -> Response {
    Response::text(&format!("no page has been set for {}", request.path)).with_status(404)
}

/// What stands behind the last slash of the path.
fn last<T: std::str::FromStr>(request: &Request) -> Option<T> {
    request.path.rsplit('/').next()?.parse().ok()
}

fn redirect(request: &Request) -> Response {
    let code = u16::try_from(request.number("code", 302)).unwrap_or(302);
    Response::redirect(&request.param("to").unwrap_or_else(|| "/empty".to_owned())).with_status(code)
}

fn redirects(request: &Request) -> Response {
    match last::<u64>(request) {
        Some(0) => Response::html("<title>The end</title><h1>No more redirects</h1>"),
        Some(left) => Response::redirect(&format!("/redirects/{}", left - 1)),
        None => not_found(request),
    }
}

fn status(request: &Request) -> Response {
    match last::<u16>(request) {
        Some(code @ 200..=599) => {
            Response::html(&format!("<title>{code}</title><h1>Status {code}</h1>")).with_status(code)
        }
        _ => not_found(request),
    }
}

fn slow(request: &Request) -> Response {
    let body = request.param("body").unwrap_or_else(|| "<title>Slow</title><h1>At last</h1>".to_owned());
    let response = Response::bytes(&media_type(request, "text/html; charset=utf-8"), body);
    let delay = milliseconds(request, 1000);
    if request.param("head").as_deref() == Some("now") {
        response.body_after(delay)
    } else {
        response.after(delay)
    }
}

fn drip(request: &Request) -> Response {
    let chunk = vec![b'.'; length(request.number("bytes", 16)).max(1)];
    let count = request.param("count").and_then(|count| count.parse().ok());
    Response::drip(&media_type(request, "text/plain"), chunk, milliseconds(request, 50), count)
}

fn events(request: &Request) -> Response {
    Response::drip("text/event-stream", "data: tick\n\n", milliseconds(request, 50), None)
        .header("Cache-Control", "no-store")
}

fn download(request: &Request) -> Response {
    let name = request.param("name").unwrap_or_else(|| "download.bin".to_owned());
    let bytes = vec![b'd'; length(request.number("bytes", 1024))];
    Response::bytes("application/octet-stream", bytes).header("Content-Disposition", &attachment(&name))
}

/// RFC 6266, section 4.3: what is not plain goes into `filename*`, and a plain name stays for old clients.
fn attachment(name: &str) -> String {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic() && !matches!(c, '"' | '\\');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    let encoded: String = name.bytes().map(encode).collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

fn cookie(request: &Request) -> Response {
    let came = Response::text(request.header("cookie").unwrap_or_default());
    request.params("set").iter().fold(came, |response, cookie| response.header("Set-Cookie", cookie))
}

fn echo(request: &Request) -> Response {
    let headers = request.headers.iter().map(|(name, value)| (name.to_ascii_lowercase(), json!(value)));
    let headers: Map<String, Value> = headers.collect();
    Response::json(&json!({
        "method": request.method, "path": request.path, "query": request.query,
        "headers": headers, "body": request.text(),
    }))
}

fn auth(request: &Request) -> Response {
    let user = request.param("user").unwrap_or_else(|| "user".to_owned());
    let password = request.param("password").unwrap_or_else(|| "password".to_owned());
    let wanted = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
    if request.header("authorization") == Some(&wanted) {
        return Response::html("<title>Welcome</title><h1>Authenticated</h1>");
    }
    let refused = Response::html("<title>Refused</title><h1>Who are you?</h1>").with_status(401);
    refused.header("WWW-Authenticate", "Basic realm=\"fixture\", charset=\"UTF-8\"")
}

fn csp(_: &Request) -> Response {
    let page = "<!doctype html><title>Strict</title><h1>Strict</h1><button>Press</button><a href='/empty'>Leave</a>\
                <input aria-label=Name><script>document.title = 'a script ran'</script>";
    Response::html(page).header("Content-Security-Policy", CSP)
}

fn big(request: &Request) -> Response {
    Response::bytes("text/plain", vec![b'x'; length(request.number("mb", 1).saturating_mul(1_000_000))])
}

fn milliseconds(request: &Request, otherwise: u64) -> Duration {
    Duration::from_millis(request.number("ms", otherwise))
}

fn media_type(request: &Request, otherwise: &str) -> String {
    request.param("type").unwrap_or_else(|| otherwise.to_owned())
}

/// A body's length within reason.
fn length(asked: u64) -> usize {
    const MOST: u64 = 1_000_000_000;
    usize::try_from(asked.min(MOST)).unwrap_or_default()
}
