//! The image, as far as it can be had without a container engine: its installation runs in a copy of this system that
//! is thrown away, and the server as the first process there, as another user, with a root that nobody can write to.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{BINARY, LIMIT};
use serde_json::{Value, json};
use testkit::mcp::{HttpClient, Revision, ServerProcess};
use testkit::process::{descendants, wait_gone, wait_until};
use testkit::site::Site;

/// What a container engine does: a root of its own, the volumes, no more rights than a user has.
///
/// Arguments: a folder to work in, the program, the folder `deploy`. Whatever is written lies in memory and is gone with
/// the last process.
const ENGINE: &str = r#"
work=$1 program=$2 deploy=$3
mount -t tmpfs -o mode=0755 none "$work"
mkdir "$work/upper" "$work/inner" "$work/root"
mount -t overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/inner" overlay "$work/root"
install -D -m 0755 "$program" "$work/root/usr/local/bin/e2e-mcp-server"
install -D -m 0755 "$deploy/install.sh" "$work/root/usr/local/lib/e2e-mcp-server/install.sh"
cd "$work/root"
mount -t proc proc proc
mount --rbind /dev dev
mkdir -p .old
pivot_root . .old
cd /
/usr/local/lib/e2e-mcp-server/install.sh >&2
umount -l .old
mount -t tmpfs -o mode=1777 none /tmp
mount -t tmpfs -o mode=0755,uid=10001,gid=10001 none /workspace
mount -o remount,ro /
cd /workspace
exec setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
    env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/e2e TRANSPORT_MODE=http E2E_MCP_PORT=0 \
    E2E_MCP_HEADLESS=true E2E_MCP_WORKSPACE=/workspace "E2E_MCP_DEV=python3 -m http.server {port}" \
    /usr/local/bin/e2e-mcp-server
"#;

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").canonicalize().unwrap()
}

/// Starts it, and gives its address.
fn contained(work: &Path) -> (ServerProcess, std::net::SocketAddr) {
    let (work, deploy) = (work.to_str().unwrap(), deploy());
    let args = [
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "--propagation",
        "private",
        "sh",
        "-euc",
        ENGINE,
        "sh",
    ];
    let args = [&args[..], &[work, BINARY, deploy.to_str().unwrap()]].concat();
    // Mounting is root's; a developer is asked by sudo, as for the packages.
    let (program, args) = match rustix::process::geteuid().is_root() {
        true => ("unshare", args),
        false => ("sudo", [&["--non-interactive", "unshare"], &args[..]].concat()),
    };
    let server = ServerProcess::start(program, &args, &[], Path::new("/")).unwrap();
    let address = server.wait_stderr(LIMIT, |line| {
        let address = line.split_once("http://")?.1;
        address.split(|end: char| end.is_whitespace() || "/\"".contains(end)).next()?.parse().ok()
    });
    (server, address.unwrap())
}

/// `/proc/PID/status`, one of its fields.
fn status(pid: u32, field: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.unwrap_or_default().trim().to_owned()
}

/// Who has ended below `parent` and was not reaped.
fn zombies(parent: u32) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let of_ours =
        |pid: &u32| status(*pid, "PPid") == parent.to_string() && status(*pid, "State").starts_with('Z');
    pids.filter(of_ours).collect()
}

fn healthy(port: u16) -> bool {
    let mut check = Command::new(deploy().join("healthcheck.sh"));
    let check = check.env("E2E_MCP_PORT", port.to_string()).stdin(Stdio::null()).stderr(Stdio::null());
    check.status().unwrap().success()
}

#[test]
fn the_server_serves_from_an_installation_of_its_own_confined_and_leaves_nothing() {
    let work = tempfile::tempdir().unwrap();
    let site = Site::start().unwrap();
    site.page("/", "<title>Shop</title><h1>Basket</h1>");
    let (mut engine, address) = contained(work.path());
    assert!(healthy(address.port()));
    let mut client = HttpClient::new(address, "/mcp", Revision::V2025_11_25);
    client.initialize().unwrap();
    let mut call = |tool: &str, arguments: Value| {
        let result = client.call_tool(tool, &arguments, LIMIT).unwrap();
        assert!(!result.is_error(), "{tool}: {}", result.text());
        result.text()
    };
    let started: Value = serde_json::from_str(&call("start_session", json!({}))).unwrap();
    let id = started["sessionId"].as_str().unwrap().to_owned();
    let told = call("navigate", json!({ "url": site.url("/"), "sessionId": id }));
    assert!(told.contains("Basket"), "{told}");

    let everyone = descendants(engine.pid());
    let first =
        *everyone.iter().find(|pid| status(**pid, "NSpid").ends_with("\t1")).expect("the first process");
    assert_eq!(status(first, "Name"), "e2e-mcp-server", "there is no init before it");
    for pid in &everyone {
        assert!(status(*pid, "Uid").starts_with("10001\t10001"), "{pid}: {}", status(*pid, "Uid"));
        assert_eq!(status(*pid, "NoNewPrivs"), "1");
    }
    let mounts = std::fs::read_to_string(format!("/proc/{first}/mounts")).unwrap();
    assert!(mounts.lines().any(|line| line.starts_with("overlay / overlay ro,")), "{mounts}");
    let namespace = |pid: u32| std::fs::read_link(format!("/proc/{pid}/ns/user")).ok();
    let confined = everyone.iter().filter(|pid| namespace(**pid) != namespace(first)).count();
    assert!(confined > 0, "no process of the browser is in a namespace of its own");

    call("end_session", json!({ "sessionId": id }));
    let reaped = wait_until(LIMIT, || zombies(first).is_empty().then_some(()));
    assert!(reaped.is_some(), "nobody reaped {:?}", zombies(first));
    let term = Command::new("kill").args(["-TERM", &first.to_string()]).status();
    assert!(term.unwrap().success() || !rustix::process::geteuid().is_root());
    assert_eq!(engine.wait_exit(LIMIT).unwrap().code(), Some(0), "{:#?}", engine.stderr());
    wait_gone(&everyone, Duration::from_secs(5)).unwrap();
    assert!(!healthy(address.port()));
}

#[test]
fn the_packages_of_the_image_exist() {
    let named = Command::new(deploy().join("install.sh")).arg("--packages").output().unwrap();
    let named = String::from_utf8(named.stdout).unwrap();
    assert!(named.lines().count() >= 3, "{named}");
    // As apt knows them here; nothing is fetched and nothing is installed.
    let simulated = Command::new("apt-get")
        .args(["install", "--simulate", "--no-install-recommends"])
        .args(named.lines())
        .output()
        .unwrap();
    assert!(simulated.status.success(), "{}", String::from_utf8_lossy(&simulated.stderr));
}
