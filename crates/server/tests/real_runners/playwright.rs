use crate::case::{Case, Failing};

const FILES: &[(&str, &str)] = &[
    ("package.json", "{ \"private\": true }\n"),
    (
        "tests/cart.spec.ts",
        r#"import { writeFileSync } from "node:fs";
import { test } from "@playwright/test";

test("adds", () => writeFileSync(process.env.RAN + "/adds", ""));
"#,
    ),
    (
        "tests/price.spec.ts",
        r#"import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";

test("rounds", () => {
  writeFileSync(process.env.RAN + "/rounds", "");
  expect(2, "off by one").toBe(3);
});
"#,
    ),
    (
        "-dash.spec.ts",
        r#"import { writeFileSync } from "node:fs";
import { test } from "@playwright/test";

test("dashes", () => writeFileSync(process.env.RAN + "/dashes", ""));
"#,
    ),
];

/// Tests that open no page need no browser.
#[test]
fn playwright_runs_for_real_in_every_scope() {
    Case {
        runner: "playwright",
        files: FILES,
        npm: true,
        passing: "tests/cart.spec.ts",
        failing: Failing { test: "rounds", file: "tests/price.spec.ts", line: 6, message: "off by one" },
        dashed: Some("-dash.spec.ts"),
    }
    .holds();
}
