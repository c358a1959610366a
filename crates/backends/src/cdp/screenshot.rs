//! Pictures and prints.

use engine::backend::{BackendError, Picture, PictureFormat, Rect, Shot};
use wire::cdp::Session;
use wire::cdp::types::{emulation, page};

use super::page::{Page, lock};

impl Page {
    pub(super) async fn take_picture(&self, shot: Shot) -> Result<Picture, BackendError> {
        let (format, quality) = match shot.format {
            PictureFormat::Png => (page::ImageFormat::Png, None),
            PictureFormat::Jpeg(quality) => (page::ImageFormat::Jpeg, Some(i64::from(quality))),
        };
        let (clip, beyond) = self.clip(&shot).await?;
        let _bare = if shot.transparent { Some(self.bare().await?) } else { None };
        let capture = page::CaptureScreenshot {
            format: Some(format),
            quality,
            clip,
            capture_beyond_viewport: Some(beyond),
            // A somewhat larger file in a third of the time.
            optimize_for_speed: Some(true),
            ..page::CaptureScreenshot::new()
        };
        let taken = self.call(&self.session, &capture).await?;
        Ok(Picture { bytes: taken.data.0 })
    }

    /// Which part to take, in which size, and whether it lies beyond what is visible: only then is the page laid out
    /// anew for the picture, which its scripts may notice.
    async fn clip(&self, shot: &Shot) -> Result<(Option<page::Viewport>, bool), BackendError> {
        let device = lock(&self.viewport).scale;
        if shot.part.is_none() && shot.scale.is_none_or(|wanted| wanted == device) {
            return Ok((None, false));
        }
        let metrics = self.call(&self.session, &page::GetLayoutMetrics::new()).await?;
        let view = metrics.css_visual_viewport;
        let visible =
            Rect { x: view.page_x, y: view.page_y, width: view.client_width, height: view.client_height };
        let part = shot.part.unwrap_or(visible);
        let scale = shot.scale.map_or(1.0, |wanted| wanted / device);
        let clip = page::Viewport::new(part.x, part.y, part.width, part.height, scale);
        Ok((Some(clip), !contains(visible, part)))
    }

    /// Takes the white ground away until the answer is dropped.
    async fn bare(&self) -> Result<Bare, BackendError> {
        let nothing = emulation::Rgba { a: Some(0.0), ..emulation::Rgba::new(0, 0, 0) };
        let bare = Bare(self.session.clone());
        let command = emulation::SetDefaultBackgroundColorOverride { color: Some(nothing) };
        self.call(&self.session, &command).await?;
        Ok(bare)
    }

    pub(super) async fn print(&self) -> Result<Vec<u8>, BackendError> {
        let print = page::PrintToPdf {
            print_background: Some(true),
            prefer_css_page_size: Some(true),
            ..page::PrintToPdf::new()
        };
        Ok(self.call(&self.session, &print).await?.data.0)
    }
}

/// A page without its white ground, which comes back with the drop.
struct Bare(Session);

impl Drop for Bare {
    fn drop(&mut self) {
        drop(self.0.send(&emulation::SetDefaultBackgroundColorOverride::new()));
    }
}

fn contains(outer: Rect, inner: Rect) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && inner.x + inner.width <= outer.x + outer.width
        && inner.y + inner.height <= outer.y + outer.height
}
