//! Where a session's browser may go.
//!
//! [`Rules`] judge a host, a port and the addresses that the host was resolved to; they are pure. A [`Gate`] is the
//! proxy of one session that keeps them: it looks a name up once, has every address judged, and connects to these
//! addresses and no others, so that a name can't lead elsewhere between the two. What it refused it remembers until
//! somebody asks ([`Gate::refusals`]).
//!
//! How a browser is made to use the gate, and what an agent is told, is the caller's business.

pub mod allowed;
mod gate;
pub mod host;
mod network;
mod notes;
mod ranges;
mod refusal;
pub mod resolve;
mod rules;

pub use allowed::{Allowed, NotAnEntry};
pub use gate::{Gate, Limits};
pub use host::Host;
pub use network::Network;
pub use notes::{Noted, Refusals, Trouble, Unreached};
pub use ranges::Range;
pub use refusal::{Refusal, Rule};
pub use resolve::Resolver;
pub use rules::Rules;
