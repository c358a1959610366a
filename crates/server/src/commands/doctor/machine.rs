//! What the machine has: a display, room for temporary files, ports.

use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::Path;

use super::report::Finding;
use crate::config::{Options, Transport};

/// A display, if one is named, must be there.
pub(super) fn display(options: &Options) -> Finding {
    const CHECK: &str = "display";
    if options.browser.no_display {
        return Finding::note(
            CHECK,
            "there is none, so browsers run headless",
            "nothing, unless you want to watch: set DISPLAY or WAYLAND_DISPLAY",
        );
    }
    let named = std::env::var("DISPLAY").ok().filter(|_| std::env::var_os("WAYLAND_DISPLAY").is_none());
    match named.as_deref().and_then(socket_of) {
        Some(socket) if !answers(&socket) => Finding::failed(
            CHECK,
            format!("DISPLAY names {}, where nobody answers", socket.display()),
            "start the X server, unset DISPLAY, or use --headless",
        ),
        _ => Finding::ok(CHECK, "is there"),
    }
}

/// `:99` and `:99.0` are a socket on this machine; anything else is not ours to judge.
fn socket_of(display: &str) -> Option<std::path::PathBuf> {
    let number: u32 = display.strip_prefix(':')?.split('.').next()?.parse().ok()?;
    Some(Path::new("/tmp/.X11-unix").join(format!("X{number}")))
}

#[cfg(unix)]
fn answers(socket: &Path) -> bool {
    std::os::unix::net::UnixStream::connect(socket).is_ok()
}

#[cfg(not(unix))]
const fn answers(_: &Path) -> bool {
    true
}

const MEBIBYTE: u64 = 1024 * 1024;
/// A browser's profile and its shared memory, which lies there too.
const LEAST: u64 = 256 * MEBIBYTE;
const COMFORTABLE: u64 = 1024 * MEBIBYTE;
/// Sockets are made in profiles there, and their paths have at most 107 bytes.
const LONGEST: usize = 60;

/// Room for profiles.
pub(super) fn temporary(folder: &Path) -> Finding {
    const CHECK: &str = "temp";
    const MEND: &str = "make room there, or set TMPDIR to a short path with room";
    let shown = folder.display();
    if let Err(error) = tempfile::tempdir_in(folder) {
        return Finding::failed(CHECK, format!("nothing can be written in {shown}: {error}"), MEND);
    }
    if folder.as_os_str().len() > LONGEST {
        return Finding::failed(
            CHECK,
            format!("{shown} is too long for the sockets that browsers make below it"),
            MEND,
        );
    }
    match free(folder) {
        Some(bytes) if bytes < LEAST => {
            Finding::failed(CHECK, format!("{} MiB are free in {shown}", bytes / MEBIBYTE), MEND)
        }
        Some(bytes) if bytes < COMFORTABLE => {
            Finding::note(CHECK, format!("{} MiB are free in {shown}", bytes / MEBIBYTE), MEND)
        }
        Some(bytes) => Finding::ok(CHECK, format!("{} MiB are free in {shown}", bytes / MEBIBYTE)),
        None => Finding::ok(CHECK, format!("{shown} can be written")),
    }
}

#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let told = rustix::fs::statvfs(folder).ok()?;
    Some(told.f_bavail.saturating_mul(told.f_frsize))
}

#[cfg(not(unix))]
const fn free(_: &Path) -> Option<u64> {
    None
}

/// A free port for dev servers, and the one that the server is to listen on.
pub(super) fn ports(transport: &Transport) -> Vec<Finding> {
    const CHECK: &str = "ports";
    let mut findings = vec![match TcpListener::bind((Ipv4Addr::LOCALHOST, 0)) {
        Ok(_) => Finding::ok(CHECK, "a port of 127.0.0.1 can be had"),
        Err(error) => {
            Finding::failed(CHECK, format!("no port of 127.0.0.1 can be had: {error}"), "bring loopback up")
        }
    }];
    if let Transport::Http { host, port } = transport {
        findings.push(match TcpListener::bind((*host, *port)) {
            Ok(_) => Finding::ok(CHECK, format!("{} is free", shown(*host, *port))),
            Err(error) => Finding::failed(
                CHECK,
                format!("the server can't listen on {}: {error}", shown(*host, *port)),
                "end who has it, or choose another by --port",
            ),
        });
    }
    findings
}

fn shown(host: IpAddr, port: u16) -> String {
    std::net::SocketAddr::new(host, port).to_string()
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::report::Verdict;
    use super::*;

    #[test]
    fn a_port_that_somebody_has_is_told() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let found = ports(&Transport::Http { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port });
        assert_eq!(found[0].verdict, Verdict::Ok);
        assert_eq!(found[1].verdict, Verdict::Failed);
        assert!(found[1].seen.contains(&port.to_string()), "{found:?}");
        assert_eq!(ports(&Transport::Stdio).len(), 1);
    }

    #[test]
    fn a_folder_that_can_not_be_used_for_temporary_files_is_told() {
        let folder = tempfile::tempdir().unwrap();
        assert_ne!(temporary(folder.path()).verdict, Verdict::Failed);
        assert_eq!(temporary(&folder.path().join("missing")).verdict, Verdict::Failed);
        let long = folder.path().join("x".repeat(60));
        std::fs::create_dir(&long).unwrap();
        assert!(temporary(&long).seen.contains("too long"));
    }

    #[test]
    fn a_display_is_a_socket_of_this_machine_or_not_ours_to_judge() {
        assert_eq!(socket_of(":99.0"), Some("/tmp/.X11-unix/X99".into()));
        assert_eq!(socket_of("elsewhere:0"), None);
    }
}
