//! MCP as a client sees it, over stdio and over HTTP, for tests that must also be able to misbehave.
//!
//! Written from the specification and not on the SDK that the server uses: a misunderstanding there would otherwise
//! agree with itself here. Nothing is hidden: raw lines, raw bodies and notifications stay in reach.

mod answer;
mod connection;
mod http;
mod reply;
mod revision;
mod server;
mod stdio;

pub use answer::{Answer, RpcError, ToolResult};
pub use connection::HttpConnection;
pub use http::HttpClient;
pub use reply::{HttpReply, HttpStream};
pub use revision::Revision;
pub use server::ServerProcess;
pub use stdio::StdioClient;
