//! The platforms that there is a package for: one table, from which every manifest is made.

/// One platform, by the names that each tool has for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Platform {
    /// Node's `process.platform`, and npm's `os`.
    pub(crate) os: &'static str,
    /// Node's `process.arch`, and npm's `cpu`.
    pub(crate) cpu: &'static str,
    /// npm's `libc`, where the binary is linked to one.
    pub(crate) libc: Option<&'static str>,
    /// Rust's target.
    pub(crate) target: &'static str,
}

const fn platform(
    os: &'static str,
    cpu: &'static str,
    libc: Option<&'static str>,
    target: &'static str,
) -> Platform {
    Platform { os, cpu, libc, target }
}

/// All of them.
pub(crate) const PLATFORMS: &[Platform] = &[
    platform("linux", "x64", Some("glibc"), "x86_64-unknown-linux-gnu"),
    platform("linux", "arm64", Some("glibc"), "aarch64-unknown-linux-gnu"),
    platform("darwin", "x64", None, "x86_64-apple-darwin"),
    platform("darwin", "arm64", None, "aarch64-apple-darwin"),
    platform("win32", "x64", None, "x86_64-pc-windows-msvc"),
];

impl Platform {
    /// `linux-x64`, as the launcher spells the platform that it runs on.
    pub(crate) fn name(&self) -> String {
        format!("{}-{}", self.os, self.cpu)
    }

    /// `@e2e-mcp-server/linux-x64`.
    pub(crate) fn package(&self) -> String {
        format!("@{}/{}", super::NAME, self.name())
    }

    /// The program's file name.
    pub(crate) fn program(&self) -> String {
        let suffix = if self.os == "win32" { ".exe" } else { "" };
        format!("{}{suffix}", super::NAME)
    }

    /// The platform of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PLATFORMS.iter().find(|platform| platform.name() == name)
    }

    /// The platform that this machine is.
    pub(crate) fn of_this_machine() -> Option<&'static Self> {
        let os = match std::env::consts::OS {
            "macos" => "darwin",
            "windows" => "win32",
            os => os,
        };
        let cpu = match std::env::consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            cpu => cpu,
        };
        Self::named(&format!("{os}-{cpu}"))
    }
}
