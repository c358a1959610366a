//! The page that everything is done on, and how often.

/// A button that counts, in the middle of a page of ordinary size.
pub(crate) const PAGE: &str = concat!(
    "<!doctype html><title>bench</title><h1>Bench</h1>",
    "<button onclick='this.dataset.n = ++window.n' style='position:fixed;left:10px;top:10px;width:80px;height:30px'>Count</button>",
    "<script>window.n = 0; for (let i = 0; i < 200; i++) document.body.insertAdjacentHTML('beforeend', ",
    "`<p>Line ${i} <a href='/${i}'>link ${i}</a></p>`)</script>",
);

/// The middle of the button, in the viewport.
pub(crate) const BUTTON: (u32, u32) = (50, 25);

/// How often it was clicked.
pub(crate) const COUNT: &str = "String(window.n)";

/// Sessions beside the first.
pub(crate) const SESSIONS: usize = 15;
pub(crate) const CLICKS: usize = 100;
pub(crate) const SNAPSHOTS: usize = 40;
