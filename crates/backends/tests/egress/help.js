// What the attempts' documents have at hand.
const as = (type, body) => `/as?type=${encodeURIComponent(type)}&body=${encodeURIComponent(body)}`;
const js = text => as('text/javascript', text);
const blob = (type, text) => URL.createObjectURL(new Blob([text], { type }));
const show = (type, body) => { document.querySelector('iframe').src = as(type, body); };

/** A service worker of this text, with a scope of its own. */
const serve = (port, text) => navigator.serviceWorker.register(js(text), { scope: `/sw-${port}/` });
const active = registration => new Promise(resolve => {
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  const look = () => { if (worker.state === 'activated') resolve(registration); };
  worker.addEventListener('statechange', look);
  look();
});

/** The beginning of a call, at which a browser looks for ways to itself. */
const call = async (iceServers, more) => {
  const connection = new RTCPeerConnection({ iceServers, ...more });
  connection.createDataChannel('a');
  await connection.setLocalDescription(await connection.createOffer());
  return connection;
};

/** A call that is answered by somebody at this address. */
const answered = async candidate => {
  const [caller, other] = [await call([]), new RTCPeerConnection()];
  await other.setRemoteDescription(caller.localDescription);
  await other.setLocalDescription(await other.createAnswer());
  const sdp = other.localDescription.sdp.replace(/a=candidate:.*\r\n/g, '');
  await caller.setRemoteDescription({ type: 'answer', sdp });
  await caller.addIceCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 });
};
