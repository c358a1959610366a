// Refs: short names for elements, from one snapshot to the next.
//
// An element keeps its number while its role and name stay; when they change, it gets a new one, so that an agent
// never acts on "Delete" believing that it is still "Undo". Elements are held weakly: a ref doesn't keep a removed
// subtree alive.

const refOfElement = new WeakMap();   // element → { number, role, name }
const elementOfNumber = new Map();    // number → WeakRef
let lastRefNumber = 0;

function refNumber(element, role, name) {
  const known = refOfElement.get(element);
  if (known && known.role === role && known.name === name) return known.number;
  const number = ++lastRefNumber;
  refOfElement.set(element, { number, role, name });
  elementOfNumber.set(number, new WeakRef(element));
  return number;
}

let refsKept = 0;

// Forgets the refs of elements that are no more, when there may be many of them.
function forgetOldRefs() {
  if (elementOfNumber.size < 2 * refsKept + 1000) return;
  for (const [number, held] of elementOfNumber) {
    if (!held.deref()) elementOfNumber.delete(number);
  }
  refsKept = elementOfNumber.size;
}

// The element of a ref such as `e12`, or `f1e12` in a frame: `{ element }`; with `now` when a later snapshot gave it
// another ref, because its role or name changed. `{ gone: 'detached' }` was removed from the document, `{ gone:
// 'unknown' }` was never told.
injected.elementOfRef = function (ref) {
  const match = /^(?:f\d+)?e(\d+)$/.exec(ref);
  const number = match ? Number(match[1]) : 0;
  if (number < 1 || number > lastRefNumber) return { gone: 'unknown' };
  const held = elementOfNumber.get(number);
  const element = held && held.deref();
  if (!element || !element.isConnected) return { gone: 'detached' };
  const current = refOfElement.get(element).number;
  return current === number ? { element } : { element, now: ref.replace(/\d+$/, String(current)) };
};
