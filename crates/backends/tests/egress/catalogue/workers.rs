//! What is asked for beside a document.

use crate::attempt::{Attempt, frame};

pub(super) const ATTEMPTS: &[Attempt] = &[
    frame("a worker's file", "<script>new Worker('$URL')</script>"),
    frame("a worker's file that is redirected", "<script>new Worker('/redirect?to=$URL')</script>"),
    frame("a worker that fetches", "<script>new Worker(js(\"fetch('$URL', { mode: 'no-cors' })\"))</script>"),
    frame("a worker that requests and waits", "<script>new Worker(js(\"const x = new XMLHttpRequest(); x.open('GET', '$URL', false); x.send()\"))</script>"),
    frame("a worker that imports", "<script>new Worker(js(\"importScripts('$URL')\"))</script>"),
    frame("a worker of a module that imports", "<script>new Worker(js(\"import '$URL'\"), { type: 'module' })</script>"),
    frame("a worker with a socket", "<script>new Worker(js(\"new WebSocket('ws://$HOST/')\"))</script>"),
    frame("a worker with a source of events", "<script>new Worker(js(\"new EventSource('$URL')\"))</script>"),
    frame("a worker with a transport", "<script>new Worker(js(\"new WebTransport('https://$HOST/')\"))</script>"),
    frame("a worker with a font", "<script>new Worker(js(\"const f = new FontFace('f', 'url($URL)'); f.load()\"))</script>"),
    frame("a worker of a blob", "<script>new Worker(blob('text/javascript', \"fetch('$URL', { mode: 'no-cors' })\"))</script>"),
    frame("a worker of data", "<script>new Worker('data:text/javascript,' + encodeURIComponent(\"fetch('$URL', { mode: 'no-cors' })\"))</script>"),
    // Several: Firefox 153 leaves some of them hanging for good while it is driven (docs/browsers.md).
    frame("a worker of a worker", "<script>for (let n = 0; n < 8; n++) new Worker(js(`new Worker(${JSON.stringify(js(\"fetch('$URL', { mode: 'no-cors' })\"))})`))</script>"),
    frame("a shared worker's file", "<script>new SharedWorker('$URL')</script>"),
    frame("a shared worker that fetches", "<script>new SharedWorker(js(\"fetch('$URL', { mode: 'no-cors' })\"))</script>"),
    frame("a shared worker that imports", "<script>new SharedWorker(js(\"importScripts('$URL')\"))</script>"),
    frame("a shared worker with a socket", "<script>new SharedWorker(js(\"new WebSocket('ws://$HOST/')\"))</script>"),
    frame("a shared worker with a source of events", "<script>new SharedWorker(js(\"new EventSource('$URL')\"))</script>"),
    frame("a service worker's file", "<script>navigator.serviceWorker.register('$URL', { scope: '/sw-$PORT/' })</script>"),
    frame("a service worker that fetches", "<script>serve($PORT, \"fetch('$URL', { mode: 'no-cors' })\")</script>"),
    frame("a service worker that fetches when it is installed", "<script>serve($PORT, \"oninstall = event => event.waitUntil(fetch('$URL', { mode: 'no-cors' }))\")</script>"),
    frame("a service worker that imports", "<script>serve($PORT, \"importScripts('$URL')\")</script>"),
    frame("a service worker with a socket", "<script>serve($PORT, \"new WebSocket('ws://$HOST/')\")</script>"),
    frame("a service worker that answers for a page", "<script>
        serve($PORT, \"onactivate = event => event.waitUntil(clients.claim()); onfetch = event => event.respondWith(fetch('$URL', { mode: 'no-cors' }))\")
        .then(registration => active(registration)).then(() => { const f = document.createElement('iframe'); f.src = '/sw-$PORT/page'; document.documentElement.append(f) })</script>"),
    frame("a service worker that fetches in the background", "<script>serve($PORT, '').then(registration => active(registration)).then(registration => registration.backgroundFetch.fetch('a', ['$URL']))</script>"),
    frame("a service worker that opens a window", "<script>serve($PORT, \"onactivate = event => event.waitUntil(clients.openWindow('$URL'))\")</script>"),
    frame("a service worker with a push", "<script>serve($PORT, '').then(registration => active(registration)).then(registration => registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: 'BEl62iUYgUivxIkv69yViEuiBIa40HI80NM9f7hH1XqRjLh_rMrbRkfKyTHjW5n7zJ0uZb5u7x8g6cVpFkmY2Hw' }))</script>"),
];
