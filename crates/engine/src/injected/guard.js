// Defines the guard: whether the events of a click or hover go to the element that they are meant for, at the moment when they come.
//
// Between the answer of a question and the input, the page may move, cover or replace the element. The guard hears the first trusted
// event of the action before the page does. If it would go elsewhere, it and all that follow are stopped, and the engine tries again.

const GUARDED = {
  __proto__: null,
  press: words('pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu'),
  hover: words('pointerover mouseover pointerenter mouseenter pointermove mousemove'),
};
// An action that was given up must not stop a person's clicks for long.
const GUARDED_FOR = 3000;

let guarded = null;  // { able, types, until, decided, missed }

function armGuard(element, kind, delay = 0) {
  guarded = { able: standIns(element), types: GUARDED[kind], until: clock.now() + GUARDED_FOR + delay, decided: false, missed: null };
  // Again each time: a page that writes itself anew (document.open) takes listeners away; those that are there stay one.
  for (const type of guarded.types) window.addEventListener(type, onGuarded, { capture: true, passive: false });
}

function onGuarded(event) {
  if (!guarded || !event.isTrusted || !guarded.types.has(event.type)) return;
  if (clock.now() > guarded.until) {
    guarded = null;
    return;
  }
  if (!guarded.decided) {
    guarded.decided = true;
    const path = event.composedPath();
    if (!receives(guarded.able, path)) guarded.missed = path.find(node => node.nodeType === ELEMENT_NODE) || document.documentElement;
  }
  if (guarded.missed) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

// What received the event instead, in one line; `null` if it went where it should, or was not seen here.
function disarmGuard() {
  const missed = guarded && guarded.missed;
  if (guarded) {
    for (const type of guarded.types) window.removeEventListener(type, onGuarded, true);
  }
  guarded = null;
  return missed ? injected.preview(missed) : null;
}
