//! Pictures. The browser takes them as PNG in the device's own scale; anything else is made of that by the page's canvas,
//! which the page sees nothing of.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::backend::{Argument, BackendError, Picture, PictureFormat, Rect, Shot};
use serde_json::json;
use wire::inspector::types;

use super::page::{Page, lock};

const CONVERT: &str = "async (data, kind, quality, scale) => {
    const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL(kind, quality);
}";

impl Page {
    pub(super) async fn take_picture(&self, shot: Shot) -> Result<Picture, BackendError> {
        let (part, system) = match shot.part {
            Some(part) => (part, "Page"),
            None => (self.visible().await?, "Viewport"),
        };
        let rect = json!({
            "x": part.x.floor(), "y": part.y.floor(), "width": part.width.ceil(), "height": part.height.ceil(),
            "coordinateSystem": system,
        });
        let taken: types::Snapshot = self.call("Page.snapshotRect", rect).await?;
        let data = after_comma(&taken.data_url);
        let (kind, quality) = match shot.format {
            PictureFormat::Png => ("image/png", 1.0),
            PictureFormat::Jpeg(quality) => ("image/jpeg", f64::from(quality) / 100.0),
        };
        let device = lock(&self.viewport).map_or(1.0, |viewport| viewport.scale);
        let scale = shot.scale.map_or(1.0, |wanted| wanted / device);
        if shot.format == PictureFormat::Png && (scale - 1.0).abs() < f64::EPSILON {
            return decode(data);
        }
        let arguments = [json!(data), json!(kind), json!(quality), json!(scale)].map(Argument::Json);
        let converted = self.evaluate_function(&self.main_frame, CONVERT, arguments.into()).await?;
        let converted: String = serde_json::from_str(converted.get()).map_err(malformed)?;
        decode(after_comma(&converted))
    }

    async fn visible(&self) -> Result<Rect, BackendError> {
        let size =
            self.evaluate_function(&self.main_frame, "() => [innerWidth, innerHeight]", Vec::new()).await?;
        let (width, height) = serde_json::from_str(size.get()).map_err(malformed)?;
        Ok(Rect { x: 0.0, y: 0.0, width, height })
    }
}

fn after_comma(url: &str) -> &str {
    url.split_once(',').map_or("", |(_, data)| data)
}

fn decode(data: &str) -> Result<Picture, BackendError> {
    STANDARD.decode(data).map(|bytes| Picture { bytes }).map_err(malformed)
}

fn malformed(error: impl std::fmt::Display) -> BackendError {
    BackendError::Refused { request: "Page.snapshotRect".to_owned(), reason: error.to_string() }
}
