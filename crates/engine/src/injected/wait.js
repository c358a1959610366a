// Defines `injected.waitFor`: waits up to `wait` ms for something to be true of the document.
//
// The condition is `{ text }` or `{ textGone }`, or `{ at, state }` with attached, detached, visible or hidden. The answer is
// `{ met: true }`, or `{ met: false, seen }` with what there was instead.

injected.waitFor = ({ wait, ...condition }) => until(wait, () => injected.operation(() => {
  const seen = lookFor(condition);
  return seen.met ? { done: { met: true } } : { sofar: { met: false, seen: seen.seen }, final: false };
}));

function lookFor({ text, textGone, at, state }) {
  if (text !== undefined) return textSeen(text) ? { met: true } : { seen: 'the text is not there' };
  if (textGone !== undefined) return textSeen(textGone) ? { seen: 'the text is still there' } : { met: true };
  const elements = at.ref ? [resolve(at).element].filter(Boolean) : runSteps(at.selector, document, false);
  const visible = elements.filter(isVisible).length;
  const met = { attached: elements.length > 0, detached: elements.length === 0, visible: visible > 0, hidden: visible === 0 }[state];
  return met ? { met } : { seen: `${elements.length} in the page, ${visible} visible` };
}

function textSeen(text) {
  return runSteps([['text', ['~', text]]], document, false).some(isVisible) || controlShows(text);
}

// What is written into a field is text on the screen, too.
function controlShows(text) {
  const wanted = tidy(text).toLowerCase();
  return native.querySelectorAll(document, 'input:not([type=hidden]):not([type=password]), textarea')
    .some(field => tidy(field.value).toLowerCase().includes(wanted) && isVisible(field));
}
