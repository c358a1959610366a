//! Names that the browser gives to things. They are opaque here, and unique within one browser.

use std::fmt;
use std::sync::Arc;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The browser's own word for it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<Arc<str>>> From<T> for $name {
            fn from(text: T) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// A tab or a popup.
    PageId
}
id! {
    /// A frame, through all its documents.
    FrameId
}
id! {
    /// One navigation of one frame to one new document.
    NavigationId
}
id! {
    /// A request, through its redirects.
    RequestId
}
id! {
    /// A dialog that is open.
    DialogId
}
id! {
    /// A download.
    DownloadId
}
