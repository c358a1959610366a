//! Pictures of a page.

use serde::{Deserialize, Serialize};

/// A part of a page, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// What picture to take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// Which part, from the document's top left corner; `None` is what is visible now.
    pub part: Option<Rect>,
    /// Picture pixels per CSS pixel; `None` is the device's own.
    pub scale: Option<f64>,
    /// As which kind of file.
    pub format: PictureFormat,
    /// Without the white ground of a page that has none of its own.
    pub transparent: bool,
}

/// Kinds of picture files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// Lossless.
    Png,
    /// With a quality from 0 to 100.
    Jpeg(u8),
}

/// A picture file.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} bytes)", self.bytes.len())
    }
}
