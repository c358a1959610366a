//! What pages are like in every browser, unless somebody asked for something else.

use engine::backend::Viewport;

/// The size of pages.
pub(crate) const VIEWPORT: Viewport = Viewport { width: 1280, height: 720, scale: 1.0, mobile: false };

/// What runs in every new document, in the injected script's world. A document makes the script when it is asked for the
/// first time; a page's topmost one, which will be asked, makes it when it is loaded and has nothing else to do.
pub(crate) fn preload(test_ids: Option<&str>) -> String {
    let make = make(test_ids);
    format!("{make}\nif (top === window) addEventListener('load', {MAKE_SOON}, {{ once: true }});")
}

/// Whoever asks meanwhile makes it.
const MAKE_SOON: &str = "() => setTimeout(() => { globalThis.e2eInjected ??= e2eMake(); })";

/// Makes the script where it is asked for; for a browser in which it would be slow to run in every new document.
pub(crate) fn make(test_ids: Option<&str>) -> String {
    let script = engine::injected::script();
    let script = match test_ids {
        Some(attribute) => engine::injected::with_test_ids(&script, attribute),
        None => script,
    };
    format!("globalThis.e2eMake = () => {script};")
}

/// Fills the storage of the document that it runs in.
pub(crate) const FILL: &str = "(origin, items) => {
  if (location.origin !== origin) throw new Error(`${origin} has no storage of its own`);
  for (const { name, value } of items) localStorage.setItem(name, value);
}";
