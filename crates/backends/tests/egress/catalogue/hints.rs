//! What a document says will be needed, or what a browser guesses.

use crate::attempt::{Attempt, frame, tab};

pub(super) const ATTEMPTS: &[Attempt] = &[
    frame("preload of a script", "<link rel=preload as=script href='$URL'>"),
    frame("preload of a picture", "<link rel=preload as=image href='$URL'>"),
    frame("preload of a font", "<link rel=preload as=font crossorigin href='$URL'>"),
    frame("preload of data", "<link rel=preload as=fetch crossorigin href='$URL'>"),
    frame("preload of a module", "<link rel=modulepreload href='$URL'>"),
    frame("preload by header", "<p>x").with(&["Link: <$URL>; rel=preload; as=script"]),
    tab("prefetch", "<link rel=prefetch href='$URL'><p>x"),
    tab("prefetch by header", "<p>x").with(&["Link: <$URL>; rel=prefetch"]),
    tab("preconnect", "<link rel=preconnect href='$URL'><p>x"),
    tab("preconnect by TLS", "<link rel=preconnect href='https://$HOST/'><p>x"),
    tab("preconnect by header", "<p>x").with(&["Link: <https://$HOST/>; rel=preconnect"]),
    tab("preconnect by name", "<link rel=preconnect href='https://forbidden.test:$PORT/'><p>x"),
    tab("a look-up beforehand", "<link rel=dns-prefetch href='http://looked-up.test:$PORT/'><p>x"),
    tab("a look-up beforehand by header", "<p>x")
        .with(&["Link: <http://looked-up-too.test:$PORT/>; rel=dns-prefetch", "X-DNS-Prefetch-Control: on"]),
    tab(
        "a look-up of a link",
        "<meta http-equiv=x-dns-prefetch-control content=on><a href='http://linked.test:$PORT/'>x</a>",
    ),
    tab(
        "a link that is pointed at",
        "<a href='$URL'>x</a><script>const a = document.querySelector('a'); for (const kind of ['pointerover', 'pointerenter', 'mouseover', 'pointerdown', 'mousedown', 'touchstart']) a.dispatchEvent(new Event(kind, { bubbles: true }))</script>",
    ),
    tab("prerender", "<link rel=prerender href='$URL'><p>x"),
    tab("the next page", "<link rel=next href='$URL'><p>x"),
    tab(
        "a rule to prefetch",
        "<script type=speculationrules>{ \"prefetch\": [{ \"source\": \"list\", \"urls\": [\"$URL\"], \"eagerness\": \"immediate\" }] }</script>",
    ),
    tab(
        "a rule to prefetch by TLS",
        "<script type=speculationrules>{ \"prefetch\": [{ \"source\": \"list\", \"urls\": [\"https://$HOST/\"], \"eagerness\": \"immediate\", \"requires\": [\"anonymous-client-ip-when-cross-origin\"] }, { \"source\": \"list\", \"urls\": [\"https://$HOST/b\"], \"eagerness\": \"immediate\" }] }</script>",
    ),
    tab(
        "a rule to prerender",
        "<script type=speculationrules>{ \"prerender\": [{ \"source\": \"list\", \"urls\": [\"$URL\"], \"eagerness\": \"immediate\" }] }</script>",
    ),
    tab(
        "a rule to prerender what redirects",
        "<script type=speculationrules>{ \"prerender\": [{ \"source\": \"list\", \"urls\": [\"/redirect?to=$URL\"], \"eagerness\": \"immediate\" }] }</script>",
    ),
    tab("a rule by header", "<p>x").with(&["Speculation-Rules: \"$URL\""]),
    tab("a dictionary", "<link rel=compression-dictionary href='$URL'><p>x"),
    frame("an advertisement's source", "<img attributionsrc='https://$HOST/' src=/image.png>"),
];
