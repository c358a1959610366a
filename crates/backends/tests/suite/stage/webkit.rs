//! WebKit on a display of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use backends::browsers::webkit::{Choice, LaunchOptions, find, launch};
use base::Deadline;
use engine::backend::Browser;

use super::Setting;

pub(super) async fn start(setting: &Setting<'_>) -> Arc<dyn Browser> {
    let executable = find(&Choice::default(), &setting.places).unwrap();
    let options = LaunchOptions {
        executable,
        headless: true,
        args: Vec::new(),
        profiles: setting.folder.to_owned(),
        cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("webkit")),
        confined: false,
    };
    launch(&setting.supervisor, options, Deadline::after(Duration::from_secs(30))).await.unwrap()
}
