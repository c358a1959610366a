use crate::case::{Case, Failing};

/// Offline and with Debian's own repository. Its build of Surefire waits for up to ten seconds after a forked test
/// machine has ended, so that the tests run in Maven's.
const FILES: &[(&str, &str)] = &[
    (".mvn/maven.config", "--offline\n-Dmaven.repo.local=/usr/share/maven-repo\n"),
    (
        "pom.xml",
        r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <forkCount>0</forkCount>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>debian</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
"#,
    ),
    (
        "src/test/java/shop/CartTest.java",
        r#"package shop;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void adds() throws Exception {
        new java.io.File(System.getenv("RAN"), "adds").createNewFile();
    }
}
"#,
    ),
    (
        "src/test/java/shop/PriceTest.java",
        r#"package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PriceTest {
    @Test
    void rounds() throws Exception {
        new java.io.File(System.getenv("RAN"), "rounds").createNewFile();
        assertEquals(3, 2, "off by one");
    }
}
"#,
    ),
];

#[test]
fn maven_runs_for_real_in_every_scope() {
    Case {
        runner: "maven",
        files: FILES,
        npm: false,
        passing: "src/test/java/shop/CartTest.java",
        failing: Failing {
            test: "shop.PriceTest.rounds",
            file: "src/test/java/shop/PriceTest.java",
            line: 11,
            message: "off by one",
        },
        // A file is named after its class, whose name can't begin with a dash.
        dashed: None,
    }
    .holds();
}
