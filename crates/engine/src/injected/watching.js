// Defines how this script asks watch.js, which lives in the page's own world: `watched`, `pageMayMoveThings`, `tellOfAction`.
//
// Events cross the worlds, at once and without another question to the browser. Their names are the context's secret, so the page
// can neither hear them nor answer. Where the watch is missing (a document that was there before it), nothing is known.

// `{ timer, frame, moving }`: the ms until the last timer that the action set, whether it asked for a frame, whether the page may
// be moving things. `null` when nobody answers.
function watched(token) {
  if (!token) return null;
  let told = null;
  const hear = event => {
    event.stopImmediatePropagation();
    told = event.detail;
  };
  const name = `${token}:told`;
  window.addEventListener(name, hear, true);
  window.dispatchEvent(new CustomEvent(`${token}:ask`));
  window.removeEventListener(name, hear, true);
  return typeof told === 'string' ? JSON.parse(told) : null;
}

// Where nothing is known, they may.
function pageMayMoveThings(token) {
  const record = watched(token);
  return !record || record.moving;
}

// What this script is about to do with the page's fields counts as an action, though its events are not trusted.
function tellOfAction(token) {
  if (token) window.dispatchEvent(new CustomEvent(`${token}:acting`));
}
