//! Frame elements as doors: which one lies at a point, and how the pixels behind it are those before it. For the protocols
//! that know neither; as functions for the page.

use engine::backend::Point;

/// The frame element at a point, if one is there.
pub(crate) const DOOR_AT: &str = "(x, y) => {
    let found = document.elementFromPoint(x, y);
    for (let inner; (inner = found?.shadowRoot?.elementFromPoint(x, y)) && inner !== found;) found = inner;
    return found && 'contentWindow' in found ? found : null;
}";

/// The frame element that has the focus, if one has.
pub(crate) const FOCUSED_DOOR: &str = "() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused && 'contentWindow' in focused ? focused : null;
}";

/// Where the pixels behind a frame element begin, and how large they are drawn (CSS Transforms: a scale of the element's is the
/// content's, too), as JSON.
pub(crate) const INSET: &str = "element => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const scale = (drawn, own) => drawn && own ? drawn / own : 1;
    const [across, down] = [scale(box.width, element.offsetWidth), scale(box.height, element.offsetHeight)];
    const left = element.clientLeft + (parseFloat(style.paddingLeft) || 0);
    const top = element.clientTop + (parseFloat(style.paddingTop) || 0);
    return JSON.stringify([box.left + left * across, box.top + top * down, across, down]);
}";

/// How the pixels of a frame lie in those of the document around it, or of any document above that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Inset {
    left: f64,
    top: f64,
    across: f64,
    down: f64,
}

impl Inset {
    /// Of the topmost frame in itself.
    pub(crate) const NONE: Self = Self { left: 0.0, top: 0.0, across: 1.0, down: 1.0 };

    /// As [`INSET`] tells it.
    pub(crate) fn read(json: &str) -> Option<Self> {
        let [left, top, across, down] = serde_json::from_str::<[f64; 4]>(json).ok()?;
        Some(Self { left, top, across, down })
    }

    /// A point of the outer document in the pixels of the frame.
    pub(crate) fn inside(&self, at: Point) -> Point {
        Point { x: (at.x - self.left) / self.across, y: (at.y - self.top) / self.down }
    }

    /// That of a frame in this one, in what this one lies in.
    pub(crate) fn then(&self, inner: Self) -> Self {
        Self {
            left: self.left + inner.left * self.across,
            top: self.top + inner.top * self.down,
            across: self.across * inner.across,
            down: self.down * inner.down,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_in_a_scaled_frame_is_scaled_along() {
        let outer = Inset::read("[100, 50, 0.5, 0.5]").unwrap();
        let both = outer.then(Inset::read("[20, 10, 1, 2]").unwrap());
        assert_eq!(both, Inset { left: 110.0, top: 55.0, across: 0.5, down: 1.0 });
        let at = Point { x: 120.0, y: 65.0 };
        assert_eq!(both.inside(at), Point { x: 20.0, y: 10.0 });
        assert_eq!(Inset::NONE.then(outer).inside(at), outer.inside(at));
        assert!(Inset::read("null").is_none());
    }
}
