//! The watchdog of `supervise` and nothing else.

fn main() {
    #[cfg(unix)]
    supervise::watchdog::run_if_asked();
}
