// Whether an element can be seen, and whether assistive technology is told about it.
//
// Two questions with two answers: a transparent button is visible; a visible picture may be hidden by aria-hidden.

const NEVER_RENDERED = new Set(
  ['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'base', 'param', 'source', 'track']);

function styleOf(element) {
  return remembered(caches.style, element, computeStyle);
}

function computeStyle(element) {
  const view = element.ownerDocument.defaultView;
  return view ? view.getComputedStyle(element) : null;
}

function displayOf(element) {
  return remembered(caches.display, element, computeDisplay);
}

function computeDisplay(element) {
  const style = styleOf(element);
  return style ? style.display : '';
}

// Visible: a box that is not empty, and not visibility:hidden. Opacity plays no part. An element without a box of its
// own (display:contents) is visible when something in it is.
function isVisible(element) {
  return remembered(caches.visible, element, computeVisible);
}

function computeVisible(element) {
  if (!element.isConnected) return false;
  const display = displayOf(element);
  if (display === '' || display === 'none') return false;
  if (display === 'contents') return hasVisibleContent(element);
  if (styleOf(element).visibility !== 'visible' || isSkipped(element)) return false;
  return takesSpace(element) || listOf(element) !== null && takesSpace(listOf(element));
}

function takesSpace(element) {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

// The list box that an option is a line of. WebKit draws those lines itself and lays none of them out: they are seen where
// their list is.
function listOf(element) {
  if (element.localName !== 'option' && element.localName !== 'optgroup') return null;
  const list = element.closest('select');
  return list && (list.multiple || list.size > 1) ? list : null;
}

function hasVisibleContent(element) {
  for (const child of flatChildren(element)) {
    if (child.nodeType === ELEMENT_NODE && isVisible(child)) return true;
    if (child.nodeType === TEXT_NODE && isTextVisible(child)) return true;
  }
  return false;
}

function isTextVisible(text) {
  const parent = flatParent(text);
  if (!parent || !text.data.trim()) return false;
  const style = styleOf(parent);
  if (!style || style.visibility !== 'visible') return false;
  const range = text.ownerDocument.createRange();
  range.selectNodeContents(text);
  const box = range.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

// In a subtree that is laid out but skipped: content-visibility, a closed <details>, hidden=until-found
// (CSS Containment 2, "content-visibility"; CSSOM View, checkVisibility).
function isSkipped(element) {
  if (element.checkVisibility) {
    const drawn = listOf(element) || element;
    return displayOf(element) !== 'contents' && !drawn.checkVisibility({ contentVisibilityAuto: false });
  }
  return !!flatClosest(element, isInClosedDetails);
}

// The content of a closed <details> other than its summary (HTML, "The details element").
function isInClosedDetails(element) {
  const parent = element.parentElement;
  return !!parent && parent.localName === 'details' && !parent.open && element !== summaryOf(parent);
}

function summaryOf(details) {
  for (const child of details.children) {
    if (child.localName === 'summary') return child;
  }
  return null;
}

// Hidden from assistive technology: WAI-ARIA 1.2, "Excluding Elements from the Accessibility Tree", with HTML's
// inert.
function isHiddenForAria(element) {
  return !isShown(element) || isInHiddenTree(element);
}

function isShown(element) {
  return remembered(caches.shown, element, computeShown);
}

function computeShown(element) {
  const display = displayOf(element);
  if (display === 'none' || display === '') return false;
  return display === 'contents' || styleOf(element).visibility === 'visible';
}

// Hidden together with everything in it. Unlike this, visibility may be taken back by a descendant.
function isInHiddenTree(element) {
  return remembered(caches.hidden, element, computeInHiddenTree);
}

function computeInHiddenTree(element) {
  if (hidesItsTree(element)) return true;
  const parent = flatParent(element);
  return parent !== null && isInHiddenTree(parent);
}

// Whether `element` itself, whatever its ancestors say, hides all that is in it.
function hidesItsTree(element) {
  return isNotRendered(element) || element.getAttribute('aria-hidden') === 'true' || isInert(element);
}

function isNotRendered(element) {
  if (NEVER_RENDERED.has(element.localName)) return true;
  const display = displayOf(element);
  if (display === 'none' || display === '') return true;
  if (isLeftOutOfSlots(element)) return true;
  const parent = flatParent(element);
  if (parent && (isInClosedDetails(element) || styleOf(parent).contentVisibility === 'hidden')) return true;
  return false;
}

// HTML, "Inert subtrees": by attribute, or because a modal dialog is open elsewhere.
function isInert(element) {
  if (element.hasAttribute('inert') && isHtml(element)) return true;
  const modals = openModals(element.ownerDocument);
  return modals.length > 0 && !modals.some(modal => isFlatAncestor(modal, element) || isFlatAncestor(element, modal));
}

function isFlatAncestor(ancestor, element) {
  return ancestor.contains(element) || flatClosest(element, at => at === ancestor) !== null;
}

function openModals(document) {
  if (caches.modal === undefined) {
    try {
      caches.modal = Array.from(document.querySelectorAll('dialog:modal'));
    } catch {
      caches.modal = [];  // an engine without the :modal pseudo-class
    }
  }
  return caches.modal;
}

injected.isVisible = offered(isVisible);
injected.isHiddenForAria = offered(isHiddenForAria);
