//! What clients may take of the server's time and memory; the numbers are settings.

pub(super) use crate::config::HttpLimits as Limits;
