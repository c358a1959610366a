//! `cargo xtask npm`: the packages of npm, packed and ready to be published.
//!
//! The launcher's files lie in `npm/launcher`; every manifest is made from the table of [`platforms`]. A platform's package
//! is packed when its program is at hand: this machine's is built here, another's is named by `--binary`.

mod manifest;
mod platforms;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use platforms::{PLATFORMS, Platform};
use serde_json::Value;

use crate::repo;

/// The launcher's name, the program's, and the scope of the platforms' packages.
const NAME: &str = "e2e-mcp-server";

/// What is to be packed.
#[derive(Default)]
struct Wanted {
    out: Option<PathBuf>,
    programs: Vec<(&'static Platform, PathBuf)>,
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut wanted = wanted(arguments)?;
    let target = repo::target_dir()?;
    let out = wanted.out.take().unwrap_or_else(|| target.join("npm"));
    if wanted.programs.is_empty() {
        wanted.programs.push(built(&target)?);
    }
    let staging = out.join("staging");
    if staging.exists() {
        std::fs::remove_dir_all(&staging)?;
    }
    let launcher = staging.join(NAME);
    copy(&repo::root().join("npm/launcher"), &launcher)?;
    let mut packages = vec![stage(launcher, manifest::launcher())?];
    for platform in PLATFORMS {
        let package = stage(staging.join(platform.name()), manifest::platform(platform))?;
        if let Some((_, program)) = wanted.programs.iter().find(|(one, _)| *one == platform) {
            add_program(&package.0, platform, program)?;
            packages.push(package);
        } else {
            println!(
                "not packed: {}, whose program ({}) is not at hand",
                platform.package(),
                platform.target
            );
        }
    }
    for (folder, manifest) in packages {
        println!("packed: {}", pack(&folder, &manifest, &out)?.display());
    }
    Ok(())
}

fn wanted(arguments: &[String]) -> anyhow::Result<Wanted> {
    let mut wanted = Wanted::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--out" => wanted.out = Some(std::path::absolute(value)?),
            "--binary" => wanted.programs.push(program(value)?),
            _ => bail!("npm takes --out DIR and --binary PLATFORM=PATH, not {word}"),
        }
    }
    Ok(wanted)
}

/// `linux-x64=target/dist/e2e-mcp-server`.
fn program(text: &str) -> anyhow::Result<(&'static Platform, PathBuf)> {
    let (name, path) = text.split_once('=').context("--binary is PLATFORM=PATH")?;
    let platform = Platform::named(name).with_context(|| {
        let known: Vec<String> = PLATFORMS.iter().map(Platform::name).collect();
        format!("there is no platform {name}; there are {}", known.join(", "))
    })?;
    ensure!(Path::new(path).is_file(), "{path} is no file");
    Ok((platform, std::path::absolute(path)?))
}

/// This machine's program, as it is shipped.
fn built(target: &Path) -> anyhow::Result<(&'static Platform, PathBuf)> {
    let platform = Platform::of_this_machine().context("there is no package for this machine's platform")?;
    repo::show(repo::cargo().args(["build", "--package", NAME, "--profile", "dist"]))?;
    Ok((platform, target.join("dist").join(platform.program())))
}

/// A folder to be packed, with its manifest and the licence.
fn stage(folder: PathBuf, manifest: Value) -> anyhow::Result<(PathBuf, Value)> {
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("package.json"), format!("{manifest:#}\n"))?;
    std::fs::copy(repo::root().join("LICENSE"), folder.join("LICENSE"))?;
    Ok((folder, manifest))
}

/// Permission to execute is part of the archive, and copying keeps it.
fn add_program(folder: &Path, platform: &Platform, program: &Path) -> anyhow::Result<()> {
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin)?;
    std::fs::copy(program, bin.join(platform.program()))?;
    let words = format!(
        "The program of [{NAME}](https://www.npmjs.com/package/{NAME}) for {} ({}). Install that package, not this one.\n",
        platform.name(),
        platform.target
    );
    std::fs::write(folder.join("README.md"), format!("# {}\n\n{words}", platform.package()))?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("can't read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Packs a folder and says where the archive is.
fn pack(folder: &Path, manifest: &Value, out: &Path) -> anyhow::Result<PathBuf> {
    let mut npm = Command::new("npm");
    npm.args(["pack", "--silent", "--ignore-scripts", "--pack-destination"]).arg(out);
    repo::show(npm.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()))?;
    let name = |key: &str| manifest[key].as_str().unwrap_or_default().replace('@', "").replace('/', "-");
    let archive = out.join(format!("{}-{}.tgz", name("name"), name("version")));
    ensure!(archive.is_file(), "npm packed no {}", archive.display());
    Ok(archive)
}
