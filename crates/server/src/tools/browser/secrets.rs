//! Secrets in what an agent writes: `{{secret:NAME}}` becomes the value on its way into the page, and nowhere else.

use crate::config::Options;
use crate::tools::{Failure, invalid};

/// The text with the secrets that it names.
pub(super) fn filled(field: &str, text: &str, options: &Options) -> Result<String, Failure> {
    let secrets = &options.app.secrets;
    secrets.fill(text).map(std::borrow::Cow::into_owned).map_err(|unknown| {
        let names: Vec<&str> = secrets.names().collect();
        let expected = match names.as_slice() {
            [] => format!("a text without secrets ({unknown}; the server was started without --secrets)"),
            names => format!("a text with known secrets ({unknown}; there are {})", names.join(", ")),
        };
        invalid(field, &expected, Some(&text.into()))
    })
}
