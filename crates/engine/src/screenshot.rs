//! Pictures of a page: what is in view, the whole of it, or one element. Never larger than a client takes, and for a model
//! to look at as small as it would make them anyway.

use std::fmt;

use base::CallScope;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::action::through::Passage;
use crate::backend::{Picture, PictureFormat, Point, Rect, Shot};
use crate::drawn::Drawn;
use crate::failed::{Failed, Obstacle};
use crate::locator::Selector;
use crate::page::Page;
use crate::target::Target;

/// The longest side of a picture, in its own pixels: models and clients refuse larger ones.
pub const LONGEST_SIDE: f64 = 8000.0;
/// The longest side of a picture in a conversation, and as many pixels as it has: models scale larger ones down to this,
/// after all of it has been sent.
const SHOWN_SIDE: f64 = 1568.0;
const SHOWN_PIXELS: f64 = 1_150_000.0;

/// What picture to take.
#[derive(Debug, Clone, PartialEq)]
pub struct ScreenshotOptions {
    /// Of this element.
    pub target: Option<Target>,
    /// Of the whole page; otherwise of what is in view.
    pub full_page: bool,
    /// As which kind of file.
    pub format: PictureFormat,
    /// One pixel per CSS pixel, whatever the device has.
    pub css_scale: bool,
    /// Also as it is to be shown in a conversation, where that is smaller.
    pub shown: bool,
}

impl Default for ScreenshotOptions {
    fn default() -> Self {
        Self { target: None, full_page: false, format: PictureFormat::Png, css_scale: true, shown: false }
    }
}

/// A picture of a page.
#[derive(Clone, PartialEq, Eq)]
pub struct Screenshot {
    /// The file.
    pub bytes: Vec<u8>,
    /// What kind of file.
    pub mime: &'static str,
    /// In its own pixels.
    pub width: u32,
    /// In its own pixels.
    pub height: u32,
    /// A part of what was asked for is missing: it would have been too large.
    pub cut: bool,
    /// The same, smaller, if that was wanted and it is too large for a conversation.
    pub shown: Option<Smaller>,
    /// A selector that finds the element alone, through the frames, for generated code.
    pub locator: Option<Selector>,
}

/// A picture that was made smaller.
#[derive(Clone, PartialEq, Eq)]
pub struct Smaller {
    /// The file.
    pub bytes: Vec<u8>,
    /// In its own pixels.
    pub width: u32,
    /// In its own pixels.
    pub height: u32,
}

impl Screenshot {
    /// The file to be shown in a conversation.
    pub fn into_shown(self) -> Vec<u8> {
        self.shown.map_or(self.bytes, |smaller| smaller.bytes)
    }
}

impl fmt::Debug for Screenshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Screenshot({}x{}, {} bytes, {:?})", self.width, self.height, self.bytes.len(), self.shown)
    }
}

impl fmt::Debug for Smaller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Smaller({}x{}, {} bytes)", self.width, self.height, self.bytes.len())
    }
}

/// What `injected.extent` tells.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extent {
    width: f64,
    height: f64,
    x: f64,
    y: f64,
    view_width: f64,
    view_height: f64,
    scale: f64,
}

/// What `injected.box` tells.
#[derive(Debug, Deserialize)]
struct Boxed {
    rect: Rect,
    selector: String,
}

impl Page {
    /// Takes a picture.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn screenshot(
        &self,
        options: &ScreenshotOptions,
        scope: &CallScope,
    ) -> Result<Screenshot, Failed> {
        let main = self.main_frame();
        let (wanted, locator) = match &options.target {
            Some(target) => {
                self.box_of(target, scope).await.map(|(part, found)| (Some(part), Some(found)))?
            }
            None => (None, None),
        };
        if wanted.is_none() {
            self.all_drawn(scope).await?;
        }
        let extent: Extent = self.ask_anew(&main, "extent", Value::Null, scope).await?;
        let scale = if options.css_scale { 1.0 } else { extent.scale };
        let whole = match wanted {
            Some(part) => Rect { x: part.x + extent.x, y: part.y + extent.y, ..part },
            None if options.full_page => Rect { x: 0.0, y: 0.0, width: extent.width, height: extent.height },
            None => Rect { x: extent.x, y: extent.y, width: extent.view_width, height: extent.view_height },
        };
        let (part, cut) = within_bounds(whole, scale);
        let in_view = wanted.is_none() && !options.full_page && !cut;
        let shot = Shot {
            part: (!in_view).then_some(part),
            scale: options.css_scale.then_some(1.0),
            format: options.format,
            transparent: false,
        };
        let picture = self.attempt(scope, self.backend().picture(shot)).await?;
        let mime = match options.format {
            PictureFormat::Png => "image/png",
            PictureFormat::Jpeg(_) => "image/jpeg",
        };
        let pixels = |length: f64, scale: f64| (length * scale).round().max(1.0) as u32;
        let size = |scale: f64| (pixels(part.width, scale), pixels(part.height, scale));
        let shown = match smaller(part, scale).filter(|_| options.shown) {
            Some(scale) => {
                let shot = Shot { part: Some(part), scale: Some(scale), ..shot };
                let Picture { bytes } = self.attempt(scope, self.backend().picture(shot)).await?;
                let (width, height) = size_in(&bytes).unwrap_or_else(|| size(scale));
                Some(Smaller { bytes, width, height })
            }
            None => None,
        };
        let (width, height) = size(scale);
        Ok(Screenshot { bytes: picture.bytes, mime, width, height, cut, shown, locator })
    }

    /// The box of an element in the viewport of the topmost frame, and what finds it.
    async fn box_of(&self, target: &Target, scope: &CallScope) -> Result<(Rect, Selector), Failed> {
        let place = self.place(target, scope).await?;
        let held = self.locate(&place, target, scope).await?;
        let found: Option<Boxed> = self.ask(&place.frame, "box", json!({ "held": held }), scope).await?;
        let refused =
            |obstacle| Failed::NotActionable { element: target.to_string(), obstacle, diary: Vec::new() };
        let Boxed { rect, selector } = found.ok_or_else(|| refused(Obstacle::Detached))?;
        if rect.width < 1.0 || rect.height < 1.0 {
            return Err(refused(Obstacle::Invisible));
        }
        let corner = Point { x: rect.x, y: rect.y };
        match self.to_the_top(&place.frame, corner, &selector, Passage::Show, scope).await? {
            Ok((corner, locator)) => {
                self.drawn(&place.frame, Drawn::Now, scope).await?;
                Ok((Rect { x: corner.x, y: corner.y, ..rect }, locator))
            }
            Err(_) => Err(refused(Obstacle::Invisible)),
        }
    }
}

/// The part of `whole` that is not too large at this scale, and whether that leaves something out.
fn within_bounds(whole: Rect, scale: f64) -> (Rect, bool) {
    let longest = LONGEST_SIDE / scale;
    let part =
        Rect { width: whole.width.clamp(1.0, longest), height: whole.height.clamp(1.0, longest), ..whole };
    (part, whole.width > longest || whole.height > longest)
}

/// The scale at which a part that is too large for a conversation at `scale` is not.
fn smaller(part: Rect, scale: f64) -> Option<f64> {
    let (width, height) = (part.width * scale, part.height * scale);
    let side = SHOWN_SIDE / width.max(height);
    let area = (SHOWN_PIXELS / (width * height)).sqrt();
    let share = side.min(area);
    // A browser may round up a side.
    (share < 1.0).then(|| scale * (share - 0.5 / width.max(height)))
}

/// The size that a PNG says it has (PNG 11.2.1, `IHDR`): browsers round the sides of another scale in their own ways.
fn size_in(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(8..16)?;
    let (width, height) = header.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*width), u32::from_be_bytes(height.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pictures_own_size_is_read_where_it_tells_it() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x02\x9c\0\0\x06\x1f\x08";
        assert_eq!(size_in(png), Some((668, 1567)));
        assert_eq!(size_in(&png[..20]), None);
        assert_eq!(size_in(b"\xff\xd8\xff\xe0"), None);
    }

    #[test]
    fn what_is_shown_is_no_larger_than_a_model_looks_at() {
        let of = |width, height| Rect { x: 0.0, y: 0.0, width, height };
        assert_eq!(smaller(of(1280.0, 720.0), 1.0), None);
        assert_eq!(smaller(of(400.0, 1568.0), 1.0), None);
        for (part, scale) in [
            (of(1280.0, 720.0), 2.0),
            (of(1280.0, 8000.0), 1.0),
            (of(1920.0, 1080.0), 1.0),
            (of(8000.0, 50.0), 1.0),
        ] {
            let shown = smaller(part, scale).unwrap();
            let (width, height) = ((part.width * shown).ceil(), (part.height * shown).ceil());
            assert!(
                width.max(height) <= SHOWN_SIDE && width * height <= SHOWN_PIXELS * 1.002,
                "{part:?}: {width} × {height}"
            );
            assert!(
                width.max(height) > SHOWN_SIDE - 3.0 || width * height > SHOWN_PIXELS * 0.99,
                "{part:?}: {width} × {height}"
            );
        }
    }

    #[test]
    fn a_picture_is_never_too_large_and_says_what_is_missing() {
        let tall = Rect { x: 0.0, y: 0.0, width: 1280.0, height: 50_000.0 };
        assert_eq!(within_bounds(tall, 1.0), (Rect { height: 8000.0, ..tall }, true));
        assert_eq!(within_bounds(tall, 2.0), (Rect { height: 4000.0, ..tall }, true));
        let small = Rect { x: 0.0, y: 0.0, width: 1280.0, height: 720.0 };
        assert_eq!(within_bounds(small, 2.0), (small, false));
    }
}
