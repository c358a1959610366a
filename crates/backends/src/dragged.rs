//! What a page is told of something that is dragged, where no browser tells it.

use engine::backend::Modifiers;
use serde_json::{Value, json};

/// The keys that are held, in an event's words.
pub(crate) fn keys(held: Modifiers) -> Value {
    json!({ "altKey": held.alt, "ctrlKey": held.control, "metaKey": held.meta, "shiftKey": held.shift })
}

/// What a browser takes a file for, by its name.
pub(crate) fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
        Some("txt" | "text" | "log") => "text/plain",
        Some("csv") => "text/csv",
        Some("html" | "htm") => "text/html",
        Some("json") => "application/json",
        Some("pdf") => "application/pdf",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        Some("webp") => "image/webp",
        Some("zip") => "application/zip",
        Some("xml") => "text/xml",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        Some("mp4") => "video/mp4",
        Some("mp3") => "audio/mpeg",
        _ => "",
    }
}
