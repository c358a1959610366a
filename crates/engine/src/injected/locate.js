// Defines how a question names its element, and `injected.locate`, which waits for it.
//
// A question's `at` is `{ ref }` from a snapshot, `{ selector }` as the parser's JSON, or `{ held }`: an element that an earlier answer
// gave a number to. Nothing is `document.documentElement`.

const LISTED_MATCHES = 5;
const MOST_HELD = 100;

const heldElements = new Map();  // number → element; the newest MOST_HELD
let lastHeld = 0;

function hold(element) {
  heldElements.set(++lastHeld, element);
  if (heldElements.size > MOST_HELD) heldElements.delete(lastHeld - MOST_HELD);
  return lastHeld;
}

// `{ element }`, `{ none: true }`, `{ many, matches }` or `{ gone }`. With `strict: false` the first of many is taken.
function resolve(at, strict = true) {
  if (!at) return { element: document.documentElement };
  if (at.held) {
    const element = heldElements.get(at.held);
    return element && element.isConnected ? { element } : { gone: 'detached' };
  }
  if (at.ref) return injected.elementOfRef(at.ref);
  const elements = runSteps(at.selector, document, !strict);
  if (elements.length === 0) return { none: true };
  return elements.length === 1 || !strict ? { element: elements[0] } : several(elements);
}

function several(elements) {
  const matches = elements.slice(0, LISTED_MATCHES);
  return {
    many: elements.length,
    matches: matches.map(element => ({ preview: injected.preview(element), selector: injected.generate(element) })),
  };
}

// Waits up to `wait` ms until `at` is there, and gives `{ held }` or why not.
injected.locate = ({ at, wait = 0, strict = true }) => until(wait, () => injected.operation(() => {
  const { element, ...why } = resolve(at, strict);
  return element ? { done: { held: hold(element) } } : { sofar: why, final: !why.none };
}));

// The snapshot of what `at` names, of everything by default; without lines, which the engine reads off the YAML.
injected.picture = ({ at, ...options }) => {
  const { element, ...why } = at ? resolve(at) : {};
  return at && !element ? why : injected.snapshot({ ...options, root: element || null, lines: false });
};

injected.nodeOfRef = ref => injected.elementOfRef(ref).element || null;

// The element that `injected.locate` gave a number to.
injected.held = number => heldElements.get(number) || null;

// Looks at once and after every change of the document, until `look` gives `{ done }` or `{ final }`, or the time is up. What it saw
// last is the answer then. A change that no observer tells of (a style sheet that loads, a property) is seen by the slow clock.
function until(wait, look) {
  const first = look();
  if ('done' in first) return first.done;
  if (first.final || wait <= 0) return first.sofar;
  return new Promise(answer => {
    const deadline = performance.now() + wait;
    let last = first;
    let again = null;
    const end = value => {
      observer.disconnect();
      clearInterval(clock);
      cancelAnimationFrame(again);
      answer(value);
    };
    const check = () => {
      again = null;
      last = look();
      if ('done' in last) end(last.done);
      else if (last.final || performance.now() >= deadline) end(last.sofar);
    };
    // Many changes in one frame are one look.
    const soon = () => { again = again || requestAnimationFrame(check); };
    const observer = new MutationObserver(soon);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const clock = setInterval(check, Math.min(100, wait));
  });
}
