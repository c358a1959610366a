//! `dotnet test`.
//!
//! Build servers and the terminal logger are switched off by environment variables: as options they would be refused
//! by the SDK versions that do not know them.

use std::path::Path;

use base::{Workspace, WorkspacePath};

use super::command::{Runner, Scope, Untranslatable};
use super::program::Program;
use super::target::{file_argument, option, words};
use crate::failures::{WithFallback, dotnet};

const FIXED: &[&str] = &["test", "--nologo"];

const NO_CLASS: Untranslatable = Untranslatable(
    "only .cs, .fs and .vb files with a class of the same name, and project or solution files, can be selected; use \
     scope `pattern`",
);

pub(super) const DOTNET: Runner = Runner {
    name: "dotnet",
    about: ".NET tests (xUnit, NUnit, MSTest)",
    notes: "A source file becomes the class of its name (`--filter`) in the nearest project above it; a project or \
            solution file runs whole.",
    pattern: "a part of the test's full name, or a filter expression such as `TestCategory=fast`",
    example: "tests/CartTests.cs",
    programs: &[Program::on_path("dotnet")],
    install: "install the .NET SDK and put `dotnet` on PATH: https://dotnet.microsoft.com/download",
    env: &[
        ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
        ("DOTNET_NOLOGO", "1"),
        ("DOTNET_CLI_UI_LANGUAGE", "en"),
        ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
        ("MSBUILDDISABLENODEREUSE", "1"),
        ("MSBUILDTERMINALLOGGER", "off"),
        ("UseSharedCompilation", "false"),
    ],
    arguments: |scope, workspace| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => file_arguments(file, workspace)?,
            Scope::Pattern(pattern) => words(FIXED, [option("--filter", pattern)]),
        })
    },
    extractor: WithFallback::<dotnet::Dotnet>::boxed,
    ran: dotnet::ran,
};

fn file_arguments(
    file: &WorkspacePath,
    workspace: &Workspace,
) -> Result<Vec<std::ffi::OsString>, Untranslatable> {
    let extension = file.relative().extension().and_then(|extension| extension.to_str());
    match extension {
        Some("csproj" | "fsproj" | "vbproj" | "sln" | "slnx") => Ok(words(FIXED, [file_argument(file)])),
        Some("cs" | "fs" | "vb") => {
            let stem = file.relative().file_stem().and_then(|stem| stem.to_str()).ok_or(NO_CLASS)?;
            // `CartTests.Discounts.cs` is, by custom, a part of the class `CartTests`.
            let class = stem.split('.').next().unwrap_or(stem);
            if class.is_empty() || !class.chars().all(|c| c.is_alphanumeric() || c == '_') {
                return Err(NO_CLASS);
            }
            let filter = option("--filter", &format!("FullyQualifiedName~{class}."));
            Ok(words(FIXED, project_of(file, workspace).into_iter().chain([filter])))
        }
        _ => Err(NO_CLASS),
    }
}

/// The nearest folder above the file with a project in it; nothing when that is the workspace itself.
fn project_of(file: &WorkspacePath, workspace: &Workspace) -> Option<std::ffi::OsString> {
    let has_project = |folder: &&Path| {
        let entries = workspace.root().join(folder).read_dir();
        entries.is_ok_and(|entries| {
            entries.flatten().any(|entry| {
                let path = entry.path();
                path.extension().is_some_and(|e| e == "csproj" || e == "fsproj" || e == "vbproj")
            })
        })
    };
    let folder = file.relative().ancestors().skip(1).find(has_project)?;
    (folder != Path::new("")).then(|| {
        let parts: Vec<_> = folder.iter().map(|part| part.to_string_lossy()).collect();
        format!("./{}", parts.join("/")).into()
    })
}
