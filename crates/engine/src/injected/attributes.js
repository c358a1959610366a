// Defines `queryAttribute`, `queryTestId` and `queryLabel`: elements by an attribute's value, by test id, and by what labels them.

// The attribute that holds test ids; the engine sets another if the session is configured so.
injected.testIdAttribute = 'data-testid';

function queryAttribute(scope, name, match, first) {
  const attribute = native.escape(name);
  if (match[0] === '=') return queryCss(scope, [`[${attribute}=${cssString(match[1])}]`], first);
  const matches = stringMatcher(match);
  return queryCss(scope, [`[${attribute}]`]).filter(element => matches(native.getAttribute(element, name)));
}

function queryTestId(scope, match, first) {
  return queryAttribute(scope, injected.testIdAttribute, match, first);
}

// By each label on its own: the elements that aria-labelledby names, or aria-label, or the native labels.
function queryLabel(scope, match) {
  const matches = textMatcher(match);
  const matchesText = match[0] === '/' ? stringMatcher(match) : tidyMatcher(match[0], match[1]);
  const labelled = new Set();
  for (const element of queryCss(scope, ['[aria-labelledby], [aria-label]'])) {
    const labels = labelsByReference(element);
    if (labels ? labels.some(matches) : matchesText(native.getAttribute(element, 'aria-label') || '')) labelled.add(element);
  }
  for (const root of rootsBelow(documentOf(scope))) {
    for (const [control, labels] of labelsIn(root)) {
      if (control === scope || labelled.has(control) || !labels.some(matches)) continue;
      if (!isLabelledByAria(control) && composedContains(scope, control)) labelled.add(control);
    }
  }
  const inOrder = labelled.size > 1 ? queryCss(scope, ['*']) : [...labelled];
  return inOrder.filter(element => labelled.has(element));
}

// The label elements of a control (HTML, "The label element"), in tree order.
function nativeLabels(control) {
  return labelsIn(native.getRootNode(control)).get(control) || [];
}

// The labels are asked for their controls: a control that is asked for its labels looks through its whole tree, so that a thousand
// buttons take a second.
function labelsIn(root) {
  const { labels } = findings();
  let byControl = labels.get(root);
  if (byControl) return byControl;
  labels.set(root, byControl = new Map());
  const type = native.nodeType(root);
  for (const label of type === 9 || type === 11 ? native.querySelectorAll(root, 'label') : []) {
    const control = native.control(label);
    if (!control) continue;
    if (byControl.has(control)) byControl.get(control).push(label);
    else byControl.set(control, [label]);
  }
  return byControl;
}

function isLabelledByAria(element) {
  return !!labelsByReference(element) || !!(native.getAttribute(element, 'aria-label') || '').trim();
}

function tidyMatcher(kind, value) {
  const matches = stringMatcher([kind, tidy(value)]);
  return text => matches(tidy(text));
}

function labelsByReference(element) {
  const ids = native.getAttribute(element, 'aria-labelledby');
  if (ids === null) return null;
  const root = native.getRootNode(element);
  const labels = [];
  for (const id of ids.split(/\s+/)) {
    const label = id && native.querySelector(root, '#' + native.escape(id));
    if (label) labels.push(label);
  }
  return labels.length ? labels : null;
}

// CSSOM, "serialize a string".
function cssString(text) {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(/[\u0001-\u001f\u007f]/g, c => `\\${c.charCodeAt(0).toString(16)} `);
  return `"${escaped.replace(/\0/g, '\ufffd')}"`;
}
