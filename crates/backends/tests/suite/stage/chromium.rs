//! Chromium: the shell, the full browser, and that with its windows.

use std::sync::Arc;
use std::time::Duration;

use backends::browsers::chromium::{Choice, LaunchOptions, Sandbox, find, launch};
use base::Deadline;
use engine::backend::Browser;

use super::{Mode, Setting};

/// Debian's, which is no shell.
const FULL: &str = "/usr/bin/chromium";

pub(super) async fn start(setting: &Setting<'_>) -> Arc<dyn Browser> {
    let headed = setting.mode == Mode::Windows;
    let executable = (setting.mode == Mode::Full).then(|| FULL.into());
    let executable = find(&Choice { executable, headed, ..Choice::default() }, &setting.places).unwrap();
    let args = setting
        .display
        .iter()
        .flat_map(|display| ["--ozone-platform=x11".into(), format!("--display={}", display.name()).into()]);
    let options = LaunchOptions {
        executable,
        headless: !headed,
        sandbox: Sandbox::On,
        args: args.collect(),
        profiles: setting.folder.to_owned(),
        confined: false,
    };
    launch(&setting.supervisor, options, Deadline::after(Duration::from_secs(30))).await.unwrap()
}
