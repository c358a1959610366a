// Defines how the searches move through the tree: which roots they visit, what lies above an element, what comes first.
//
// Open shadow roots are part of the page for a user, so every search but XPath's visits them. What is found out about trees and texts
// is kept as long as the operation's caches (caches.js): the page's scripts cannot run in between.

let found = null;
let foundWith = null;

function findings() {
  if (foundWith !== caches) {
    foundWith = caches;
    found = {
      roots: new Map(),    // scope → the roots that a search below it visits
      texts: new Map(),    // node → its text
      unplain: null,       // elements whose textContent is not their text
      nth: new Map(),      // :nth-match() → scope → its element
      labels: new Map(),   // root → control → its labels
    };
  }
  return found;
}

// The scope itself, then each open shadow root below it: a light tree is searched to its end before the shadow trees in it.
function rootsBelow(scope) {
  let roots = findings().roots.get(scope);
  if (!roots) {
    roots = [];
    collectRoots(scope, roots);
    findings().roots.set(scope, roots);
  }
  return roots;
}

function collectRoots(root, roots) {
  roots.push(root);
  const own = native.nodeType(root) === 1 ? native.shadowRoot(root) : null;
  if (own) collectRoots(own, roots);
  for (const element of native.querySelectorAll(root, '*')) {
    const shadow = native.shadowRoot(element);
    if (shadow) collectRoots(shadow, roots);
  }
}

// The element above, out of a shadow tree to its host.
function composedParent(element) {
  const parent = native.parentNode(element);
  if (!parent) return null;
  const type = native.nodeType(parent);
  if (type === 1) return parent;
  return native.isShadowRoot(parent) ? native.host(parent) : null;
}

function composedContains(ancestor, element) {
  if (native.nodeType(ancestor) === 9) return native.ownerDocument(element) === ancestor;
  for (let at = element; at; at = composedParent(at)) {
    if (at === ancestor) return true;
  }
  return false;
}

function documentOf(root) {
  return native.nodeType(root) === 9 ? root : native.ownerDocument(root);
}

// Without duplicates, in tree order; a host's children come before its shadow tree.
function inTreeOrder(elements) {
  const unique = [...new Set(elements)];
  return unique.length < 2 ? unique : unique.sort(compareInTree);
}

function compareInTree(a, b) {
  const roots = [native.getRootNode(a), native.getRootNode(b)];
  if (roots[0] === roots[1]) return follows(a, b) ? -1 : 1;
  const [pathA, pathB] = [hostPath(a), hostPath(b)];
  let depth = 0;
  while (pathA[depth] === pathB[depth]) {
    if (++depth === Math.min(pathA.length, pathB.length)) break;
  }
  // At this depth both lie in the same tree, or one path has ended: that one is the other's host.
  const [atA, atB] = [pathA[depth], pathB[depth]];
  if (!atA) return -1;
  if (!atB) return 1;
  if (native.contains(atA, atB)) return depth + 1 === pathA.length ? -1 : 1;
  if (native.contains(atB, atA)) return depth + 1 === pathB.length ? 1 : -1;
  return follows(atA, atB) ? -1 : 1;
}

function follows(a, b) {
  return (native.compareDocumentPosition(a, b) & 4) !== 0;
}

// The element's hosts from the outermost inwards, and the element itself.
function hostPath(element) {
  const path = [element];
  for (let root = native.getRootNode(element); native.isShadowRoot(root); root = native.getRootNode(path[0])) {
    path.unshift(native.host(root));
  }
  return path;
}
