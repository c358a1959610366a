// The accessible name and description of an element: accname 1.2, "Text Alternative Computation".
//
// One walk serves all: the steps have the specification's letters. A `walk` says where in the computation we are:
// `visited` guards against loops, `referenced` is an aria-labelledby or aria-describedby traversal, `labels` a native
// label's, `through` allows hidden nodes because the node that was referred to is hidden itself, `nested` is below
// the element whose name is computed.

const START = { visited: null, referenced: false, labels: false, through: false, nested: false };

function nameOf(element) {
  return remembered(caches.name, element, computeName);
}

function computeName(element) {
  const role = roleOf(element);
  if (role !== null && NAME_PROHIBITED.has(role) && !isNamedAnyway(element, role)) return '';
  return plainName(element, role)
    || tidy(alternative(element, { ...START, visited: new Set(), through: isHiddenForAria(element) }));
}

// The names of most elements: an aria-label, or content that is nothing but text. '' when it takes the whole
// computation.
function plainName(element, role) {
  if (element.hasAttributes()) {
    if (element.hasAttribute('aria-labelledby') || element.hasAttribute('aria-owns')) return '';
    const label = element.getAttribute('aria-label');
    if (label !== null && label.trim()) return tidy(label);
  }
  if (!NAMED_FROM_CONTENT.has(role) || element.firstElementChild !== null || element.firstChild === null) return '';
  if (element.shadowRoot || isOpaque(element) || !isHtml(element) || element.localName === 'option') return '';
  if (mayGenerate(element) || element.labels && element.labels.length) return '';
  return tidy(element.textContent);
}

// Browsers expose an author's label on a generic container, and HTML-AAM computes a name for `summary`.
function isNamedAnyway(element, role) {
  if (role !== 'generic') return false;
  return isNamedByAuthor(element) || isFocusable(element) && element.hasAttribute('title');
}

function alternative(element, walk) {
  if (walk.visited.has(element)) return '';
  // 2A: hidden, and not reached through a reference to something hidden.
  if (!walk.through && isHiddenForAria(element)) {
    return walk.nested && !isInHiddenTree(element) ? fromContent(element, walk, true) : '';
  }
  // 2B: aria-labelledby, followed once.
  if (!walk.referenced) {
    const referenced = referencedElements(element, 'aria-labelledby', 'ariaLabelledByElements');
    const text = joined(referenced.map(target => referredText(target, walk)));
    if (text) return text;
  }
  walk.visited.add(element);
  const role = roleOf(element);
  // 2C: a control inside the label of another one gives its value.
  const value = walk.nested ? embeddedValue(element, role) : '';
  if (value) return value;
  // 2D: aria-label.
  const label = element.getAttribute('aria-label');
  if (label && label.trim()) return label;
  // 2E: the host language.
  const presentational = role === 'presentation' || role === 'none';
  if (!presentational && !(walk.nested && namesOnlyItself(element))) {
    const native = nativeAlternative(element, target => labelText(target, walk));
    if (native.trim()) return native;
    if (givesEmptyAlternative(element)) return '';
  }
  // 2F, 2H: the content.
  if (walk.nested || walk.referenced || walk.labels || isNamedFromContent(element, role)) {
    const text = fromContent(element, walk) || walk.referenced && embeddedValue(element, role) || '';
    if (text.trim()) return text;
  }
  // 2I: the tooltip.
  return presentational && !walk.nested ? '' : tooltip(element);
}

function joined(texts) {
  return texts.map(tidy).filter(Boolean).join(' ');
}

function fromContent(element, walk, mute = false) {
  if (isOpaque(element)) return '';
  const below = { ...walk, nested: true };
  const skipsGroups = roleOf(element) === 'treeitem';  // its subtree has names of its own
  const visit = child => skipsGroups && roleOf(child) === 'group' ? '' : alternative(child, below);
  return contentText(element, visit, mute || hidesItsText(element));
}

function referredText(target, walk) {
  const visited = walk.nested ? new Set(walk.visited) : new Set();
  return alternative(target, { ...START, visited, referenced: true, through: isHiddenForAria(target) });
}

// The text of a label, legend or caption: its content, without the control that it labels (which is in `visited`).
function labelText(target, walk) {
  return alternative(target, { ...START, visited: walk.visited, labels: true, through: isHiddenForAria(target) });
}

function isNamedFromContent(element, role) {
  return role !== null && NAMED_FROM_CONTENT.has(role) || isSummaryOfDetails(element);
}

// Elements whose children are not content that can be read: their value, source or fallback.
const OPAQUE = words('input textarea select iframe audio video object embed img meter progress datalist');

function isOpaque(element) {
  return OPAQUE.has(element.localName) && isHtml(element);
}

// Inside other content, a table or fieldset contributes all its text, not just its caption or legend.
function namesOnlyItself(element) {
  return ['table', 'fieldset', 'figure'].includes(element.localName);
}

// <img alt=""> says that there is nothing to say (HTML-AAM, `img`: "even if its value is an empty string").
function givesEmptyAlternative(element) {
  return element.localName === 'img' && element.getAttribute('alt') === '';
}

// The text of a closed <details> or of skipped content, which no style of its own hides.
function hidesItsText(element) {
  return element.localName === 'details' && !element.open;
}

// accname 1.2, 2C: textbox, combobox, listbox and range; '' for what is none of them.
function embeddedValue(element, role) {
  if (role === 'textbox' || role === 'searchbox') {
    if (element.localName === 'input' || element.localName === 'textarea') return element.value;
    return isEditingHost(element) ? element.textContent : '';
  }
  if (role === 'combobox' || role === 'listbox') return chosenText(element);
  if (role !== null && RANGES.has(role)) return String(rangeText(element));
  return '';
}

injected.nameOf = offered(nameOf);
