//! Screens of other scales than the browser's own.
//!
//! The protocol overrides a page's scale for its topmost frame only. A frame of another site has a process of its own
//! and is told the scale of the screen that the page's window is on, so a page with more pixels gets its window onto a
//! screen that has them.
//!
//! Only the headless shell gets such screens, and only ours. The whole browser remembers where its last window was and
//! opens the next one there, whosever it is; a browser of somebody else's would keep them when we are gone. There,
//! frames of other sites are told the scale of the browser's own screen.

use std::sync::Arc;

use engine::backend::Viewport;
use tokio::sync::Mutex;
use wire::cdp::types::{browser, emulation};
use wire::cdp::{CallError, Session};

/// As many scales as get a screen. A page of yet another one stays on the browser's own.
const SCREENS: usize = 16;

/// The smallest page that gets to another screen, in CSS pixels: the shell paints no page that is wholly left of or above
/// the browser's own screen, and a picture of one would never come.
const SMALLEST: u32 = 32;

/// The top left corner of a window, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spot {
    left: i64,
    top: i64,
}

/// Where a window of the shell opens: the corner of the browser's own screen.
const HOME: Spot = Spot { left: 0, top: 0 };

/// The screens of one browser.
#[derive(Debug)]
pub(super) struct Screens {
    browser: Session,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    /// Whether the browser lets us have more of them.
    able: bool,
    /// The scale of each that was added, in that order.
    added: Vec<f64>,
}

impl Screens {
    pub(super) fn new(browser: Session, able: bool) -> Self {
        Self { browser, known: Mutex::new(Known { able, added: Vec::new() }) }
    }

    /// Where a page of this size belongs.
    async fn spot(&self, viewport: Viewport) -> Result<Spot, CallError> {
        if !needs_screen(viewport) {
            return Ok(HOME);
        }
        let mut known = self.known.lock().await;
        let number = known.added.iter().position(|added| added.total_cmp(&viewport.scale).is_eq());
        match number {
            Some(number) => Ok(spot(number)),
            None if known.able && known.added.len() < SCREENS => {
                let spot = spot(known.added.len());
                match self.add(spot, viewport.scale).await {
                    Ok(()) => known.added.push(viewport.scale),
                    Err(CallError::Protocol { message, .. }) => {
                        tracing::info!(component = "cdp", event = "no_more_screens", message);
                        known.able = false;
                        return Ok(HOME);
                    }
                    Err(error) => return Err(error),
                }
                Ok(spot)
            }
            None => Ok(HOME),
        }
    }

    /// Adds a screen from there to just before the far corner of the browser's own.
    ///
    /// The shell puts a window onto the screen that shows most of it, and among equals onto the browser's own. So a
    /// window at [`HOME`] stays there, whatever its size: the others reach less far. One at a screen's own spot has
    /// more of itself on that screen than on any other: each of them begins either further right or further down.
    async fn add(&self, spot: Spot, scale: f64) -> Result<(), CallError> {
        let screens = self.browser.call(&emulation::GetScreenInfos::new()).await?.screen_infos;
        let own = screens.into_iter().find(|screen| screen.is_primary);
        let (width, height) = own.map_or((0, 0), |own| (own.width, own.height));
        let add = emulation::AddScreen {
            device_pixel_ratio: Some(scale),
            ..emulation::AddScreen::new(
                spot.left,
                spot.top,
                pixels(width - 1 - spot.left, scale),
                pixels(height - 1 - spot.top, scale),
            )
        };
        self.browser.call(&add).await.map(drop)
    }
}

/// A window's screen is told to its page's frames of other sites.
#[derive(Debug)]
pub(super) struct Window {
    page: Session,
    screens: Arc<Screens>,
    spot: Mutex<Spot>,
}

impl Window {
    pub(super) fn new(page: Session, screens: Arc<Screens>) -> Self {
        Self { page, screens, spot: Mutex::new(HOME) }
    }

    /// Moves it to where a page of this size belongs, before the page has frames of other sites.
    ///
    /// # Errors
    /// That the page or its browser is gone, or what the browser refused.
    pub(super) async fn fit(&self, viewport: Viewport) -> Result<(), CallError> {
        let mut now = self.spot.lock().await;
        let spot = self.screens.spot(viewport).await?;
        if spot != *now {
            self.put(spot).await?;
            *now = spot;
        }
        Ok(())
    }

    /// Moves it to where a page of this size belongs. A page that is moved has lost its size and is to get this one:
    /// its frames of other sites are not told of another screen while the page's own is overridden.
    ///
    /// # Errors
    /// That the page or its browser is gone, or what the browser refused.
    pub(super) async fn refit(&self, viewport: Viewport) -> Result<(), CallError> {
        let mut now = self.spot.lock().await;
        let spot = self.screens.spot(viewport).await?;
        if spot != *now {
            self.page.call(&emulation::ClearDeviceMetricsOverride::new()).await?;
            self.put(spot).await?;
            *now = spot;
        }
        Ok(())
    }

    async fn put(&self, spot: Spot) -> Result<(), CallError> {
        let window = self.page.call(&browser::GetWindowForTarget::new()).await?;
        let bounds =
            browser::Bounds { left: Some(spot.left), top: Some(spot.top), ..browser::Bounds::default() };
        self.page.call(&browser::SetWindowBounds::new(window.window_id, bounds)).await.map(drop)
    }
}

/// The corner of an added screen: no two have the same distance to the left of [`HOME`], nor above it.
fn spot(number: usize) -> Spot {
    let far = |steps: usize| -2 - i64::try_from(steps).unwrap_or_default();
    Spot { left: far(number), top: far(SCREENS - number) }
}

/// Whether a page should be on a screen of its scale: it differs from the browser's own, and is not one that makes the
/// page a pixel larger. A screen has whole pixels only, and what they don't divide into is rounded up.
fn needs_screen(viewport: Viewport) -> bool {
    let kept = |length: u32| {
        let length = f64::from(length);
        let shown = (length * viewport.scale).ceil() / viewport.scale;
        (shown - length).abs() < 0.5
    };
    let large = viewport.width.min(viewport.height) >= SMALLEST;
    viewport.scale.total_cmp(&1.0).is_ne() && large && kept(viewport.width) && kept(viewport.height)
}

/// As many whole pixels as a length has.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float that is too large gives the largest number"
)]
#[expect(clippy::cast_precision_loss, reason = "a screen has fewer than 2^52 pixels")]
fn pixels(length: i64, scale: f64) -> i64 {
    (length as f64 * scale).floor().max(1.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: u32, height: u32, scale: f64) -> Viewport {
        Viewport { width, height, scale, mobile: false }
    }

    /// How much of a page at this spot is on a screen from there to that far corner.
    fn shown(page: (Spot, i64, i64), screen: (Spot, i64, i64)) -> i64 {
        let ((at, width, height), (corner, right, bottom)) = (page, screen);
        let across = (at.left + width).min(right) - at.left.max(corner.left);
        let down = (at.top + height).min(bottom) - at.top.max(corner.top);
        across.max(0) * down.max(0)
    }

    #[test]
    fn a_page_has_most_of_itself_on_its_own_screen() {
        let own = (HOME, 800, 600);
        let added: Vec<_> = (0..SCREENS).map(|number| (spot(number), 799, 599)).collect();
        for (width, height) in
            [(32, 32), (32, 3000), (3000, 32), (333, 444), (799, 599), (800, 600), (1280, 720)]
        {
            let page = (HOME, width, height);
            let at_home = shown(page, own);
            assert!(added.iter().all(|screen| shown(page, *screen) <= at_home), "{width} x {height} at home");
            for screen in &added {
                let page = (screen.0, width, height);
                let others = added.iter().filter(|other| *other != screen).chain([&own]);
                let most = others.map(|other| shown(page, *other)).max();
                assert!(Some(shown(page, *screen)) > most, "{width} x {height} at {:?}", screen.0);
            }
        }
    }

    #[test]
    fn a_page_of_the_usual_scale_stays_where_it_is() {
        assert!(!needs_screen(of(1280, 720, 1.0)));
        assert!(needs_screen(of(1280, 720, 2.0)));
    }

    #[test]
    fn a_page_that_would_grow_on_another_screen_stays_where_it_is() {
        assert!(needs_screen(of(333, 444, 1.5)), "500 pixels, of which 333 and a third make one");
        assert!(!needs_screen(of(333, 444, 1.25)), "417 pixels, which are 333.6");
        assert!(needs_screen(of(412, 915, 2.625)));
    }

    #[test]
    fn a_page_too_small_to_be_seen_on_another_screen_stays_where_it_is() {
        assert!(needs_screen(of(SMALLEST, SMALLEST, 2.0)));
        assert!(!needs_screen(of(SMALLEST - 1, 700, 2.0)));
        assert!((0..SCREENS).all(|number| -spot(number).top < i64::from(SMALLEST)), "seen");
    }
}
