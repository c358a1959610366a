//! Firefox without its windows.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use backends::browsers::firefox::{Choice, LaunchOptions, find, launch, prepare};
use base::Deadline;
use engine::backend::Browser;

use super::Setting;

pub(super) async fn start(setting: &Setting<'_>) -> Arc<dyn Browser> {
    let options = LaunchOptions {
        executable: find(&Choice::default(), &setting.places).unwrap(),
        headless: true,
        args: Vec::new(),
        profiles: setting.folder.to_owned(),
        templates: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("firefox")),
        home: None,
        confined: false,
        system_access: false,
    };
    let deadline = Deadline::after(Duration::from_secs(60));
    // Before anything is measured; otherwise it would be made beside the first cases.
    prepare(&setting.supervisor, &options, deadline).await.unwrap();
    launch(&setting.supervisor, options, deadline).await.unwrap()
}
