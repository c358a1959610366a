//! The browsers that are measured.

/// A browser. The list is what `bench engines` measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
    Webkit,
}

impl Engine {
    pub(crate) const ALL: &[Self] = &[Self::Chromium, Self::Firefox, Self::Webkit];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::Webkit => "webkit",
        }
    }
}
