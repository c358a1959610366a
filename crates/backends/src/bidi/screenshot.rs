//! Pictures and prints.

use engine::backend::{BackendError, Picture, PictureFormat, Shot, Viewport};
use wire::bidi::types::browsing_context::{
    CaptureScreenshot, Clip, ImageFormat, Print, ScreenshotOrigin, SetViewport,
};

use super::page::Page;
use crate::sync::lock;

impl Page {
    pub(super) async fn take_picture(&self, shot: Shot) -> Result<Picture, BackendError> {
        if shot.transparent {
            return Err(BackendError::Unsupported {
                what: "a picture without the page's white ground",
                instead: "take it with the ground, or use chromium",
            });
        }
        let device = *lock(&self.viewport);
        match shot.scale.filter(|wanted| (wanted - device.scale).abs() > f64::EPSILON) {
            None => self.capture(&shot).await,
            // The picture is as sharp as the device: for another sharpness it is another device for a moment.
            Some(scale) => {
                let back = Back { page: self, viewport: device };
                self.call(&sharpness(self, scale)).await?;
                let picture = self.capture(&shot).await;
                let back = back.now().await;
                picture.and_then(|picture| back.map(|()| picture))
            }
        }
    }

    async fn capture(&self, shot: &Shot) -> Result<Picture, BackendError> {
        let format = match shot.format {
            PictureFormat::Png => ImageFormat::new("image/png"),
            PictureFormat::Jpeg(quality) => {
                ImageFormat { quality: Some(f64::from(quality) / 100.0), ..ImageFormat::new("image/jpeg") }
            }
        };
        // Firefox leaves out half a pixel at an edge; other browsers round, and so is the size told.
        let clip = shot.part.map(|part| {
            let side = |length: f64| length.round().max(1.0);
            Clip::new("box", part.x.floor(), part.y.floor(), side(part.width), side(part.height))
        });
        let origin = if clip.is_some() { ScreenshotOrigin::Document } else { ScreenshotOrigin::Viewport };
        let capture = CaptureScreenshot {
            origin: Some(origin),
            format: Some(format),
            clip,
            ..CaptureScreenshot::new(self.context.clone())
        };
        Ok(Picture { bytes: self.call(&capture).await?.data.0 })
    }

    pub(super) async fn print(&self) -> Result<Vec<u8>, BackendError> {
        let print = Print { background: Some(true), ..Print::new(self.context.clone()) };
        Ok(self.call(&print).await?.data.0)
    }
}

fn sharpness(page: &Page, scale: f64) -> SetViewport {
    SetViewport { context: Some(page.context.clone()), device_pixel_ratio: Some(scale), ..SetViewport::new() }
}

/// Another sharpness, until the drop at the latest.
struct Back<'a> {
    page: &'a Page,
    viewport: Viewport,
}

impl Back<'_> {
    /// Puts the page's own back, and waits for it: who asks next for a length in pixels is told the page's.
    async fn now(self) -> Result<(), BackendError> {
        let (page, scale) = (self.page, self.viewport.scale);
        std::mem::forget(self);
        page.call(&sharpness(page, scale)).await.map(drop)
    }
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        drop(self.page.connection.send(&sharpness(self.page, self.viewport.scale)));
    }
}
