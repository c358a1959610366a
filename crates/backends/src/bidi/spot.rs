//! Which frame is meant by a point of the page, or by the focus.

use engine::backend::{BackendError, FrameId, Point, World};
use serde_json::{Value, json};
use url::Url;

use super::elements::handle;
use super::page::Page;
use crate::doors::{DOOR_AT, FOCUSED_DOOR, Inset};

/// A frame, and how its own pixels lie in those of the topmost one.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) frame: FrameId,
    pub(super) inset: Inset,
}

impl Spot {
    /// A point of the topmost frame in the pixels of this one.
    pub(super) fn inside(&self, at: Point) -> Point {
        self.inset.inside(at)
    }
}

/// The site of an address, as far as it is certain: sites that are told apart here may be one all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Site(Url);

impl Site {
    /// Nothing for a document that has the site of whoever made it.
    fn of(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(Self(url))
    }

    fn is(&self, other: &Self) -> bool {
        (self.0.scheme(), self.0.host()) == (other.0.scheme(), other.0.host())
    }
}

impl Page {
    /// The topmost frame.
    pub(super) fn top_spot(&self) -> Spot {
        Spot { frame: self.main_frame.clone(), inset: Inset::NONE }
    }

    /// The frame that a point of the page is to be told to. Firefox hands input to every frame of the process, wherever it lies, but
    /// counts from where a frame would begin without transforms: so it is the outermost frame of the innermost's site.
    pub(super) async fn spot_of(&self, at: Point) -> Result<Spot, BackendError> {
        let (mut inner, mut spot) = (self.top_spot(), self.top_spot());
        let mut site = self.site_of(&inner.frame);
        while let Some(below) = self.behind(&inner, Some(at)).await? {
            let own = self.site_of(&below.frame);
            if let Some(own) = own.filter(|own| !site.as_ref().is_some_and(|site| site.is(own))) {
                site = Some(own);
                spot = below.clone();
            }
            inner = below;
        }
        Ok(spot)
    }

    /// The innermost frame at a point of the page.
    pub(super) async fn innermost(&self, at: Point) -> Result<Spot, BackendError> {
        let mut spot = self.top_spot();
        while let Some(below) = self.behind(&spot, Some(at)).await? {
            spot = below;
        }
        Ok(spot)
    }

    /// The innermost frame that has the focus.
    pub(super) async fn focused(&self) -> Result<FrameId, BackendError> {
        let mut spot = self.top_spot();
        while let Some(below) = self.behind(&spot, None).await? {
            spot = below;
        }
        Ok(spot.frame)
    }

    fn site_of(&self, frame: &FrameId) -> Option<Site> {
        self.frames().get(frame).and_then(|frame| Site::of(&frame.url))
    }

    /// The frame in a frame that lies at a point of the page, or has the focus.
    async fn behind(&self, spot: &Spot, at: Option<Point>) -> Result<Option<Spot>, BackendError> {
        if self.frames().ids().len() == 1 {
            return Ok(None);
        }
        let (function, arguments) = match at.map(|at| spot.inside(at)) {
            Some(at) => (DOOR_AT, [at.x, at.y].map(number).to_vec()),
            None => (FOCUSED_DOOR, Vec::new()),
        };
        let answer = self.call_in(&spot.frame, World::Utility, function, arguments).await?;
        let Some(id) = answer.result.and_then(|answer| answer.shared_id) else { return Ok(None) };
        let element = handle(&spot.frame, &id);
        let inset = self.inset(&element).await?;
        let frame = self.frame_in(&element).await?.filter(|frame| self.frames().get(frame).is_some());
        Ok(frame.map(|frame| Spot { frame, inset: spot.inset.then(inset) }))
    }
}

fn number(value: f64) -> Value {
    json!({ "type": "number", "value": value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_and_paths_make_no_other_site_and_blank_documents_have_none() {
        let site = |address| Site::of(address).unwrap();
        assert!(site("http://a.test:1/x").is(&site("http://a.test:2/y")));
        assert!(!site("http://a.test/").is(&site("https://a.test/")));
        assert!(!site("http://a.test/").is(&site("http://b.test/")));
        for address in
            ["about:blank", "about:srcdoc", "data:text/html,x", "blob:http://a.test/1", "no address"]
        {
            assert_eq!(Site::of(address), None);
        }
    }
}
