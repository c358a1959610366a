// The tree that users and assistive technology meet: shadow roots in place of light children, slots filled,
// aria-owns.
//
// CSS Scoping 1, "Flattening": a host's children are its shadow tree's; a slot's children are the nodes assigned to
// it, or its own as a fallback. WAI-ARIA 1.2, aria-owns: the owned elements come after the owner's own children; an
// element has one owner, the first in document order, and no cycle counts. Closed shadow roots can't be entered by a
// script.

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

function flatParent(node) {
  const slot = node.assignedSlot;
  if (slot) return slot;
  const parent = node.parentNode;
  if (!parent) return null;
  if (parent.nodeType === ELEMENT_NODE) return parent;
  return parent.host || null;
}

function flatChildren(element) {
  if (element.shadowRoot) return element.shadowRoot.childNodes;
  if (element.localName === 'slot' && isHtml(element)) {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return element.childNodes;
}

// The nearest of `element` and its ancestors in the flat tree that `matches`.
function flatClosest(element, matches) {
  for (let at = element; at; at = flatParent(at)) {
    if (matches(at)) return at;
  }
  return null;
}

function isHtml(element) {
  return element.namespaceURI === 'http://www.w3.org/1999/xhtml';
}

// A child of a shadow host that no slot took: it is in the document and nowhere to be seen.
function isLeftOutOfSlots(element) {
  const parent = element.parentNode;
  return !!parent && parent.nodeType === ELEMENT_NODE && !!parent.shadowRoot && !element.assignedSlot;
}

// The elements that an attribute of ids refers to. Elements set by reflection (ARIA 1.3, "ARIA Element Reflection")
// leave an empty attribute behind and may live in an outer tree.
function referencedElements(element, attribute, reflection) {
  const ids = element.getAttribute(attribute);
  if (ids === null) return [];
  if (ids === '') {
    const reflected = element[reflection];
    return reflected ? Array.from(reflected) : [];
  }
  const root = element.getRootNode();
  if (!root.getElementById) return [];
  const found = [];
  for (const id of ids.split(/[\t\n\f\r ]+/)) {
    const target = id && root.getElementById(id);
    if (target && !found.includes(target)) found.push(target);
  }
  return found;
}

function ownersIn(root) {
  return remembered(caches.owners, root, computeOwners);
}

function computeOwners(root) {
  const owners = new Map();
  if (!root.querySelectorAll) return owners;
  for (const owner of root.querySelectorAll('[aria-owns]')) {
    for (const owned of referencedElements(owner, 'aria-owns', 'ariaOwnsElements')) {
      if (owners.has(owned) || isInside(owner, owned, owners)) continue;
      owners.set(owned, owner);
    }
  }
  return owners;
}

// Whether `element` is `container` or below it, ownership included: owning it would close a circle.
function isInside(element, container, owners) {
  for (let at = element; at; at = owners.get(at) || flatParent(at)) {
    if (at === container) return true;
  }
  return false;
}

// Calls `visit` with the children in the accessibility tree, and `true` for those that come by aria-owns. `owners` of
// the root is passed in by walkers that stay in one tree.
function forEachAccessibleChild(element, visit, owners = ownersIn(element.getRootNode())) {
  if (owners.size === 0 && element.localName !== 'slot') {
    // Siblings one by one: iterating a live NodeList takes eight times as long.
    for (let child = (element.shadowRoot || element).firstChild; child; child = child.nextSibling) visit(child);
    return;
  }
  for (const child of flatChildren(element)) {
    if (!owners.has(child)) visit(child);
  }
  for (const [owned, owner] of owners) {
    if (owner === element) visit(owned, true);
  }
}
