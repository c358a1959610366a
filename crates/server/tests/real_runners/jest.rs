use crate::case::{Case, Failing};

const FILES: &[(&str, &str)] = &[
    ("package.json", "{ \"private\": true }\n"),
    (
        "src/cart.test.js",
        r#"const { writeFileSync } = require("node:fs");

test("adds", () => writeFileSync(process.env.RAN + "/adds", ""));
"#,
    ),
    (
        "src/price.test.js",
        r#"const { writeFileSync } = require("node:fs");

test("rounds", () => {
  writeFileSync(process.env.RAN + "/rounds", "");
  expect(2).toBe(3);
});
"#,
    ),
    (
        "-dash.test.js",
        r#"const { writeFileSync } = require("node:fs");

test("dashes", () => writeFileSync(process.env.RAN + "/dashes", ""));
"#,
    ),
];

#[test]
fn jest_runs_for_real_in_every_scope() {
    Case {
        runner: "jest",
        files: FILES,
        npm: true,
        passing: "src/cart.test.js",
        failing: Failing { test: "rounds", file: "src/price.test.js", line: 5, message: "Expected: 3" },
        dashed: Some("-dash.test.js"),
    }
    .holds();
}
