//! The roles that exist, the states they have, and what people write when they mean one of them.

/// Roles of WAI-ARIA 1.2 and 1.3 (abstract ones left out), of the Graphics and the Digital Publishing module, and `iframe`, which snapshots show.
#[rustfmt::skip]
pub(super) const ALL: &[&str] = &[
    "alert", "alertdialog", "application", "article", "banner", "blockquote", "button", "caption", "cell",
    "checkbox", "code", "columnheader", "combobox", "comment", "complementary", "contentinfo", "definition",
    "deletion", "dialog", "directory", "document", "emphasis", "feed", "figure", "form", "generic", "grid",
    "gridcell", "group", "heading", "image", "img", "insertion", "link", "list", "listbox", "listitem",
    "log", "main", "mark", "marquee", "math", "menu", "menubar", "menuitem", "menuitemcheckbox",
    "menuitemradio", "meter", "navigation", "none", "note", "option", "paragraph", "presentation",
    "progressbar", "radio", "radiogroup", "region", "row", "rowgroup", "rowheader", "scrollbar", "search",
    "searchbox", "sectionfooter", "sectionheader", "separator", "slider", "spinbutton", "status", "strong",
    "subscript", "suggestion", "superscript", "switch", "tab", "table", "tablist", "tabpanel", "term",
    "textbox", "time", "timer", "toolbar", "tooltip", "tree", "treegrid", "treeitem", "graphics-document",
    "graphics-object", "graphics-symbol", "doc-abstract", "doc-acknowledgments", "doc-afterword",
    "doc-appendix", "doc-backlink", "doc-biblioentry", "doc-bibliography", "doc-biblioref", "doc-chapter",
    "doc-colophon", "doc-conclusion", "doc-cover", "doc-credit", "doc-credits", "doc-dedication",
    "doc-endnote", "doc-endnotes", "doc-epigraph", "doc-epilogue", "doc-errata", "doc-example",
    "doc-footnote", "doc-foreword", "doc-glossary", "doc-glossref", "doc-index", "doc-introduction",
    "doc-noteref", "doc-notice", "doc-pagebreak", "doc-pagefooter", "doc-pageheader", "doc-pagelist",
    "doc-part", "doc-preface", "doc-prologue", "doc-pullquote", "doc-qna", "doc-subtitle", "doc-tip",
    "doc-toc", "iframe",
];

/// Which roles have a state (WAI-ARIA 1.2, 6.6, "Used in Roles" and "Inherits into Roles").
#[rustfmt::skip]
pub(super) const WITH_STATE: &[(&str, &[&str])] = &[
    ("checked", &["checkbox", "menuitemcheckbox", "menuitemradio", "option", "radio", "switch", "treeitem"]),
    (
        "expanded",
        &[
            "application", "button", "checkbox", "columnheader", "combobox", "gridcell", "group", "link",
            "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "row", "rowheader", "switch", "tab",
            "treeitem",
        ],
    ),
    ("level", &["heading", "listitem", "row", "treeitem"]),
    ("pressed", &["button"]),
    ("selected", &["columnheader", "gridcell", "option", "row", "rowheader", "tab", "treeitem"]),
];

/// Words for which a role is meant.
#[rustfmt::skip]
pub(super) const MEANT: &[(&str, &str)] = &[
    ("a", "link"), ("anchor", "link"), ("area", "link"), ("input", "textbox"), ("text", "textbox"),
    ("textarea", "textbox"), ("textfield", "textbox"), ("email", "textbox"), ("password", "textbox"),
    ("select", "combobox"), ("dropdown", "combobox"), ("number", "spinbutton"), ("range", "slider"),
    ("h1", "heading"), ("h2", "heading"), ("h3", "heading"), ("h4", "heading"), ("h5", "heading"),
    ("h6", "heading"), ("header", "banner"), ("footer", "contentinfo"), ("nav", "navigation"),
    ("aside", "complementary"), ("section", "region"), ("ul", "list"), ("ol", "list"), ("li", "listitem"),
    ("tr", "row"), ("td", "cell"), ("th", "columnheader"), ("tbody", "rowgroup"), ("thead", "rowgroup"),
    ("modal", "dialog"), ("popup", "dialog"), ("icon", "img"), ("picture", "img"), ("p", "paragraph"),
    ("progress", "progressbar"), ("spinner", "progressbar"), ("toggle", "switch"), ("fieldset", "group"),
    ("div", "generic"), ("span", "generic"), ("label", "use getByLabel('…')"), ("hr", "separator"),
    ("details", "group"), ("summary", "button"), ("submit", "button"),
];
