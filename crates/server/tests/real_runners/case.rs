//! A tiny project of one runner, and what `run_test` must make of it.
//!
//! Each project has two files: in one the test `adds` passes, in the other the test `rounds` fails. A test that runs
//! leaves a file of its name in the folder that the variable `RAN` names, so that which tests ran is a fact and not a
//! reading of the output.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient};
use testkit::{SampleProject, process};

use crate::common::{LIMIT, with};

/// The project of one runner.
pub(crate) struct Case {
    pub(crate) runner: &'static str,
    /// Path and text of each file.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// Packages of npm that it needs.
    pub(crate) npm: bool,
    /// The file of the test that passes.
    pub(crate) passing: &'static str,
    pub(crate) failing: Failing,
    /// A file whose name begins with a dash, with the test `dashes`; where no such file can hold tests, nothing.
    pub(crate) dashed: Option<&'static str>,
}

/// What must be told of the test that fails.
pub(crate) struct Failing {
    pub(crate) test: &'static str,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    /// A part of the message.
    pub(crate) message: &'static str,
}

impl Case {
    /// Runs the project in every scope.
    pub(crate) fn holds(&self) {
        let mut run = Run::begin(self);
        run.all();
        run.file();
        run.pattern();
        run.dashes();
        run.nothing_is_left();
    }
}

/// A case's project, with a server in it.
struct Run<'a> {
    case: &'a Case,
    /// Its folder goes when this does.
    _project: SampleProject,
    scratch: tempfile::TempDir,
    client: StdioClient,
}

impl<'a> Run<'a> {
    fn begin(case: &'a Case) -> Self {
        let mut project = SampleProject::new().unwrap();
        for (path, text) in case.files {
            project = project.file(path, text).unwrap();
        }
        if case.npm {
            project = project.npm().unwrap();
        }
        let scratch = tempfile::tempdir().unwrap();
        let client = serve(&project, scratch.path());
        Self { case, _project: project, scratch, client }
    }

    /// The failing test is told with its name, place and message.
    fn all(&mut self) {
        let answer = self.run(&json!({"scope": "all"}));
        assert_eq!(answer["status"], "fail", "{answer:#}");
        let failing = &self.case.failing;
        let [failure] = answer["failures"].as_array().unwrap().as_slice() else {
            panic!("there is one failure in {answer:#}")
        };
        assert_eq!(failure["test"], failing.test);
        assert_eq!((&failure["file"], &failure["line"]), (&json!(failing.file), &json!(failing.line)));
        assert!(failure["message"].as_str().unwrap().contains(failing.message), "{failure:#}");
        let mut expected = vec!["adds", "rounds"];
        expected.extend(self.case.dashed.map(|_| "dashes"));
        expected.sort_unstable();
        assert_eq!(self.ran(), expected);
    }

    fn file(&mut self) {
        let answer = self.run(&json!({"scope": "file", "target": self.case.passing}));
        assert_eq!(answer["status"], "pass", "{answer:#}");
        assert_eq!(self.ran(), ["adds"]);
    }

    fn pattern(&mut self) {
        let answer = self.run(&json!({"scope": "pattern", "target": "adds"}));
        assert_eq!(answer["status"], "pass", "{answer:#}");
        assert!(answer.get("warnings").is_none(), "{answer:#}");
        assert_eq!(self.ran(), ["adds"]);
    }

    /// A target that looks like an option is none: the pattern matches nothing, which is told, and the file is run.
    fn dashes(&mut self) {
        let answer = self.run(&json!({"scope": "pattern", "target": "--help"}));
        assert_eq!(self.ran(), [""; 0], "{answer:#}");
        assert!(
            answer["warnings"][0].as_str().is_some_and(|told| told.starts_with("no tests ran")),
            "{answer:#}"
        );
        let log = std::fs::read_to_string(answer["artifacts"]["raw_log"].as_str().unwrap()).unwrap();
        assert!(!log.to_lowercase().contains("usage:"), "{log}");
        if let Some(file) = self.case.dashed {
            let answer = self.run(&json!({"scope": "file", "target": file}));
            assert_eq!(answer["status"], "pass", "{answer:#}");
            assert_eq!(self.ran(), ["dashes"]);
        }
    }

    /// Everything that a run started has the variable `RAN` in its environment, whoever adopted it.
    fn nothing_is_left(self) {
        let mark = format!("RAN={}", self.markers().display());
        let mut left = process::with_variable(&mark);
        left.retain(|pid| *pid != self.client.server().pid());
        assert_eq!(left, [0; 0], "processes of {} live on", self.case.runner);
    }

    fn run(&mut self, changes: &Value) -> Value {
        let mut args = with(changes);
        args["runner"] = json!(self.case.runner);
        let answer = self.client.call_tool_within("run_test", &args, LIMIT).unwrap().json();
        let log =
            PathBuf::from(answer["artifacts"]["raw_log"].as_str().unwrap_or_else(|| panic!("{answer:#}")));
        let log = String::from_utf8_lossy(&std::fs::read(log).unwrap()).into_owned();
        assert!(!is_coloured(&log), "there are colours in {log:?}");
        assert!(answer.get("processes").is_none(), "{answer:#}");
        answer
    }

    /// The tests that ran since this was asked last.
    fn ran(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.markers()).unwrap().map(Result::unwrap);
        let mut names: Vec<String> = Vec::new();
        for entry in entries {
            names.push(entry.file_name().into_string().unwrap());
            std::fs::remove_file(entry.path()).unwrap();
        }
        names.sort();
        names
    }

    fn markers(&self) -> PathBuf {
        markers(self.scratch.path())
    }
}

fn markers(scratch: &Path) -> PathBuf {
    scratch.join("ran")
}

/// For Java machines that live for seconds: half the time, less than half the work.
const SHORT_LIVED: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/// The server in the project, with an environment that forces colours wherever it is not mended, and in which caches
/// and temporary files go to `scratch`.
fn serve(project: &SampleProject, scratch: &Path) -> StdioClient {
    let folder = |name: &str| {
        let folder = scratch.join(name);
        std::fs::create_dir(&folder).unwrap();
        folder.into_os_string().into_string().unwrap()
    };
    let temporary = folder("tmp");
    // Java does not ask the environment where its temporary files go.
    let java = format!("{SHORT_LIVED} -Djava.io.tmpdir={temporary}");
    let env = [
        ("RAN", folder("ran")),
        ("TMPDIR", temporary),
        ("GOCACHE", folder("go-build")),
        ("GOPATH", folder("go")),
        ("GRADLE_USER_HOME", folder("gradle")),
        ("GRADLE_OPTS", java.clone()),
        ("MAVEN_OPTS", java),
        ("FORCE_COLOR", "1".to_owned()),
        ("CLICOLOR_FORCE", "1".to_owned()),
        ("PATH", project.path_env()),
    ];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let program = env!("CARGO_BIN_EXE_e2e-mcp-server");
    let mut client = StdioClient::start(program, &["--tools", "test"], &env, &project.root()).unwrap();
    client.initialize(Revision::V2025_11_25).unwrap();
    client
}

/// Whether there is an escape sequence beside those that switch colours off: Maven's console library writes them when
/// it begins and ends, whatever it is told.
fn is_coloured(log: &str) -> bool {
    log.replace("\u{1b}[0m", "").replace("\u{1b}[m", "").contains('\u{1b}')
}
