// What becomes of a node once its children are read: containers that mean nothing dissolve, names that repeat their
// content go.
//
// Two tastes: the compact one, which is ours and leaves out what a reader can infer, and the full one, which keeps
// what Playwright's snapshots keep. Both show everything that can be acted on, and every text.

// Roles that only style a run of text or hold things together: a compact snapshot reads through them.
const SEEN_THROUGH = words('generic group rowgroup strong emphasis code mark time subscript superscript');

// A sole child that can be acted on stands for these: the list or row above already says what they are.
const STANDS_FOR_CHILD = words('cell listitem paragraph');

// Named by their content: when something inside has a line of its own, that line tells the same.
const NAMED_BY_CHILDREN = words('cell columnheader comment gridcell heading row rowheader tooltip');

// Longer than this, a name from content is shown as content.
const LONG_NAME = 200;

// Texts of one group that fit in a line are one text, as in a label and its value.
const SHORT_TEXTS = 80;
const FEW_TEXTS = 3;

// Puts the finished `node` into its parent's children: as a line, dissolved, or not at all.
function fold(node, into, reading) {
  const raw = node.children;
  node.children = mergedTexts(raw);
  node.live = node.acts || node.children.some(child => child.live === true);
  if (!reading.full && node.element.localName === 'label' && node.element.control) {
    if (repeatsItsControl(node)) {
      pushBlock(into, node.children.filter(child => typeof child !== 'string'));
      return;
    }
    node.acts = true;
  }
  if (isPlain(node, reading)) {
    foldPlain(node, raw, into, reading.full);
    return;
  }
  unwrapGroup(node);
  describe(node, reading);
  if (!reading.full && isSuperfluous(node)) return;
  if (!reading.full && dissolves(node)) pushBlock(into, node.children);
  else into.push(node);
}

// Means nothing, does nothing, and no author said anything about it.
function isPlain(node, reading) {
  if (node.acts || node.element === reading.active) return false;
  if (node.role === 'generic') return !isNamedByAuthor(node.element) && !(node.hides && (reading.full || node.live));
  if (reading.full || !SEEN_THROUGH.has(node.role)) return false;
  return !isNamedByAuthor(node.element) && (node.role !== 'group' || nameOf(node.element) === '');
}

function isNamedByAuthor(element) {
  return element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby');
}

function foldPlain(node, raw, into, full) {
  const { children } = node;
  if (!raw.length) return;
  const nodes = children.some(child => typeof child !== 'string');
  const display = displayOf(node.element);
  const block = nodes ? breaksLine(display) : breaksLine(display) && !display.startsWith('inline');
  const stays = full ? nodes && children.length > 1 || !nodes && block && children.length > 0
    : nodes && children.length > 1 && block && node.role !== 'rowgroup';
  if (stays) {
    node.group = true;
    into.push(node);
  } else if (!block) {
    for (const child of raw) into.push(child);
  } else if (!nodes && !full && children.length > 1 && isShort(children) && !raw.includes(JOINED)) {
    into.push(BREAK, children.join(' '), JOINED);
  } else {
    pushBlock(into, children);
  }
}

function isShort(texts) {
  return texts.length <= FEW_TEXTS && texts.reduce((sum, text) => sum + text.length, 0) <= SHORT_TEXTS;
}

function pushBlock(into, children) {
  into.push(BREAK);
  for (const child of children) into.push(child, BREAK);
}

// Adjacent texts become one; breaks and blanks go.
function mergedTexts(children) {
  if (children.length === 0) return children;
  const merged = [];
  let text = '';
  const flush = () => {
    if (text === '') return;
    const tidied = tidy(text);
    if (tidied) merged.push(tidied);
    text = '';
  };
  for (const child of children) {
    if (typeof child === 'string') {
      text += child;
    } else {
      flush();
      if (child !== BREAK && child !== JOINED) merged.push(child);
    }
  }
  flush();
  return merged;
}

// A group that is all there is adds nothing to the element around it.
function unwrapGroup(node) {
  while (node.children.length === 1 && node.children[0].group) node.children = node.children[0].children;
}

function describe(node, reading) {
  node.name = shownName(node, reading.full);
  readMarks(node, reading);
  readValue(node, reading.full);
  if (node.name) node.children = unsaidChildren(node, reading.full);
  if (node.role === 'row' && !reading.full) joinCells(node);
}

function shownName(node, full) {
  const { element, role } = node;
  if (node.ariaHidden) return '';
  if (NAMED_BY_CHILDREN.has(role) && !isNamedByAuthor(element)) {
    if (role === 'row' || node.children.some(child => child.live)) return '';
  }
  const name = nameOf(element);
  const tooLong = !full && name.length > LONG_NAME && node.children.length > 1;
  return tooLong && isNamedFromContent(element, role) ? '' : name;
}

// The children that the name doesn't already say. A name from content says all of it, except what can be acted on.
function unsaidChildren(node, full) {
  const { children, name } = node;
  if (children.every(child => typeof child === 'string') && tidy(children.join(' ')) === name) return [];
  if (full) return children;
  if (isNamedFromContent(node.element, node.role)) return children.filter(child => child.live === true);
  return children.filter(child => child !== name && !(child.role === 'caption' && child.children[0] === name));
}

// `row: 1 | Ada | ada@example.org` instead of a line for each cell, when none of them can be acted on.
function joinCells(row) {
  const { children } = row;
  if (row.value !== '' || children.length < 2 || !children.every(isTextCell)) return;
  row.value = children.map(cell => cell.name || cell.value || cell.children.join(' ')).join(' | ').trimEnd();
  row.children = [];
}

const CELLS = words('cell columnheader rowheader');

function isTextCell(child) {
  if (typeof child === 'string' || !CELLS.has(child.role) || child.live || child.marks) return false;
  return child.children.every(inner => typeof inner === 'string');
}

function dissolves(node) {
  if (node.acts || node.name || node.marks || !STANDS_FOR_CHILD.has(node.role)) return false;
  return node.children.length === 1 && node.children[0].live === true && node.children[0].role !== 'list';
}

// Empty things that nobody named and nobody can act on.
function isSuperfluous(node) {
  if (node.acts || node.name || node.marks || node.value || node.children.length) return false;
  return node.ariaHidden || node.role === 'img' || node.role === 'paragraph' || node.role === 'listitem';
}

// A label's text is the name of its control; when the control is there to be seen and hit, once is enough.
function repeatsItsControl(label) {
  const { control } = label.element;
  const texts = label.children.filter(child => typeof child === 'string');
  if (!texts.length || !isVisible(control) || isHiddenForAria(control)) return false;
  const box = control.getBoundingClientRect();
  if (box.width < 3 || box.height < 3) return false;
  const name = nameOf(control);
  return texts.every(text => name.includes(text));
}
