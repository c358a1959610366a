//! Calls between browsers, which bring their own ways through networks.

use crate::attempt::{Attempt, frame};

pub(super) const ATTEMPTS: &[Attempt] = &[
    frame("a call's STUN server", "<script>call([{ urls: 'stun:$HOST' }])</script>"),
    frame("a call's STUN server by TCP", "<script>call([{ urls: 'stun:$HOST?transport=tcp' }])</script>"),
    frame("a call's STUN server by name", "<script>call([{ urls: 'stun:forbidden.test:$PORT' }])</script>"),
    frame(
        "a call's TURN server",
        "<script>call([{ urls: 'turn:$HOST', username: 'a', credential: 'b' }])</script>",
    ),
    frame(
        "a call's TURN server by TCP",
        "<script>call([{ urls: 'turn:$HOST?transport=tcp', username: 'a', credential: 'b' }])</script>",
    ),
    frame(
        "a call's TURN server by TLS",
        "<script>call([{ urls: 'turns:$HOST?transport=tcp', username: 'a', credential: 'b' }])</script>",
    ),
    frame(
        "a call's TURN server by name",
        "<script>call([{ urls: 'turn:forbidden.test:$PORT?transport=tcp', username: 'a', credential: 'b' }])</script>",
    ),
    frame(
        "a call's relay only",
        "<script>call([{ urls: 'turn:$HOST', username: 'a', credential: 'b' }], { iceTransportPolicy: 'relay' })</script>",
    ),
    frame(
        "a call's other side",
        "<script>answered('candidate:1 1 udp 2113937151 10.77.0.9 $PORT typ host')</script>",
    ),
    frame(
        "a call's other side by TCP",
        "<script>answered('candidate:1 1 tcp 1518280447 10.77.0.9 $PORT typ host tcptype passive')</script>",
    ),
    frame(
        "a call's other side by name",
        "<script>answered('candidate:1 1 udp 2113937151 forbidden.local $PORT typ host')</script>",
    ),
];
