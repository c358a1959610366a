// Reading the document into the tree that a snapshot shows, in one pass.
//
// A node's children are nodes, texts and BREAK, which keeps the texts of two blocks apart (JOINED: and already is a
// line of several). `acts` says that the element itself can be acted on, `live` that it or something in it can. What
// a node looks like in the end is decided when it is complete (folding.js).

const BREAK = Symbol('break');
const JOINED = Symbol('joined');

// Roles that can be acted on, whatever their style.
const LIVE_ROLES = words(`button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio
  option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem`);

// Roles whose element is one thing to click, whatever is drawn in it: a pointer in there is no news.
const ONE_TARGET = words('button checkbox link menuitem menuitemcheckbox menuitemradio option radio switch tab');

// Frames, media and canvases have no role; the agent should know that they are there.
const ROLELESS = { iframe: 'iframe', frame: 'iframe', video: 'video', audio: 'audio', canvas: 'canvas' };

// Elements whose children are not part of the document's content.
const CLOSED = words('input textarea iframe frame video audio canvas img meter progress datalist');

// What holds for a whole reading: how much to tell, where the focus is, whether a modal dialog shuts the rest out.
function newReading(document, full) {
  return { full, active: deepestActive(document), modal: openModals(document).length > 0 };
}

function deepestActive(document) {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  return active === document.body || active === document.documentElement ? null : active;
}

// What the elements above have settled for those below them.
function topOf(reading, element) {
  const root = element.getRootNode();
  return {
    reading, ariaHidden: false, mute: false, closed: false, inTarget: false,
    owners: ownersIn(root), generating: generatingIn(root),
  };
}

// Reads `element` and appends what it gives to `into`.
function readElement(element, into, above) {
  const tag = element.localName;
  if (NEVER_RENDERED.has(tag)) return;
  const shown = howShown(element);
  if (shown === GONE || isShutOut(element, above)) return;
  if (tag === 'br') {
    into.push(' ');
    return;
  }
  const bare = !element.hasAttributes();
  const ariaHidden = above.ariaHidden || !bare && element.getAttribute('aria-hidden') === 'true';
  caches.hidden.set(element, ariaHidden);  // found out on the way: names ask for both
  caches.shown.set(element, shown === SEEN);
  const node = shown === SEEN ? nodeOf(element, bare, ariaHidden, above) : null;
  if (!CLOSED.has(tag)) readChildren(element, node, node ? node.children : into, above, ariaHidden);
  if (node) fold(node, into, above.reading);
}

const GONE = 0;      // neither it nor anything in it
const INVISIBLE = 1; // visibility:hidden, which a descendant may take back
const SEEN = 2;

const WITH_VISIBILITY = { visibilityProperty: true };

// One question answers for most elements; the others have no box of their own, or are not to be seen.
function howShown(element) {
  if (element.checkVisibility && element.checkVisibility(WITH_VISIBILITY)) return SEEN;
  const display = displayOf(element);
  if (display === 'none' || display === '') return GONE;
  if (display !== 'contents' && isSkipped(element)) return GONE;
  return styleOf(element).visibility === 'visible' ? SEEN : INVISIBLE;
}

// Out of reach: in a closed <details>, or inert.
function isShutOut(element, above) {
  if (above.closed && !isSummaryOfDetails(element)) return true;
  return element.hasAttribute('inert') || above.reading.modal && isInert(element);
}

function readChildren(element, node, children, above, ariaHidden) {
  const { reading } = above;
  const shadow = element.shadowRoot;
  const below = {
    reading,
    ariaHidden,
    // A compact snapshot leaves out text that the author hid, except the text of what can be acted on.
    mute: ariaHidden && !reading.full && !(node && node.acts) && (above.mute || !above.ariaHidden),
    closed: element.localName === 'details' && !element.open,
    inTarget: above.inTarget || node !== null && ONE_TARGET.has(node.role),
    owners: shadow ? ownersIn(shadow) : above.owners,
    generating: shadow ? generatingIn(shadow) : above.generating,
  };
  const texts = node !== null && !below.mute && !below.closed;
  if (texts) pushText(children, generatedText(element, '::before', above.generating));
  forEachAccessibleChild(element, child => {
    if (child.nodeType === ELEMENT_NODE) readElement(child, children, below);
    else if (texts && child.nodeType === TEXT_NODE) pushText(children, child.data);
  }, below.owners);
  if (texts) pushText(children, generatedText(element, '::after', above.generating));
  if (children.length && texts && styleOf(element).contentVisibility === 'hidden') children.length = 0;
}

// By the keyboard or by a listener in its markup. Without attributes only a summary can.
function canBeActedOn(element, bare) {
  if (bare) return element.localName === 'summary' && isSummaryOfDetails(element);
  return isFocusable(element) || element.hasAttribute('onclick');
}

function pushText(children, text) {
  if (text !== '') children.push(text);
}

function nodeOf(element, bare, ariaHidden, above) {
  const role = roleOf(element);
  const roleless = role === null || role === 'presentation' || role === 'none';
  const shown = roleless ? ROLELESS[element.localName] || 'generic' : role;
  const lives = LIVE_ROLES.has(shown);
  const pointer = (above.reading.full || !lives && !above.inTarget) && hasPointer(element);
  const acts = lives || pointer || shown === 'iframe' || canBeActedOn(element, bare);
  return {
    element, role: shown, name: '', marks: '', properties: [], value: '', children: [],
    acts, live: acts, pointer, ariaHidden, hides: ariaHidden && !above.ariaHidden, group: false,
  };
}
