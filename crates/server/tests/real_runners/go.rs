use crate::case::{Case, Failing};

/// Go runs packages, so that each file has one of its own.
const FILES: &[(&str, &str)] = &[
    ("go.mod", "module example.com/shop\n\ngo 1.19\n"),
    (
        "cart/cart_test.go",
        r#"package cart

import (
	"os"
	"testing"
)

func Test_adds(t *testing.T) {
	os.WriteFile(os.Getenv("RAN")+"/adds", nil, 0o644)
}
"#,
    ),
    (
        "price/price_test.go",
        r#"package price

import (
	"os"
	"testing"
)

func Test_rounds(t *testing.T) {
	os.WriteFile(os.Getenv("RAN")+"/rounds", nil, 0o644)
	t.Fatal("off by one")
}
"#,
    ),
];

#[test]
fn go_runs_for_real_in_every_scope() {
    Case {
        runner: "go",
        files: FILES,
        npm: false,
        passing: "cart/cart_test.go",
        failing: Failing {
            test: "example.com/shop/price.Test_rounds",
            file: "price/price_test.go",
            line: 10,
            message: "off by one",
        },
        // A package's path can't begin with a dash.
        dashed: None,
    }
    .holds();
}
