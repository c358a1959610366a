// Caches that live as long as one operation.
//
// A selector, an action or a snapshot asks for the same styles, roles and names many times, and nothing can change in
// between, because the page's scripts don't run while ours does. `injected.operation(work)` keeps what was found out
// until `work` returns; nested operations share it. Nothing is kept longer: a cache that outlives the call would lie.

let operationsRunning = 0;
let caches = emptyCaches();

function emptyCaches() {
  return {
    style: new Map(),       // element → its computed style
    display: new Map(),     // element → its display, which is asked for most often
    visible: new Map(),     // element → visible to the eye
    shown: new Map(),       // element → rendered and not visibility:hidden
    disabled: new Map(),    // element → aria-disabled, on it or above it
    hidden: new Map(),      // element → hidden from assistive technology
    role: new Map(),        // element → role or null
    name: new Map(),        // element → accessible name
    owners: new Map(),      // root node → owned element → the element that owns it by aria-owns
    modal: undefined,       // the open modal dialogs
    generating: new Map(),  // root node → the elements that style sheets may generate content for
  };
}

injected.operation = function (work) {
  operationsRunning++;
  try {
    return work();
  } finally {
    if (--operationsRunning === 0) caches = emptyCaches();
  }
};

// What `compute` says about `element`, computed once per operation.
function remembered(cache, element, compute) {
  let known = cache.get(element);
  if (known === undefined) {
    known = compute(element);
    cache.set(element, known);
  }
  return known;
}

// A function of the engine's object: an operation of its own when called from outside of one.
function offered(compute) {
  return element => injected.operation(() => compute(element));
}
