// Defines what the engine reads off a document: `injected.title`, `injected.content`, `injected.counted`, `injected.box`, `injected.extent`.

injected.title = () => document.title;

// The text as a user sees it, or the source as it is now: of the element `at`, or of the whole document.
injected.content = ({ at, format }) => {
  const { element, ...why } = resolve(at);
  if (!element) return why;
  if (format === 'text') return { text: visibleText(at ? element : document.body || element) };
  return { text: at ? element.outerHTML : doctype() + element.outerHTML };
};

function visibleText(element) {
  // What a user reads in a field is what is in it now.
  const field = element.localName === 'textarea' || element.localName === 'input' && element.type !== 'password';
  if (field && typeof element.value === 'string') return element.value;
  return (element instanceof HTMLElement ? element.innerText : element.textContent) || '';
}

function doctype() {
  return document.doctype ? new XMLSerializer().serializeToString(document.doctype) + '\n' : '';
}

// How many elements match, and how many of them can be seen.
injected.counted = ({ at }) => injected.operation(() => {
  if (at.ref) {
    const { element } = resolve(at);
    return { total: element ? 1 : 0, visible: element && isVisible(element) ? 1 : 0 };
  }
  const elements = runSteps(at.selector, document, false);
  return { total: elements.length, visible: elements.filter(isVisible).length };
});

// The box of an element, scrolled into view if none of it is, in the viewport's coordinates, and the selector that finds it; nothing
// when it is gone.
injected.box = ({ held }) => {
  const element = heldElements.get(held);
  if (!element || !element.isConnected) return null;
  let box = element.getBoundingClientRect();
  const seen = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  if (!seen) {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    box = element.getBoundingClientRect();
  }
  return { rect: { x: box.x, y: box.y, width: box.width, height: box.height }, selector: injected.generate(element) };
};

// How large the document is, and which part of it is in view.
injected.extent = () => {
  const root = document.documentElement;
  const body = document.body;
  const largest = (...sizes) => Math.max(...sizes.filter(Number.isFinite));
  return {
    width: largest(root && root.scrollWidth, root && root.offsetWidth, body && body.scrollWidth, body && body.offsetWidth, 0),
    height: largest(root && root.scrollHeight, root && root.offsetHeight, body && body.scrollHeight, body && body.offsetHeight, 0),
    x: scrollX,
    y: scrollY,
    viewWidth: innerWidth,
    viewHeight: innerHeight,
    scale: devicePixelRatio,
  };
};
