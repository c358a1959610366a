//! Standard input and output as something that can be awaited.
//!
//! For pipes the SDK knows how. Clients that run on Node give their servers sockets; the SDK would read and write those
//! by blocking calls on other threads, one hand-over and back for each message.

use rmcp::transport::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Both ends. Must be called within a tokio runtime.
pub(super) fn open() -> (Input, Output) {
    let (input, output) = stdio_pipes();
    #[cfg(unix)]
    {
        let socket_in = unix::socket(std::io::stdin());
        let socket_out = unix::socket(std::io::stdout());
        tracing::debug!(input = socket_in.is_some(), output = socket_out.is_some(), "sockets");
        (
            socket_in.map_or_else(|| Box::new(input) as Input, |socket| Box::new(socket)),
            socket_out.map_or_else(|| Box::new(output) as Output, |socket| Box::new(socket)),
        )
    }
    #[cfg(not(unix))]
    (Box::new(input), Box::new(output))
}

#[cfg(unix)]
mod unix {
    use std::os::fd::{AsFd, BorrowedFd};

    use rustix::net::{AddressFamily, SocketType, getsockname, sockopt};
    use tokio::net::UnixStream;

    /// A descriptor of our own for the socket at this end, if it is one.
    ///
    /// Unlike a pipe, a socket can't be opened anew: whoever shares it, such as a shell that started us, finds it
    /// non-blocking from now on.
    pub(super) fn socket(end: impl AsFd) -> Option<UnixStream> {
        let end = end.as_fd();
        if !is_unix_stream(end) {
            return None;
        }
        let socket = std::os::unix::net::UnixStream::from(end.try_clone_to_owned().ok()?);
        socket.set_nonblocking(true).ok()?;
        UnixStream::from_std(socket).ok()
    }

    fn is_unix_stream(end: BorrowedFd<'_>) -> bool {
        getsockname(end).is_ok_and(|name| name.address_family() == AddressFamily::UNIX)
            && sockopt::socket_type(end) == Ok(SocketType::STREAM)
    }

    #[cfg(test)]
    mod tests {
        use std::os::unix::net::{UnixDatagram, UnixStream};

        use super::*;

        #[tokio::test]
        async fn what_node_makes_is_taken_and_everything_else_is_left_to_the_sdk() {
            let (near, _far) = UnixStream::pair().expect("sockets");
            assert!(socket(&near).is_some());

            let (pipe, _far) = std::io::pipe().expect("a pipe");
            assert!(socket(&pipe).is_none());
            let (datagrams, _far) = UnixDatagram::pair().expect("sockets");
            assert!(socket(&datagrams).is_none());
            let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
            assert!(socket(&tcp).is_none());
            assert!(socket(std::fs::File::open("/dev/null").expect("a file")).is_none());
        }
    }
}
