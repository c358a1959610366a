//! The only room that knows MCP: it carries messages between a client and the tools, over stdio or HTTP.
//!
//! Both transports share one [`Handler`], one way to run a call ([`call`]), one way to refuse a message ([`fault`]) and
//! one understanding of batches ([`batch`]). What a tool does, and what it answers, is `tools`' business.

mod batch;
mod call;
mod convert;
mod fault;
#[cfg(feature = "conformance")]
mod fixtures;
mod handler;
pub(crate) mod http;
mod log;
mod roots;
pub(crate) mod stdio;
#[cfg(test)]
mod stub;
mod tools;

pub(crate) use handler::Handler;
pub(crate) use tools::Tools;
