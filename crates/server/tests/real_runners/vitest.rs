use crate::case::{Case, Failing};

const FILES: &[(&str, &str)] = &[
    (
        "src/cart.test.ts",
        r#"import { writeFileSync } from "node:fs";
import { test } from "vitest";

test("adds", () => writeFileSync(process.env.RAN + "/adds", ""));
"#,
    ),
    (
        "src/price.test.ts",
        r#"import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";

test("rounds", () => {
  writeFileSync(process.env.RAN + "/rounds", "");
  expect(2, "off by one").toBe(3);
});
"#,
    ),
    (
        "-dash.test.ts",
        r#"import { writeFileSync } from "node:fs";
import { test } from "vitest";

test("dashes", () => writeFileSync(process.env.RAN + "/dashes", ""));
"#,
    ),
];

#[test]
fn vitest_runs_for_real_in_every_scope() {
    Case {
        runner: "vitest",
        files: FILES,
        npm: true,
        passing: "src/cart.test.ts",
        failing: Failing { test: "rounds", file: "src/price.test.ts", line: 6, message: "off by one" },
        dashed: Some("-dash.test.ts"),
    }
    .holds();
}
