use crate::case::{Case, Failing};

/// Also the project of nextest.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n"),
    ("src/lib.rs", "#[cfg(test)]\nmod cart;\n#[cfg(test)]\nmod price;\n"),
    (
        "src/cart.rs",
        r#"#[test]
fn adds() {
    std::fs::write(std::env::var("RAN").unwrap() + "/adds", "").unwrap();
}
"#,
    ),
    (
        "src/price.rs",
        r#"#[test]
fn rounds() {
    std::fs::write(std::env::var("RAN").unwrap() + "/rounds", "").unwrap();
    assert_eq!(2, 3, "off by one");
}
"#,
    ),
];

#[test]
fn cargo_runs_for_real_in_every_scope() {
    Case {
        runner: "cargo",
        files: FILES,
        npm: false,
        passing: "src/cart.rs",
        failing: Failing { test: "price::rounds", file: "src/price.rs", line: 4, message: "off by one" },
        dashed: None,
    }
    .holds();
}
