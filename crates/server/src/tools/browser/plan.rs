//! How a session is to be, by the server's settings and the arguments of create_session.

use engine::backend::{ContextOptions, Viewport};

use super::files::Files;
use crate::config::Isolation;
use crate::session::Plan;
use crate::tools::Services;

/// A session of which nothing was said.
pub(super) fn usual(services: &Services) -> Plan {
    let browser = &services.options.browser;
    let (width, height) = browser.viewport;
    Plan {
        name: None,
        wanted: browser.wanted(),
        alone: browser.isolation == Isolation::Process,
        options: ContextOptions {
            viewport: Some(viewport(width, height)),
            user_agent: browser.user_agent.clone(),
            ignore_https_errors: browser.ignore_https_errors,
            test_id_attribute: browser.test_id_attribute.clone(),
            downloads: Files::of(services).downloads(),
            ..ContextOptions::default()
        },
        storage: None,
    }
}

/// A page of this size, on a plain screen.
pub(super) fn viewport(width: u32, height: u32) -> Viewport {
    Viewport { width, height, scale: 1.0, mobile: false }
}
