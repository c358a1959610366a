//! The Rust compiler's errors.
