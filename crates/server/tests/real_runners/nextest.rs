use crate::cargo::FILES;
use crate::case::{Case, Failing};

#[test]
fn nextest_runs_for_real_in_every_scope() {
    Case {
        runner: "nextest",
        files: FILES,
        npm: false,
        passing: "src/cart.rs",
        failing: Failing { test: "price::rounds", file: "src/price.rs", line: 4, message: "off by one" },
        dashed: None,
    }
    .holds();
}
