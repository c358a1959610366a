use crate::case::{Case, Failing};

/// With Debian's own jars, which need no repository.
const FILES: &[(&str, &str)] = &[
    (
        "build.gradle",
        r#"apply plugin: 'java'
dependencies { testImplementation files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest.jar') }
"#,
    ),
    (
        "src/test/java/shop/CartTest.java",
        r#"package shop;

import org.junit.Test;

public class CartTest {
    @Test
    public void adds() throws Exception {
        new java.io.File(System.getenv("RAN"), "adds").createNewFile();
    }
}
"#,
    ),
    (
        "src/test/java/shop/PriceTest.java",
        r#"package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PriceTest {
    @Test
    public void rounds() throws Exception {
        new java.io.File(System.getenv("RAN"), "rounds").createNewFile();
        assertEquals("off by one", 3, 2);
    }
}
"#,
    ),
];

#[test]
fn gradle_runs_for_real_in_every_scope() {
    Case {
        runner: "gradle",
        files: FILES,
        npm: false,
        passing: "src/test/java/shop/CartTest.java",
        // Gradle keeps the exception's message to its reports unless a project wants it otherwise.
        failing: Failing {
            test: "shop.PriceTest > rounds",
            file: "src/test/java/shop/PriceTest.java",
            line: 11,
            message: "AssertionError",
        },
        // A file is named after its class, whose name can't begin with a dash.
        dashed: None,
    }
    .holds();
}
