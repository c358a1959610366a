//! Where programs may lie on this machine. Handed in, so that nothing here reads the environment and tests can make
//! machines of their own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folders in which browsers are looked for.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The file system's root; another one only in tests.
    pub root: PathBuf,
    /// The folders of PATH.
    pub path: Vec<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// Where caches go, if not below the home: `XDG_CACHE_HOME`.
    pub cache: Option<PathBuf>,
    /// Where Playwright keeps its browsers, if it was told: `PLAYWRIGHT_BROWSERS_PATH`.
    pub playwright: Option<PathBuf>,
    /// Where Puppeteer keeps its browsers, if it was told: `PUPPETEER_CACHE_DIR`.
    pub puppeteer: Option<PathBuf>,
}

impl Places {
    /// The places of this machine, by its environment.
    pub fn of_environment(variable: impl Fn(&str) -> Option<OsString>, home: Option<PathBuf>) -> Self {
        let folder = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Self {
            root: PathBuf::from("/"),
            path: variable("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default(),
            home,
            cache: folder("XDG_CACHE_HOME"),
            playwright: folder("PLAYWRIGHT_BROWSERS_PATH"),
            puppeteer: folder("PUPPETEER_CACHE_DIR"),
        }
    }

    /// A path below the root.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// A program on PATH.
    pub(crate) fn on_path(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        self.path.iter().map(move |folder| folder.join(name))
    }

    /// The folder of Playwright's browsers.
    pub(crate) fn playwright_cache(&self) -> Option<PathBuf> {
        let usual = || {
            if cfg!(target_os = "macos") {
                return self.home.as_ref().map(|home| home.join("Library/Caches/ms-playwright"));
            }
            self.cache_folder().map(|cache| cache.join("ms-playwright"))
        };
        self.playwright.clone().or_else(usual)
    }

    /// The folder of Puppeteer's browsers.
    pub(crate) fn puppeteer_cache(&self) -> Option<PathBuf> {
        self.puppeteer.clone().or_else(|| self.home.as_ref().map(|home| home.join(".cache/puppeteer")))
    }

    /// The folder for what we keep for the next time.
    pub fn own_cache(&self) -> Option<PathBuf> {
        self.cache_folder().map(|cache| cache.join("e2e-mcp-server"))
    }

    /// Where caches of the user's are.
    pub(crate) fn cache_folder(&self) -> Option<PathBuf> {
        self.cache.clone().or_else(|| self.home.as_ref().map(|home| home.join(".cache")))
    }
}

/// No browser is there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no {wanted} was found; {remedy}")]
pub struct NotFound {
    /// What was wanted.
    pub wanted: String,
    /// What to do about it here.
    pub remedy: String,
    /// Where it was looked for.
    pub looked: Vec<PathBuf>,
}

/// Whether a program is there that may be executed.
pub(crate) fn is_program(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        metadata.is_file()
    }
}

/// The folders in `folder` whose names begin with `prefix`, the newest version first: `chromium-1228` before
/// `chromium-1187`.
pub(crate) fn versions(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<(Vec<u64>, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let version = name.strip_prefix(prefix)?;
            let numbers = version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok());
            Some((numbers.collect(), entry.path()))
        })
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}
