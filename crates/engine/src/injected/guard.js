// Defines the guard: whether the events of a click, hover or drag go to the element that they are meant for, at the moment when they
// come.
//
// Between the answer of a question and the input, the page may move, cover or replace the element. The guard hears the first trusted
// event of the action before the page does. If it would go elsewhere, it and all that follow are stopped, and the engine tries again.
//
// A drag has two: one where it begins, one where it ends. A page answers a drag by moving things under the hand (placeholders, lists that
// make room), so its end is the element's too when it goes to what is dragged or to something in the same container. And where the page
// follows the mouse by itself, its release is never stopped, for the page would drag on for ever; it is told where it went.

const GUARDED = {
  __proto__: null,
  press: words('pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu'),
  hover: words('pointerover mouseover pointerenter mouseenter pointermove mousemove'),
  lift: words('pointerdown mousedown dragstart pointerup mouseup click'),
  drop: words('drop pointerup mouseup'),
};
// An action that was given up must not stop a person's clicks for long.
const GUARDED_FOR = 3000;

// An event that the engine makes itself, where its browser does not: it is judged like the browser's own.
let vouched = null;
injected.vouch = event => { vouched = event; };

let guards = [];  // { kind, element, able, types, until, within, watch, decided, missed, loose }

function armGuard(element, kind, point, delay = 0, watch = null) {
  const until = clock.now() + GUARDED_FOR + delay;
  const within = !!point && !isDoor(hitAt(point));
  const guard = {
    kind, element, able: standIns(element), types: GUARDED[kind], until, within, watch, decided: false, missed: null, loose: false,
  };
  const lift = kind === 'drop' ? guards.filter(other => other.kind === 'lift') : [];
  disarmGuards();
  guards = [...lift, guard];
  // Again each time: a page that writes itself anew (document.open) takes listeners away; those that are there stay one.
  for (const { types } of guards) {
    for (const type of types) window.addEventListener(type, onGuarded, { capture: true, passive: false });
  }
}

// Events at its place go to a document of its own.
function isDoor(element) {
  return !!element && ['iframe', 'frame', 'object', 'embed', 'fencedframe'].includes(native.localName(element));
}

function onGuarded(event) {
  if (!event.isTrusted && event !== vouched) return;
  guards = guards.filter(guard => clock.now() <= guard.until);
  for (const guard of guards) {
    if (!guard.types.has(event.type)) continue;
    if (!guard.decided) decide(guard, event);
    if (event === vouched) tellOfAction(guard.watch);
    if (guard.missed && !guard.loose) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
  }
}

function decide(guard, event) {
  guard.decided = true;
  guard.loose = guard.kind === 'drop' && event.type !== 'drop';
  const path = event.composedPath();
  if (receives(guard.able, path) || guard.kind === 'drop' && isNear(guard.element, path)) return;
  guard.missed = path.find(node => node.nodeType === ELEMENT_NODE) || document.documentElement;
}

// Whether what a drag ends on is part of what it is about: the dragged element, or the container of the one that it was meant for.
function isNear(element, path) {
  const lifted = guards.find(guard => guard.kind === 'lift');
  if (lifted && path.includes(lifted.element)) return true;
  const container = flatParent(element);
  return !!container && container !== document.body && container !== document.documentElement && path.includes(container);
}

function disarmGuards() {
  for (const { types } of guards) {
    for (const type of types) window.removeEventListener(type, onGuarded, true);
  }
  guards = [];
}

// `missed`: what received the event instead, in one line, and did not get it. `loose`: over what a drag ended instead. `unseen`: no
// event of a click came to this document at all. None of them if all went where it should.
function disarmGuard() {
  const missed = guards.find(guard => guard.missed);
  const unseen = guards.some(guard => guard.kind === 'press' && guard.within && !guard.decided && clock.now() <= guard.until);
  disarmGuards();
  if (unseen) return { unseen };
  if (!missed) return {};
  return { [missed.loose ? 'loose' : 'missed']: injected.preview(missed.missed) };
}
