//! The packages of npm, as `cargo xtask npm` packs them, and the launcher in them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::mcp::{Revision, ServerProcess, StdioClient};
use testkit::process::{alive, descendants, kill, wait_gone, wait_until};

/// npx is slow to start on a busy machine, and so is what it starts.
const LIMIT: Duration = Duration::from_secs(60);
const LAUNCHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../npm/launcher");
const TERM: i32 = 15;

/// npm with nothing but the packages: no network, no cache of the user's.
fn npm(folder: &Path, args: &[&str]) -> Output {
    let output = Command::new("npm")
        .args(args)
        .args(["--offline", "--no-audit", "--no-fund"])
        .envs(quiet(folder))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn quiet(folder: &Path) -> [(String, String); 2] {
    let cache = folder.join("cache").display().to_string();
    [("npm_config_cache".to_owned(), cache), ("npm_config_update_notifier".to_owned(), "false".to_owned())]
}

/// Packs the launcher, and this platform with the server as it was built for the tests; what was packed.
fn packed(out: &Path) -> Vec<PathBuf> {
    // Without what a debugger needs it is a third of the size.
    let program = out.join("e2e-mcp-server");
    let strip = Command::new("strip").arg("-o").arg(&program).arg(testkit::bins().server()).status().unwrap();
    assert!(strip.success());
    let cpu = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let run = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["npm", "--out"])
        .arg(out)
        .args(["--binary", &format!("linux-{cpu}={}", program.display())])
        .envs(quiet(out))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{told}{}", String::from_utf8_lossy(&run.stderr));
    assert!(told.contains("not packed: @e2e-mcp-server/darwin-arm64"), "{told}");
    told.lines().filter_map(|line| line.strip_prefix("packed: ")).map(PathBuf::from).collect()
}

/// Starts what a client's configuration in this folder says, as a client does.
fn as_configured(folder: &Path) -> StdioClient {
    let config: Value = serde_json::from_slice(&std::fs::read(folder.join(".mcp.json")).unwrap()).unwrap();
    let entry = &config["mcpServers"]["e2e"];
    let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    let env = quiet(folder);
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    // Clients written in Node give their children sockets.
    let server = ServerProcess::start_on_sockets(entry["command"].as_str().unwrap(), &args, &env, folder);
    let mut client = StdioClient::of(server.unwrap()).unwrap();
    client.initialize(Revision::V2025_11_25).unwrap();
    client
}

#[test]
fn the_packed_packages_are_installed_and_npx_starts_the_server_as_a_clients_configuration_says() {
    let (out, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let archives = packed(out.path());
    assert_eq!(archives.len(), 2, "{archives:?}");
    let archives: Vec<&str> = archives.iter().map(|path| path.to_str().unwrap()).collect();
    npm(project.path(), &[&["install"], archives.as_slice()].concat());

    // As the README of the package has it, with other arguments of the server's.
    let readme = std::fs::read_to_string(Path::new(LAUNCHER).join("README.md")).unwrap();
    assert!(readme.contains(r#""args": ["-y", "e2e-mcp-server", "#), "{readme}");
    let config = json!({ "mcpServers": { "e2e": {
        "command": "npx", "args": ["-y", "e2e-mcp-server", "--tools", "test", "--tool-names", "camel"],
    } } });
    std::fs::write(project.path().join(".mcp.json"), config.to_string()).unwrap();

    let mut client = as_configured(project.path());
    let tools = client.list_tools().unwrap();
    assert_eq!(tools.iter().map(|tool| &tool["name"]).collect::<Vec<_>>(), ["runTest"], "by the arguments");
    let everyone = descendants(client.server().pid());
    assert!(everyone.len() >= 2, "npx, the launcher and the server: {everyone:?}");
    client.close_stdin();
    assert!(client.wait_exit(LIMIT).unwrap().success());
    wait_gone(&everyone, LIMIT).unwrap();

    let mut client = as_configured(project.path());
    let everyone = descendants(client.server().pid());
    client.server().signal(TERM).unwrap();
    client.wait_exit(LIMIT).unwrap();
    wait_gone(&everyone, LIMIT).unwrap();

    // A client that kills npx and goes on with its own life, the pipe still open.
    let mut client = as_configured(project.path());
    let everyone = descendants(client.server().pid());
    kill(client.server().pid());
    client.wait_exit(LIMIT).unwrap();
    wait_gone(&everyone, LIMIT).unwrap();
}

/// The launcher as npm installs it, with `program` in the package of this platform.
fn installed(program: Option<&Path>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let modules = folder.path().join("node_modules");
    let own = modules.join("e2e-mcp-server");
    std::fs::create_dir_all(own.join("bin")).unwrap();
    std::fs::copy(Path::new(LAUNCHER).join("bin/e2e-mcp-server.js"), launcher(&folder)).unwrap();
    let cpu = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let package = format!("@e2e-mcp-server/linux-{cpu}");
    let manifest = json!({ "name": "e2e-mcp-server", "version": "1.2.3", "optionalDependencies": { (&package): "1.2.3" } });
    std::fs::write(own.join("package.json"), manifest.to_string()).unwrap();
    if let Some(program) = program {
        let bin = modules.join(&package).join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(modules.join(&package).join("package.json"), "{}").unwrap();
        std::os::unix::fs::symlink(program, bin.join("e2e-mcp-server")).unwrap();
    }
    folder
}

fn launcher(folder: &TempDir) -> PathBuf {
    folder.path().join("node_modules/e2e-mcp-server/bin/e2e-mcp-server.js")
}

fn launch(folder: &TempDir, args: &[&str]) -> Output {
    Command::new("node").arg(launcher(folder)).args(args).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn arguments_go_to_the_program_as_they_are_and_its_code_comes_back() {
    let folder = installed(Some(Path::new("/bin/sh")));
    let told = launch(&folder, &["-c", "printf '%s|' \"$@\"; exit 7", "sh", "a b", "", "--c=\"d\"", "$HOME"]);
    assert_eq!(String::from_utf8_lossy(&told.stdout), "a b||--c=\"d\"|$HOME|");
    assert_eq!(told.status.code(), Some(7));
    let died = launch(&folder, &["-c", "kill -KILL $$"]);
    assert_eq!(died.status.signal(), Some(9), "as the program ended, so does the launcher");
}

#[test]
fn a_signal_reaches_the_program_once_however_often_it_is_passed_on() {
    let folder = installed(Some(Path::new("/bin/sh")));
    // It ends by itself all the same: unlike the server, it would not notice that a test was cut short.
    let counts = "n=0; i=0; trap 'n=$((n+1))' TERM; echo ready >&2; \
                  while [ $n -eq 0 ] && [ $i -lt 1200 ]; do i=$((i+1)); sleep 0.05; done; sleep 0.5; exit $n";
    let launcher = launcher(&folder);
    let args = [launcher.to_str().unwrap(), "-c", counts];
    let mut run = ServerProcess::start("node", &args, &[], folder.path()).unwrap();
    run.wait_stderr(LIMIT, |line| (line == "ready").then_some(())).unwrap();
    // As a terminal and npx do together.
    run.signal(TERM).unwrap();
    run.signal(TERM).unwrap();
    assert_eq!(run.wait_exit(LIMIT).unwrap().code(), Some(1));
}

#[test]
fn the_end_of_the_input_is_the_programs_to_see() {
    let folder = installed(Some(Path::new("/bin/cat")));
    let launcher = launcher(&folder);
    let mut run = ServerProcess::start("node", &[launcher.to_str().unwrap()], &[], folder.path()).unwrap();
    let cat = wait_until(LIMIT, || descendants(run.pid()).first().copied()).unwrap();
    drop(run.take_stdin());
    assert!(run.wait_exit(LIMIT).unwrap().success());
    assert!(!alive(cat));
}

#[test]
fn a_missing_package_of_the_platform_is_told_with_what_to_do() {
    let told = launch(&installed(None), &[]);
    let words = String::from_utf8_lossy(&told.stderr).into_owned();
    assert_eq!(told.status.code(), Some(1));
    assert!(told.stdout.is_empty(), "stdout is the protocol's");
    for part in
        ["@e2e-mcp-server/linux-", "is not installed", "npm install --include=optional e2e-mcp-server@1.2.3"]
    {
        assert!(words.contains(part), "{part} is not in {words}");
    }
}

#[test]
fn a_platform_without_a_package_is_told_which_there_are() {
    let folder = installed(None);
    let manifest = json!({ "name": "e2e-mcp-server", "version": "1.2.3",
                           "optionalDependencies": { "@e2e-mcp-server/plan9-mips": "1.2.3" } });
    std::fs::write(folder.path().join("node_modules/e2e-mcp-server/package.json"), manifest.to_string())
        .unwrap();
    let told = launch(&folder, &[]);
    let words = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.status.code() == Some(1) && words.contains("there are plan9-mips"), "{words}");
}
