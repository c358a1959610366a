//! The pages on which everyone is measured.

use testkit::site::Site;

/// The accessible names of what is clicked and typed into.
pub(super) const BUTTON: &str = "Press";
pub(super) const FIELD: &str = "Name";

/// Tells whether the page is the right one, and whether it was clicked and typed into.
pub(super) const STATE: &str = "location.search + ' ' + document.querySelector('input').value + ' ' \
                                + document.querySelector('output').textContent";

/// What the page shows once it was clicked.
pub(super) const CLICKED: &str = "pressed 1";

/// The last button of the big page, which a whole snapshot has.
pub(super) const LAST_BUTTON: &str = "Buy 1000";

const BIG_ROWS: usize = 1000;

/// The site and its two pages.
pub(super) struct Pages(Site);

impl Pages {
    pub(super) fn start() -> anyhow::Result<Self> {
        let site = Site::start()?;
        site.page("/usual", &usual());
        site.page("/big", &big());
        Ok(Self(site))
    }

    /// A page of usual size; each round has a URL of its own, so that each is a navigation.
    pub(super) fn usual(&self, round: usize) -> String {
        self.0.url(&format!("/usual?round={round}"))
    }

    /// What [`STATE`] is on that page after the round's click and typing.
    pub(super) fn state(round: usize) -> String {
        format!("?round={round} {} {CLICKED}", Self::text(round))
    }

    /// What is typed in a round.
    pub(super) fn text(round: usize) -> String {
        format!("typed in {round}")
    }

    /// A thousand rows with a link, a button and a field each.
    pub(super) fn big(&self) -> String {
        self.0.url("/big")
    }
}

fn usual() -> String {
    let links: String =
        (1..=20).map(|n| format!("<li><a href='/usual?item={n}'>Item {n}</a></li>")).collect();
    format!(
        "<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1><nav><ul>{links}</ul></nav><main>\
         <p>Choose something, then press.</p><label>{FIELD} <input></label> <button>{BUTTON}</button>\
         <output>pressed 0</output></main><script>\
         let pressed = 0;\
         document.querySelector('button').onclick = () => {{\
           document.querySelector('output').textContent = `pressed ${{++pressed}}`;\
         }};</script>"
    )
}

fn big() -> String {
    let row = |n| {
        format!(
            "<tr><td><a href='/usual?item={n}'>Item {n}</a></td><td><button>Buy {n}</button></td>\
             <td><input aria-label='Count of {n}'></td></tr>"
        )
    };
    let rows: String = (1..=BIG_ROWS).map(row).collect();
    format!(
        "<!doctype html><html lang=en><title>Stock</title><h1>Stock</h1><table><tbody>{rows}</tbody></table>"
    )
}
