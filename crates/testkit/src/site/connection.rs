//! One connection: requests one after the other, each answered as its route says.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::response::{Body, Instead};
use super::routes::Routes;
use super::stream::Stream;
use super::{Request, Response, websocket};

/// The end of a body that came in chunks.
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

/// A client's socket; what was read too early stays in its buffer.
pub(super) type Socket = BufReader<Stream>;

/// Serves the connection until either side is done. That a client goes away is no fault.
pub(super) async fn serve(socket: TcpStream, secure: bool, routes: Arc<Routes>) {
    let _ = socket.set_nodelay(true);
    // Nor that it does not trust us.
    let stream = if secure { Stream::secure(socket).await } else { Ok(Stream::Plain(socket)) };
    let Ok(stream) = stream else { return };
    let mut socket = BufReader::new(stream);
    loop {
        match Request::read(&mut socket).await {
            Ok(Some(request)) => match answer(socket, request, &routes).await {
                Ok(Some(kept)) => socket = kept,
                Ok(None) | Err(_) => return,
            },
            Ok(None) => return,
            Err(error) => return refuse(&mut socket, &error).await,
        }
    }
}

/// Answers, and gives the socket back when it can be used again.
async fn answer(mut socket: Socket, request: Request, routes: &Routes) -> std::io::Result<Option<Socket>> {
    let request = Arc::new(request);
    let response = ask(&request, routes).await;
    match response.instead {
        None => {
            send(&mut socket, &request, &response).await?;
            return Ok((request.keep_alive && response.owed.is_none()).then_some(socket));
        }
        // Until the client closes; what it still says is not listened to.
        Some(Instead::Silence) => drop(tokio::io::copy(&mut socket, &mut tokio::io::sink()).await),
        Some(Instead::HangUp) => {}
        Some(Instead::Reset) => socket.get_ref().socket().set_zero_linger()?,
        Some(Instead::WebSocket) => websocket::echo(socket, &request).await?,
    }
    Ok(None)
}

/// Asks the route on a thread that may block; a panic there is an answer too, which the test will notice.
async fn ask(request: &Arc<Request>, routes: &Routes) -> Response {
    let handler = routes.take(request);
    let asked = Arc::clone(request);
    let answered = tokio::task::spawn_blocking(move || handler(&asked)).await;
    answered
        .unwrap_or_else(|_| Response::text(&format!("the route {} panicked", request.path)).with_status(500))
}

async fn send(socket: &mut Socket, request: &Request, response: &Response) -> std::io::Result<()> {
    tokio::time::sleep(response.head_after).await;
    let mut bytes = response.head(request.keep_alive).into_bytes();
    if request.method == "HEAD" || !response.has_body() {
        return socket.write_all(&bytes).await;
    }
    match &response.body {
        // One write for head and body where both are due: half of what a browser waits for otherwise.
        Body::Whole(body) if response.body_after.is_zero() => {
            bytes.extend_from_slice(body);
            socket.write_all(&bytes).await
        }
        Body::Whole(body) => {
            socket.write_all(&bytes).await?;
            tokio::time::sleep(response.body_after).await;
            socket.write_all(body).await
        }
        Body::Drip { chunk, every, count } => {
            socket.write_all(&bytes).await?;
            tokio::time::sleep(response.body_after).await;
            drip(socket, chunk, *every, *count).await?;
            match response.owed {
                Some(_) => Ok(()),
                None => socket.write_all(LAST_CHUNK).await,
            }
        }
    }
}

/// Sends the chunk at every interval (RFC 9112, section 7.1), but for the last empty one, until the count is reached or the client has gone.
async fn drip(socket: &mut Socket, chunk: &[u8], every: Duration, count: Option<u64>) -> std::io::Result<()> {
    let mut bytes = format!("{:x}\r\n", chunk.len()).into_bytes();
    bytes.extend_from_slice(chunk);
    bytes.extend_from_slice(b"\r\n");
    let mut sent = 0;
    while count.is_none_or(|count| sent < count) {
        if sent > 0 {
            pause(socket, every).await?;
        }
        socket.write_all(&bytes).await?;
        sent += 1;
    }
    Ok(())
}

/// Waits, but not on behalf of a client that has closed.
async fn pause(socket: &mut Socket, time: Duration) -> std::io::Result<()> {
    tokio::select! {
        () = tokio::time::sleep(time) => Ok(()),
        more = socket.fill_buf() => match more?.len() {
            0 => Err(ErrorKind::BrokenPipe.into()),
            // The next request already; it is read when its turn comes.
            _ => {
                tokio::time::sleep(time).await;
                Ok(())
            }
        }
    }
}

/// Tells a client what is wrong with its request, and is done with it.
async fn refuse(socket: &mut Socket, error: &std::io::Error) {
    if error.kind() == ErrorKind::InvalidData {
        let response = Response::text(&error.to_string()).with_status(400);
        let _ = socket.write_all(response.head(false).as_bytes()).await;
        let _ = socket.write_all(error.to_string().as_bytes()).await;
    }
}
