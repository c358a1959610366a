use crate::case::{Case, Failing};

const FILES: &[(&str, &str)] = &[
    (
        "test/cart.test.mjs",
        r#"import { writeFileSync } from "node:fs";
import test from "node:test";

test("adds", () => writeFileSync(process.env.RAN + "/adds", ""));
"#,
    ),
    (
        "test/price.test.mjs",
        r#"import assert from "node:assert";
import { writeFileSync } from "node:fs";
import test from "node:test";

test("rounds", () => {
  writeFileSync(process.env.RAN + "/rounds", "");
  assert.equal(2, 3, "off by one");
});
"#,
    ),
    (
        "-dash.test.mjs",
        r#"import { writeFileSync } from "node:fs";
import test from "node:test";

test("dashes", () => writeFileSync(process.env.RAN + "/dashes", ""));
"#,
    ),
];

#[test]
fn node_runs_for_real_in_every_scope() {
    Case {
        runner: "node",
        files: FILES,
        npm: false,
        passing: "test/cart.test.mjs",
        failing: Failing { test: "rounds", file: "test/price.test.mjs", line: 7, message: "off by one" },
        dashed: Some("-dash.test.mjs"),
    }
    .holds();
}
