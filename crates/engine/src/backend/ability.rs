//! What a browser may lack, one by one: [`Capabilities`] says whether, this says what is asked for.

use super::{Capabilities, ContextOptions};

/// Something that not every browser can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ability {
    /// Pages as PDF.
    Pdf,
    /// Touch events.
    Touch,
    /// HTML5 drag and drop with the browser's own events.
    RealDrag,
    /// A context's colour scheme, reduced motion, media type.
    MediaEmulation,
    /// A context's locale and time zone.
    LocaleEmulation,
    /// A position for `navigator.geolocation`.
    Geolocation,
    /// Any device scale factor.
    DeviceScale,
    /// The bodies of responses.
    ResponseBodies,
    /// `beforeunload` dialogs are told.
    Beforeunload,
}

impl Ability {
    /// All of them, in the order in which people are told of them.
    pub const ALL: &'static [Self] = &[
        Self::Beforeunload,
        Self::ResponseBodies,
        Self::RealDrag,
        Self::LocaleEmulation,
        Self::MediaEmulation,
        Self::Geolocation,
        Self::DeviceScale,
        Self::Touch,
        Self::Pdf,
    ];

    /// In the words of those who ask for it.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Pdf => "a page as PDF",
            Self::Touch => "a page that is told that it is on a phone",
            Self::RealDrag => "drag and drop by the browser itself",
            Self::MediaEmulation => "a colour scheme for a session",
            Self::LocaleEmulation => "a locale and a time zone for a session",
            Self::Geolocation => "a position for a session",
            Self::DeviceScale => "a device scale factor for a session",
            Self::ResponseBodies => "the bodies of responses",
            Self::Beforeunload => "a page's question before it is left",
        }
    }
}

impl Capabilities {
    /// Whether this is among them.
    pub const fn has(&self, ability: Ability) -> bool {
        match ability {
            Ability::Pdf => self.pdf,
            Ability::Touch => self.touch,
            Ability::RealDrag => self.real_drag,
            Ability::MediaEmulation => self.media_emulation,
            Ability::LocaleEmulation => self.locale_emulation,
            Ability::Geolocation => self.geolocation,
            Ability::DeviceScale => self.device_scale,
            Ability::ResponseBodies => self.response_bodies,
            Ability::Beforeunload => self.beforeunload,
        }
    }
}

impl ContextOptions {
    /// What a browser must be able to do to open such a context.
    pub fn needs(&self) -> impl Iterator<Item = Ability> {
        let viewport = self.viewport.as_ref();
        let asked = [
            (self.locale.is_some() || self.timezone.is_some(), Ability::LocaleEmulation),
            (self.color_scheme.is_some(), Ability::MediaEmulation),
            (self.geolocation.is_some(), Ability::Geolocation),
            (
                viewport.is_some_and(|viewport| (viewport.scale - 1.0).abs() > f64::EPSILON),
                Ability::DeviceScale,
            ),
            (viewport.is_some_and(|viewport| viewport.mobile), Ability::Touch),
        ];
        asked.into_iter().filter_map(|(asked, ability)| asked.then_some(ability))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Viewport;

    #[test]
    fn a_context_needs_what_its_options_ask_for_and_a_plain_one_nothing() {
        let plain = Viewport { width: 800, height: 600, scale: 1.0, mobile: false };
        let options = |viewport| ContextOptions { viewport: Some(viewport), ..ContextOptions::default() };
        assert_eq!(options(plain).needs().count(), 0);
        let phone = options(Viewport { scale: 2.0, mobile: true, ..plain });
        assert_eq!(phone.needs().collect::<Vec<_>>(), [Ability::DeviceScale, Ability::Touch]);
        let dark = ContextOptions { color_scheme: Some("dark".to_owned()), ..ContextOptions::default() };
        assert_eq!(dark.needs().collect::<Vec<_>>(), [Ability::MediaEmulation]);
    }

    #[test]
    fn whoever_can_do_everything_lacks_nothing() {
        assert!(Ability::ALL.iter().all(|ability| Capabilities::ALL.has(*ability)));
    }
}
