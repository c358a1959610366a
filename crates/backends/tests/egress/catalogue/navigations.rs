//! Ways to another document in the same tab or a new one.

use crate::attempt::{Attempt, address, tab};

pub(super) const ATTEMPTS: &[Attempt] = &[
    address("the agent goes there", "$URL"),
    address("the agent goes there by TLS", "https://$HOST/"),
    address("a redirect by 301", "$SITE/redirect?code=301&to=$URL"),
    address("a redirect by 302", "$SITE/redirect?code=302&to=$URL"),
    address("a redirect by 303", "$SITE/redirect?code=303&to=$URL"),
    address("a redirect by 307", "$SITE/redirect?code=307&to=$URL"),
    address("a redirect by 308", "$SITE/redirect?code=308&to=$URL"),
    address("a redirect to TLS", "$SITE/redirect?to=https://$HOST/"),
    address("a redirect at the end of two", "$SITE/redirect?to=/redirect%3Fto%3D$URL"),
    address("a redirect to a download", "$SITE/redirect?to=$URLfile.zip"),
    address("view-source", "view-source:$URL"),
    tab("location.href", "<script>location.href = '$URL'</script>"),
    tab("location.assign", "<script>location.assign('$URL')</script>"),
    tab("location.replace", "<script>location.replace('$URL')</script>"),
    tab("the navigation API", "<script>navigation.navigate('$URL')</script>"),
    tab("a refresh by markup", "<meta http-equiv=refresh content='0; url=$URL'>"),
    tab("a refresh by header", "<p>soon").with(&["Refresh: 0; url=$URL"]),
    tab("a link", "<a href='$URL'>x</a><script>document.querySelector('a').click()</script>"),
    tab(
        "a link to a new tab",
        "<a target=_blank href='$URL'>x</a><script>document.querySelector('a').click()</script>",
    ),
    tab(
        "a link to a named tab",
        "<a target=other href='$URL'>x</a><script>document.querySelector('a').click()</script>",
    ),
    tab(
        "a link to a download",
        "<a download href='$URL'>x</a><script>document.querySelector('a').click()</script>",
    ),
    tab(
        "a link in an image map",
        "<map name=m><area href='$URL'></map><script>document.querySelector('area').click()</script>",
    ),
    tab(
        "a link in a picture",
        "<svg><a href='$URL'><text y=20>x</text></a></svg><script>document.querySelector('svg a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))</script>",
    ),
    tab(
        "a link below another base",
        "<base href='$URL'><a href=page>x</a><script>document.querySelector('a').click()</script>",
    ),
    tab("window.open", "<script>open('$URL')</script>"),
    tab("window.open without an opener", "<script>open('$URL', '_blank', 'noopener')</script>"),
    tab(
        "a new tab that is sent there",
        "<script>const tab = open('about:blank'); tab.location = '$URL'</script>",
    ),
    tab(
        "a new tab with a picture",
        "<script>const tab = open('about:blank'); tab.document.write('<img src=$URL>')</script>",
    ),
    tab(
        "a form by GET",
        "<form action='https://$HOST/'><input name=a></form><script>document.forms[0].submit()</script>",
    ),
    tab(
        "a form by POST",
        "<form method=post action='https://$HOST/'><input name=a></form><script>document.forms[0].submit()</script>",
    ),
    tab(
        "a form with a file's encoding",
        "<form method=post enctype=multipart/form-data action='https://$HOST/'><input name=a></form><script>document.forms[0].submit()</script>",
    ),
    tab(
        "a form to a new tab",
        "<form target=_blank action='https://$HOST/'></form><script>document.forms[0].submit()</script>",
    ),
    tab(
        "a button with an action of its own",
        "<form action=/><button formaction='https://$HOST/'>x</button></form><script>document.querySelector('button').click()</script>",
    ),
    tab(
        "a form that is redirected",
        "<form method=post action='$SITE/redirect?code=307&to=https://$HOST/'></form><script>document.forms[0].submit()</script>",
    ),
    tab("the frame around", "<iframe srcdoc=\"<script>top.location = '$URL'</script>\"></iframe>"),
    tab(
        "a link with a ping",
        "<a href='#here' ping='$URL'>x</a><script>document.querySelector('a').click()</script>",
    ),
];
