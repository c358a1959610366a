//! What the tests need on the machine, and installing what is missing.
//!
//! Everything that is installed is printed first, with the reason. Nothing that is there is touched.

use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

use crate::repo;

/// A program that the tests need, and where it comes from on Debian and Ubuntu.
struct Program {
    package: &'static str,
    /// Succeeds when the program is there.
    proof: &'static [&'static str],
    why: &'static str,
}

/// The runners of `run_test` that the tests run for real, and the browsers.
const PROGRAMS: &[Program] = &[
    Program { package: "golang-go", proof: &["go", "version"], why: "runner go" },
    Program { package: "default-jdk-headless", proof: &["javac", "-version"], why: "runner maven" },
    Program { package: "maven", proof: &["mvn", "--version"], why: "runner maven" },
    Program { package: "ruby-rspec", proof: &["rspec", "--version"], why: "runner rspec" },
    Program { package: "phpunit", proof: &["phpunit", "--version"], why: "runner phpunit" },
    Program { package: "nodejs", proof: &["node", "--version"], why: "runners node, jest, vitest" },
    Program { package: "npm", proof: &["npm", "--version"], why: "runners jest, vitest" },
    Program {
        package: "chromium",
        proof: &["/usr/bin/chromium", "--version"],
        why: "the browser, headed and headless",
    },
    Program {
        package: "chromium-headless-shell",
        // The browser itself: the program on the PATH is a script that would hide its death.
        proof: &["/usr/lib/chromium/chromium-headless-shell", "--version"],
        why: "the browser without a window, several times cheaper",
    },
    Program { package: "python3-pytest", proof: &["pytest", "--version"], why: "runner pytest" },
];

/// Parts of the Rust tool chain that `cargo` alone does not bring.
const COMPONENTS: &[(&str, &[&str])] =
    &[("rustfmt", &["fmt", "--version"]), ("clippy", &["clippy", "--version"])];

/// Installs what is missing and says in a word what was done.
pub(crate) fn prepare() -> anyhow::Result<String> {
    let mut installed = components()?;
    installed.extend(nextest()?);
    installed.extend(programs()?);
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

fn programs() -> anyhow::Result<Vec<&'static str>> {
    let missing: Vec<&Program> = PROGRAMS
        .iter()
        .filter(|program| !works(Command::new(program.proof[0]).args(&program.proof[1..])))
        .collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    for program in &missing {
        println!("installing the package {}: {}", program.package, program.why);
    }
    let packages: Vec<&'static str> = missing.iter().map(|program| program.package).collect();
    apt_get(&["update", "--quiet"]).context("the package lists can't be updated")?;
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    apt_get(&[&install, packages.as_slice()].concat())?;
    for program in missing {
        ensure!(
            works(Command::new(program.proof[0]).args(&program.proof[1..])),
            "the package {} is installed, but `{}` still fails",
            program.package,
            program.proof.join(" ")
        );
    }
    Ok(packages)
}

/// Runs `apt-get`, by `sudo` unless we are root, and waits for another one that holds the lock.
fn apt_get(arguments: &[&str]) -> anyhow::Result<()> {
    let apt = ["apt-get", "-o", "DPkg::Lock::Timeout=600"];
    if !works(Command::new("apt-get").arg("--version")) {
        bail!(
            "there is no apt-get here; install the programs named above by your system's means, then run this again"
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

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Whether a command can be run and succeeds; its output is nobody's business.
fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
