//! Who calls: the server as an OAuth 2.1 resource server (MCP 2025-11-25, Authorization).
//!
//! [`token`] judges an access token against the keys ([`jwks`]) of the one [`issuer`] that is trusted, and names its
//! [`subject`]; [`challenge`] tells a client what it lacks, [`metadata`] where to get it (RFC 9728). Tokens are asked for,
//! given out and refreshed by the issuer and the client; here one is looked at and forgotten: it is never logged, kept or
//! passed on. What a subject may do is `session`'s and `tools`' business.

mod challenge;
mod fetch;
mod issuer;
mod jwks;
mod metadata;
#[cfg(feature = "oauth")]
mod signature;
mod subject;
#[cfg(test)]
mod tests;
#[cfg(feature = "oauth")]
mod tls;
mod token;

#[cfg(not(feature = "oauth"))]
#[path = "no_signature.rs"]
mod signature;
#[cfg(not(feature = "oauth"))]
#[path = "no_tls.rs"]
mod tls;

pub(crate) use challenge::{Challenge, bearer};
pub(crate) use issuer::Issuer;
pub(crate) use metadata::{Resource, WELL_KNOWN};
pub(crate) use subject::Subject;
pub(crate) use token::{Trust, Verifier};
