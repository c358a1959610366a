//! What tests have a browser tell.

use crate::backend::{Dialog, DialogKind, PageEvent, Request, ResourceKind};

/// A plain request.
pub(crate) fn request(id: &str, url: &str, kind: ResourceKind) -> Request {
    Request {
        id: id.into(),
        frame: None,
        navigation: None,
        url: url.to_owned(),
        method: "GET".to_owned(),
        kind,
        headers: Vec::new(),
        has_body: false,
        redirected: false,
        at: 0.0,
    }
}

/// A request's end.
pub(crate) fn finished(id: &str) -> PageEvent {
    PageEvent::Finished { id: id.into(), bytes: None }
}

/// A dialog that says hello.
pub(crate) fn dialog() -> Dialog {
    Dialog {
        id: "d".into(),
        kind: DialogKind::Alert,
        message: "hello".to_owned(),
        default_text: String::new(),
        url: String::new(),
    }
}
