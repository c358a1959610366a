//! What scripts ask for.

use crate::attempt::{Attempt, frame, tab};

pub(super) const ATTEMPTS: &[Attempt] = &[
    frame("fetch", "<script>fetch('$URL')</script>"),
    frame("fetch by TLS", "<script>fetch('https://$HOST/')</script>"),
    frame("fetch without CORS", "<script>fetch('$URL', { mode: 'no-cors' })</script>"),
    frame(
        "fetch with a question beforehand",
        "<script>fetch('$URL', { method: 'PUT', headers: { 'X-A': 'b' } })</script>",
    ),
    frame(
        "fetch that posts",
        "<script>fetch('$URL', { method: 'POST', mode: 'no-cors', body: 'a' })</script>",
    ),
    frame("fetch with credentials", "<script>fetch('$URL', { credentials: 'include' })</script>"),
    frame(
        "fetch that outlives the page",
        "<script>fetch('$URL', { keepalive: true, method: 'POST', mode: 'no-cors', body: 'a' })</script>",
    ),
    frame("fetch that is redirected", "<script>fetch('/redirect?to=$URL', { mode: 'no-cors' })</script>"),
    frame(
        "fetch that is redirected by TLS",
        "<script>fetch('/redirect?code=307&to=https://$HOST/', { mode: 'no-cors' })</script>",
    ),
    frame(
        "fetch to this address space",
        "<script>fetch('$URL', { targetAddressSpace: 'local', mode: 'no-cors' })</script>",
    ),
    frame(
        "fetch with a priority",
        "<script>fetch('$URL', { priority: 'high', cache: 'no-store', mode: 'no-cors' })</script>",
    ),
    tab(
        "fetch at the end of the page",
        "<script>addEventListener('pagehide', () => fetch('$URL', { keepalive: true, mode: 'no-cors' })); location = '/empty'</script>",
    ),
    tab("fetch later", "<script>fetchLater('https://$HOST/', { activateAfter: 0 })</script>"),
    frame("a request", "<script>const x = new XMLHttpRequest(); x.open('GET', '$URL'); x.send()</script>"),
    frame(
        "a request that waits",
        "<script>const x = new XMLHttpRequest(); x.open('GET', '$URL', false); try { x.send() } catch {}</script>",
    ),
    frame(
        "a request that posts",
        "<script>const x = new XMLHttpRequest(); x.open('POST', '$URL'); x.upload.onprogress = () => {}; x.send('a')</script>",
    ),
    frame(
        "a request that is redirected",
        "<script>const x = new XMLHttpRequest(); x.open('GET', '/redirect?to=$URL'); x.send()</script>",
    ),
    frame("a beacon", "<script>navigator.sendBeacon('$URL', 'a')</script>"),
    tab(
        "a beacon at the end of the page",
        "<script>addEventListener('pagehide', () => navigator.sendBeacon('$URL', 'a')); location = '/empty'</script>",
    ),
    frame("a source of events", "<script>new EventSource('$URL')</script>"),
    frame("a source of events that is redirected", "<script>new EventSource('/redirect?to=$URL')</script>"),
    frame("a socket", "<script>new WebSocket('ws://$HOST/')</script>"),
    frame("a socket by TLS", "<script>new WebSocket('wss://$HOST/')</script>"),
    frame("a socket by HTTP", "<script>new WebSocket('$URL')</script>"),
    frame("a socket that is a stream", "<script>new WebSocketStream('ws://$HOST/')</script>"),
    frame("a transport", "<script>new WebTransport('https://$HOST/')</script>"),
    frame(
        "a transport with its certificate",
        "<script>new WebTransport('https://$HOST/', { serverCertificateHashes: [{ algorithm: 'sha-256', value: new Uint8Array(32) }] })</script>",
    ),
    frame("a transport by name", "<script>new WebTransport('https://forbidden.test:$PORT/')</script>"),
    frame("a socket of the machine", "<script>new TCPSocket('10.77.0.9', $PORT)</script>"),
    frame(
        "a socket of datagrams",
        "<script>new UDPSocket({ remoteAddress: '10.77.0.9', remotePort: $PORT })</script>",
    ),
    frame("an import", "<script>import('$URL')</script>"),
    frame("an import of a style", "<script type=module>import s from '$URL' with { type: 'css' }</script>"),
    frame("a picture of a script's", "<script>new Image().src = '$URL'</script>"),
    frame("sound of a script's", "<script>new Audio('$URL').load()</script>"),
    frame("a font of a script's", "<script>new FontFace('f', 'url($URL)').load()</script>"),
    frame(
        "a script that a script adds",
        "<script>const s = document.createElement('script'); s.src = '$URL'; document.head.append(s)</script>",
    ),
    frame(
        "a frame that a script adds",
        "<script>const f = document.createElement('iframe'); f.src = '$URL'; document.documentElement.append(f)</script>",
    ),
    frame(
        "a style that a script adds",
        "<script>const s = document.createElement('style'); s.textContent = '@import url($URL)'; document.head.append(s)</script>",
    ),
    frame("markup that is parsed", "<p id=p></p><script>p.innerHTML = '<img src=$URL>'</script>"),
    frame(
        "markup that is nowhere",
        "<script>document.createElement('p').innerHTML = '<img src=$URL>'</script>",
    ),
    frame("a document that is written", "<script>document.write('<img src=$URL>')</script>"),
    frame("WebAssembly", "<script>WebAssembly.compileStreaming(fetch('$URL'))</script>"),
    frame("a painter's worklet", "<script>CSS.paintWorklet.addModule('$URL')</script>"),
    frame(
        "a sound's worklet",
        "<script>new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('$URL')</script>",
    ),
    frame(
        "a store of answers",
        "<script>caches.open('a').then(cache => cache.add(new Request('$URL', { mode: 'no-cors' })))</script>",
    ),
    frame(
        "a federation of identities",
        "<script>navigator.credentials.get({ identity: { providers: [{ configURL: 'https://$HOST/c.json', clientId: 'a' }] } })</script>",
    ),
    frame(
        "a payment's method",
        "<script>new PaymentRequest([{ supportedMethods: 'https://$HOST/pay' }], { total: { label: 'a', amount: { currency: 'EUR', value: '1' } } }).canMakePayment()</script>",
    ),
    frame(
        "a notification's picture",
        "<script>new Notification('a', { icon: '$URL', image: '$URL' })</script>",
    ),
    frame(
        "a player's picture",
        "<script>navigator.mediaSession.metadata = new MediaMetadata({ title: 'a', artwork: [{ src: '$URL', sizes: '9x9' }] })</script>",
    ),
    frame(
        "an auction",
        "<script>navigator.joinAdInterestGroup({ owner: 'https://$HOST', name: 'a', biddingLogicURL: 'https://$HOST/b.js', updateURL: 'https://$HOST/u', lifetimeMs: 9e6 }, 9e3).then(() => navigator.updateAdInterestGroups())</script>",
    ),
    frame("a shared storage", "<script>sharedStorage.createWorklet('https://$HOST/w.js')</script>"),
    frame("a source map", "<script>eval('1 //# sourceMappingURL=$URL')</script>"),
    frame(
        "a protocol's handler",
        "<script>navigator.registerProtocolHandler('web+a', '$URL%s'); location = 'web+a:b'</script>",
    ),
];
