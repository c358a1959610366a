//! What the tests need on the machine, and installing what is missing.
//!
//! Everything that is installed is printed first, with the reason. Nothing that is there is touched.

use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

use crate::{npm, python, repo};

/// Proof of an artifact in Debian's repository for Maven, with which the tests of `maven` need no network.
macro_rules! in_maven {
    ($artifact:literal) => {
        ["test", "-e", concat!("/usr/share/maven-repo/", $artifact)]
    };
}

/// A package of Debian and Ubuntu that the tests need.
struct Package {
    name: &'static str,
    /// Succeeds when what it brings is there, from wherever it came.
    proof: &'static [&'static str],
    why: &'static str,
}

/// What the server is built with, the browsers, and what the runners of `run_test` need that the tests run for real
/// (`crates/server/tests/real_runners`).
const PACKAGES: &[Package] = &[
    Package { name: MAKE, proof: &["make", "--version"], why: "the server's allocator is built with it" },
    Package {
        name: "chromium",
        proof: &["/usr/bin/chromium", "--version"],
        why: "the browser, headed and headless",
    },
    Package {
        name: "chromium-headless-shell",
        // The browser itself: the program on the PATH is a script that would hide its death.
        proof: &["/usr/lib/chromium/chromium-headless-shell", "--version"],
        why: "the browser without a window, several times cheaper",
    },
    Package { name: "firefox-esr", proof: &["firefox-esr", "--version"], why: "the browser Firefox" },
    Package {
        name: "webkit2gtk-driver",
        proof: &["sh", "-c", "test -x /usr/lib/*-linux-gnu/webkit2gtk-4.1/MiniBrowser"],
        why: "the browser WebKit",
    },
    Package {
        name: "fonts-dejavu-core",
        proof: &["test", "-d", "/usr/share/fonts/truetype/dejavu"],
        why: "part of the image, whose installation a test runs",
    },
    Package { name: "xvfb", proof: &["Xvfb", "-help"], why: "a display for tests of browsers with windows" },
    Package {
        name: "iproute2",
        proof: &["sh", "-c", "PATH=$PATH:/usr/sbin:/sbin ip -V"],
        why: "networks of their own for the tests of the boundary",
    },
    Package { name: "golang-go", proof: &["go", "version"], why: "runner go" },
    Package { name: "ruby-rspec", proof: &["rspec", "--version"], why: "runner rspec" },
    Package { name: "phpunit", proof: &["phpunit", "--version"], why: "runner phpunit" },
    Package { name: "python3-pytest", proof: &["pytest", "--version"], why: "runner pytest" },
    Package {
        name: "nodejs",
        proof: &["node", "--eval", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"],
        why: "runners node, jest, vitest and playwright need Node 20 or later",
    },
    Package {
        name: "python3-venv",
        proof: &["python3", "-c", "import ensurepip, venv"],
        why: "brings the Python client of MCP",
    },
    Package { name: "npm", proof: &["npm", "--version"], why: "brings jest, playwright, vite and vitest" },
    Package { name: "default-jdk-headless", proof: &["javac", "-version"], why: "runners maven and gradle" },
    Package { name: "gradle", proof: &["gradle", "--version"], why: "runner gradle" },
    Package { name: "junit4", proof: &["test", "-e", "/usr/share/java/junit4.jar"], why: "tests of gradle" },
    Package { name: "maven", proof: &["mvn", "--version"], why: "runner maven" },
    Package { name: "junit5", proof: &in_maven!("org/junit/jupiter/junit-jupiter"), why: "tests of maven" },
    Package {
        name: "libsurefire-java",
        proof: &in_maven!("org/apache/maven/plugins/maven-surefire-plugin"),
        why: "maven runs tests with it",
    },
    Package {
        name: "libmaven-compiler-plugin-java",
        proof: &in_maven!("org/apache/maven/plugins/maven-compiler-plugin"),
        why: "maven compiles tests with it",
    },
    Package {
        name: "libmaven-resources-plugin-java",
        proof: &in_maven!("org/apache/maven/plugins/maven-resources-plugin"),
        why: "maven wants it before it compiles",
    },
];

/// Parts of the Rust tool chain that `cargo` alone does not bring.
const COMPONENTS: &[(&str, &[&str])] =
    &[("rustfmt", &["fmt", "--version"]), ("clippy", &["clippy", "--version"])];

/// Installs what is missing and says in a word what was done.
pub(crate) fn prepare() -> anyhow::Result<String> {
    let mut installed = components()?;
    installed.extend(nextest()?);
    installed.extend(packages(|_| true)?);
    installed.extend(npm::prepare()?);
    installed.extend(python::prepare()?);
    Ok(match installed.len() {
        0 => "everything was there".to_owned(),
        _ => format!("installed {}", installed.join(", ")),
    })
}

fn components() -> anyhow::Result<Vec<&'static str>> {
    let mut added = Vec::new();
    for (name, proof) in COMPONENTS {
        if !works(repo::cargo().args(*proof)) {
            println!("installing the Rust component {name}: the checks need it");
            repo::show(Command::new("rustup").args(["component", "add", name]))?;
            added.push(*name);
        }
    }
    Ok(added)
}

fn nextest() -> anyhow::Result<Option<&'static str>> {
    if works(repo::cargo().args(["nextest", "--version"])) {
        return Ok(None);
    }
    println!("installing cargo-nextest: it runs the tests, each in its own process (takes some minutes)");
    repo::show(repo::cargo().args(["install", "cargo-nextest", "--locked"]))?;
    Ok(Some("cargo-nextest"))
}

/// Installs what the server is built with and the browser, where they are missing, for those who need nothing else.
pub(crate) fn prepare_browser() -> anyhow::Result<()> {
    packages(|package| [MAKE, BROWSER].contains(&package.name)).map(drop)
}

/// Installs what the server is built with, every browser that is missing, and the display that one of them needs.
pub(crate) fn prepare_browsers() -> anyhow::Result<()> {
    packages(|package| BROWSERS.contains(&package.name)).map(drop)
}

const BROWSERS: &[&str] = &[MAKE, BROWSER, "firefox-esr", "webkit2gtk-driver", "xvfb"];

const MAKE: &str = "make";

/// The cheapest browser there is.
const BROWSER: &str = "chromium-headless-shell";

/// Installs those of the packages that are wanted and missing.
fn packages(wanted: impl Fn(&Package) -> bool) -> anyhow::Result<Vec<&'static str>> {
    let missing: Vec<&Package> =
        PACKAGES.iter().filter(|package| wanted(package) && !package.is_there()).collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    for package in &missing {
        println!("installing the package {}: {}", package.name, package.why);
    }
    let names: Vec<&'static str> = missing.iter().map(|package| package.name).collect();
    apt_get(&["update", "--quiet"]).context("the package lists can't be updated")?;
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    apt_get(&[&install, names.as_slice()].concat())?;
    for package in missing {
        ensure!(
            package.is_there(),
            "the package {} is installed, but `{}` still fails; it is needed because: {}",
            package.name,
            package.proof.join(" "),
            package.why
        );
    }
    Ok(names)
}

impl Package {
    fn is_there(&self) -> bool {
        works(Command::new(self.proof[0]).args(&self.proof[1..]))
    }
}

/// Runs `apt-get`, by `sudo` unless we are root, and waits for another one that holds the lock.
fn apt_get(arguments: &[&str]) -> anyhow::Result<()> {
    let apt = ["apt-get", "-o", "DPkg::Lock::Timeout=600"];
    if !works(Command::new("apt-get").arg("--version")) {
        bail!(
            "there is no apt-get here; install what is named above by your system's means, then run this again"
        );
    }
    let mut command = if is_root() {
        Command::new(apt[0])
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["--preserve-env=DEBIAN_FRONTEND", apt[0]]);
        sudo
    };
    command.args(&apt[1..]).args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    repo::show(&mut command)
}

pub(crate) fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Whether a command can be run and succeeds; its output is nobody's business.
fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
