//! The `package.json` of each package.

use serde_json::{Map, Value, json};

use super::NAME;
use super::platforms::{PLATFORMS, Platform};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");
const REPOSITORY: &str = "git+https://github.com/e2e-mcp-server/e2e-mcp-server.git";
const PURPOSE: &str =
    "Runs the dev server, drives the browser and runs the tests, for AI coding agents, over MCP";

/// The launcher's: it has no dependencies but the platforms, of which npm installs the one that fits.
pub(crate) fn launcher() -> Value {
    let platforms: Map<String, Value> =
        PLATFORMS.iter().map(|platform| (platform.package(), json!(VERSION))).collect();
    json!({
        "name": NAME,
        "version": VERSION,
        "description": PURPOSE,
        "keywords": ["mcp", "mcp-server", "browser", "e2e", "testing"],
        "license": LICENSE,
        "repository": { "type": "git", "url": REPOSITORY },
        "bin": { (NAME): format!("bin/{NAME}.js") },
        "files": ["bin"],
        "engines": { "node": ">=18" },
        "optionalDependencies": platforms,
    })
}

/// A platform's: nothing but the program.
pub(crate) fn platform(platform: &Platform) -> Value {
    let mut manifest = json!({
        "name": platform.package(),
        "version": VERSION,
        "description": format!("The program of {NAME} for {}", platform.name()),
        "license": LICENSE,
        "repository": { "type": "git", "url": REPOSITORY },
        "files": ["bin"],
        "os": [platform.os],
        "cpu": [platform.cpu],
        // A package manager that keeps packages as archives must unpack this one: a program can't be run from within.
        "preferUnplugged": true,
    });
    if let Some(libc) = platform.libc {
        manifest["libc"] = json!([libc]);
    }
    manifest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_asks_for_every_platform_in_its_own_version() {
        let launcher = launcher();
        let wanted = launcher["optionalDependencies"].as_object().unwrap();
        assert_eq!(wanted.len(), PLATFORMS.len());
        for one in PLATFORMS {
            assert_eq!(wanted[&one.package()], platform(one)["version"]);
        }
    }

    #[test]
    fn no_script_runs_when_a_package_is_installed() {
        for manifest in PLATFORMS.iter().map(platform).chain([launcher()]) {
            assert!(
                manifest.get("scripts").is_none() && manifest.get("dependencies").is_none(),
                "{manifest}"
            );
        }
    }

    #[test]
    fn a_platform_is_installed_where_it_fits_and_nowhere_else() {
        for one in PLATFORMS {
            let manifest = platform(one);
            assert_eq!(manifest["name"], format!("@e2e-mcp-server/{}-{}", one.os, one.cpu));
            assert_eq!((&manifest["os"], &manifest["cpu"]), (&json!([one.os]), &json!([one.cpu])));
            assert_eq!(manifest.get("libc").is_some(), one.os == "linux");
        }
    }
}
