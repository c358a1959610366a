use crate::case::{Case, Failing};

const FILES: &[(&str, &str)] = &[
    (
        "phpunit.xml",
        r#"<phpunit><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>
"#,
    ),
    (
        "tests/CartTest.php",
        r#"<?php
class CartTest extends PHPUnit\Framework\TestCase {
    public function test_adds() {
        $this->assertTrue(touch(getenv("RAN") . "/adds"));
    }
}
"#,
    ),
    (
        "tests/PriceTest.php",
        r#"<?php
class PriceTest extends PHPUnit\Framework\TestCase {
    public function test_rounds() {
        touch(getenv("RAN") . "/rounds");
        $this->assertSame(3, 2, "off by one");
    }
}
"#,
    ),
];

#[test]
fn phpunit_runs_for_real_in_every_scope() {
    Case {
        runner: "phpunit",
        files: FILES,
        npm: false,
        passing: "tests/CartTest.php",
        failing: Failing {
            test: "PriceTest::test_rounds",
            file: "tests/PriceTest.php",
            line: 5,
            message: "off by one",
        },
        // A file is named after its class, whose name can't begin with a dash.
        dashed: None,
    }
    .holds();
}
