//! Where the attempts are played: a network of the test's own, in which every address there is belongs to this machine, so that whatever
//! goes anywhere arrives here. Nothing of the machine's own network is changed. The user has a home there, in which nothing may be left.

use std::process::Command;

/// Set for the process that is inside.
const INSIDE: &str = "EGRESS_INSIDE";

/// An interface besides the loopback, because browsers without one think that they are offline; and all addresses are ours. None may come
/// later, as those that the system gives itself do after a second or two: a browser gives up what it is asking for when they change. And
/// what is sent comes from the interface: without saying so its address would be the other side's own. Its addresses have no
/// neighbourhood: the network would look for neighbours in vain, and nobody would see what was for them.
const FURNISH: &str = "\
    export PATH=\"$PATH:/usr/sbin:/sbin\" && ip link set lo up && ip link add inside type veth peer name outside && \
    ip link set inside addrgenmode none && ip link set outside addrgenmode none && \
    ip link set inside up && ip link set outside up && ip address add 10.77.0.2/32 dev inside && \
    ip address add fd77::2/128 dev inside nodad && ip route add default dev inside && \
    ip route add local default dev lo table local src 10.77.0.2 && \
    ip -6 route add local default dev lo table local src fd77::2 && \
    exec \"$0\" \"$@\"";

/// Runs a test in a network of its own: the test's process starts itself again in there, and is what that was.
pub(crate) fn inside(test: &str, run: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return run();
    }
    // What the test needs is built before its time begins, and where there is a network.
    testkit::bins().watchdog();
    let home = tempfile::tempdir().unwrap();
    let mut unshare = Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        unshare.arg("--map-root-user");
    }
    let ended = unshare
        .args(["--net", "sh", "-c", FURNISH])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .env("HOME", home.path())
        .env_remove("XDG_CACHE_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_DATA_HOME")
        .status()
        .expect("unshare (util-linux) and ip (iproute2) are needed");
    assert!(ended.success(), "{test} failed in its own network, or there could be none ({ended}); see above");
    let left: Vec<_> =
        std::fs::read_dir(home.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.is_empty(), "{test} left {left:?} in the user's home");
}
