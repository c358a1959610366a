//! Documents inside documents.

use crate::attempt::{Attempt, frame, tab};

pub(super) const ATTEMPTS: &[Attempt] = &[
    frame("a frame", "<iframe src='$URL'></iframe>"),
    frame("a frame by TLS", "<iframe src='https://$HOST/'></iframe>"),
    frame("a frame that loads late", "<iframe loading=lazy src='$URL'></iframe>"),
    frame("a frame without credentials", "<iframe credentialless src='$URL'></iframe>"),
    frame("a frame in a sandbox", "<iframe sandbox=allow-scripts src='$URL'></iframe>"),
    frame("a frame that is redirected", "<iframe src='/redirect?to=$URL'></iframe>"),
    frame("a frame of its own text", "<iframe srcdoc='<img src=$URL>'></iframe>"),
    frame("a sandboxed frame of its own text", "<iframe sandbox=allow-scripts srcdoc=\"<script>fetch('$URL')</script>\"></iframe>"),
    frame("a frame of data", "<iframe src='data:text/html,<img src=$URL>'></iframe>"),
    frame("a script in a frame of data", "<iframe src=\"data:text/html,<script>fetch('$URL', { mode: 'no-cors' })</script>\"></iframe>"),
    frame("a frame of a blob", "<iframe></iframe><script>document.querySelector('iframe').src = blob('text/html', '<img src=$URL>')</script>"),
    frame("a frame of a script", "<iframe src=\"javascript:'<img src=$URL>'\"></iframe>"),
    frame("a blank frame that is written to", "<iframe></iframe><script>document.querySelector('iframe').contentDocument.write('<img src=$URL>')</script>"),
    frame("a frame inside a frame inside a frame", "<iframe srcdoc=\"<iframe srcdoc='<iframe src=$URL></iframe>'></iframe>\"></iframe>"),
    frame("frames in a set", "<iframe src='/as?type=text/html&body=<frameset cols=*><frame src=$URL></frameset>'></iframe>"),
    frame("an object", "<object data='$URL'></object>"),
    frame("an object of a document", "<object type=text/html data='$URL'></object>"),
    frame("an embedded document", "<embed type=text/html src='$URL'>"),
    frame("a fenced frame", "<fencedframe></fencedframe><script>document.querySelector('fencedframe').config = new FencedFrameConfig('https://$HOST/')</script>"),
    frame("a sheet that transforms", "<iframe></iframe><script>show('text/xml', '<?xml-stylesheet type=\"text/xsl\" href=\"$URL\"?><a/>')</script>"),
    frame("a sheet for XML", "<iframe></iframe><script>show('text/xml', '<?xml-stylesheet type=\"text/css\" href=\"$URL\"?><a/>')</script>"),
    frame("a document type", "<iframe></iframe><script>show('text/xml', '<!DOCTYPE a SYSTEM \"$URL\"><a/>')</script>"),
    frame("an entity", "<iframe></iframe><script>show('text/xml', '<!DOCTYPE a [<!ENTITY e SYSTEM \"$URL\">]><a>&e;</a>')</script>"),
    frame("a document that a transformation asks for", "<script>
        const sheet = new DOMParser().parseFromString('<xsl:stylesheet version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"><xsl:template match=\"/\"><xsl:copy-of select=\"document(\\'$URL\\')\"/></xsl:template></xsl:stylesheet>', 'text/xml');
        const processor = new XSLTProcessor(); processor.importStylesheet(sheet);
        processor.transformToDocument(new DOMParser().parseFromString('<a/>', 'text/xml'))</script>"),
    frame("XHTML", "<iframe></iframe><script>show('application/xhtml+xml', '<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><img src=\"$URL\"/></body></html>')</script>"),
    frame("a picture as a document", "<iframe></iframe><script>show('image/svg+xml', '<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"$URL\"/></svg>')</script>"),
    frame("a picture in a picture of data", "<img src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"$URL\"/></svg>'>"),
    frame("a violated policy", "<img src=/image.png>").with(&["Content-Security-Policy: img-src 'none'; report-uri $URL"]),
    frame("a violated policy with an endpoint", "<img src=/image.png>").with(&["Reporting-Endpoints: e=\"https://$HOST/\"", "Content-Security-Policy: img-src 'none'; report-to e"]),
    frame("a policy that only reports", "<img src=/image.png>").with(&["Content-Security-Policy-Report-Only: img-src 'none'; report-uri $URL"]),
    frame("a policy against frames that reports", "<iframe src=/framed-$PORT></iframe><iframe src='/as?type=text/html&h=Content-Security-Policy: frame-ancestors %27none%27%3B report-uri $URL'></iframe>"),
    tab("reports of the network", "<img src=/hang-up>").with(&["Report-To: {\"group\":\"g\",\"max_age\":600,\"endpoints\":[{\"url\":\"https://$HOST/\"}]}", "NEL: {\"report_to\":\"g\",\"max_age\":600,\"success_fraction\":1}"]),
    tab("reports of an opener", "<p>x").with(&["Reporting-Endpoints: e=\"https://$HOST/\"", "Cross-Origin-Opener-Policy: same-origin; report-to=\"e\"", "Cross-Origin-Embedder-Policy-Report-Only: require-corp; report-to=\"e\""]),
];
