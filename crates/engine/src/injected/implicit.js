// The role that an element has by itself: ARIA in HTML, "Document conformance requirements for use of ARIA attributes
// in HTML", and HTML-AAM 1.0, "HTML Element Role Mappings".
//
// `null` is "no corresponding role". Where the specifications give none to a control (password, date, colour, file),
// it has the role of the control that it looks like, because that is how agents and tests ask for it.

const always = role => () => role;

const SECTIONING = new Set(['article', 'aside', 'main', 'nav', 'section']);
const SECTIONING_ROLES = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

const IMPLICIT = {
  a: e => e.hasAttribute('href') ? 'link' : 'generic',
  address: always('group'),
  area: e => e.hasAttribute('href') ? 'link' : 'generic',
  article: always('article'),
  aside: e => !isInSectioning(e, true) || hasExplicitName(e) ? 'complementary' : 'generic',
  b: always('generic'),
  bdi: always('generic'),
  bdo: always('generic'),
  blockquote: always('blockquote'),
  body: always('generic'),
  button: always('button'),
  caption: always('caption'),
  code: always('code'),
  data: always('generic'),
  datalist: always('listbox'),
  dd: always('definition'),
  del: always('deletion'),
  details: always('group'),
  dfn: always('term'),
  dialog: always('dialog'),
  div: always('generic'),
  dt: always('term'),
  em: always('emphasis'),
  fieldset: always('group'),
  figure: always('figure'),
  footer: e => isInSectioning(e) ? 'generic' : 'contentinfo',
  form: e => hasExplicitName(e) ? 'form' : 'generic',
  h1: always('heading'),
  h2: always('heading'),
  h3: always('heading'),
  h4: always('heading'),
  h5: always('heading'),
  h6: always('heading'),
  header: e => isInSectioning(e) ? 'generic' : 'banner',
  hgroup: always('group'),
  hr: always('separator'),
  html: always('document'),
  i: always('generic'),
  img: imageRole,
  input: inputRole,
  ins: always('insertion'),
  li: e => isInList(e) ? 'listitem' : 'generic',
  main: always('main'),
  mark: always('mark'),
  math: always('math'),
  menu: always('list'),
  meter: always('meter'),
  nav: always('navigation'),
  ol: always('list'),
  optgroup: always('group'),
  option: always('option'),
  output: always('status'),
  p: always('paragraph'),
  pre: always('generic'),
  progress: always('progressbar'),
  q: always('generic'),
  s: always('deletion'),
  samp: always('generic'),
  search: always('search'),
  section: e => hasExplicitName(e) ? 'region' : 'generic',
  select: e => e.multiple || e.size > 1 ? 'listbox' : 'combobox',
  small: always('generic'),
  span: always('generic'),
  strong: always('strong'),
  sub: always('subscript'),
  sup: always('superscript'),
  svg: always('img'),
  table: always('table'),
  tbody: e => tableRoleAround(e) ? 'rowgroup' : 'generic',
  td: e => cellRole(e),
  textarea: always('textbox'),
  tfoot: e => tableRoleAround(e) ? 'rowgroup' : 'generic',
  th: headerCellRole,
  thead: e => tableRoleAround(e) ? 'rowgroup' : 'generic',
  time: always('time'),
  tr: e => tableRoleAround(e) ? 'row' : 'generic',
  u: always('generic'),
  ul: always('list'),
};

const TEXTUAL_INPUTS = new Set(['text', 'email', 'tel', 'url', 'search']);

const INPUT_ROLES = {
  button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton', radio: 'radio',
  range: 'slider', reset: 'button', submit: 'button',
};

// SVG-AAM 1.0, "Including Elements in the Accessibility Tree": shapes and groups count when the author describes
// them.
const SVG_ROLES = { g: 'group', text: 'generic', tspan: 'generic', foreignObject: 'generic' };

function implicitRole(element) {
  if (isHtml(element)) {
    const rule = IMPLICIT[element.localName];
    return rule ? rule(element) : null;
  }
  if (element.localName === 'svg') return 'img';
  if (element.localName === 'math') return 'math';
  return element.ownerSVGElement ? svgRole(element) : null;
}

function svgRole(element) {
  const name = element.localName;
  if (name === 'a') return element.hasAttribute('href') || element.hasAttribute('xlink:href') ? 'link' : 'generic';
  const titled = Array.from(element.children).some(child => child.localName === 'title');
  if (!titled && !hasExplicitName(element)) return null;
  return SVG_ROLES[name] || 'img';
}

// HTML-AAM, `img`: an empty alt is presentational unless the author names it in another way.
function imageRole(image) {
  const decorative = image.getAttribute('alt') === '' && !image.hasAttribute('title');
  return decorative && !refusesPresentation(image, 'img') ? 'presentation' : 'img';
}

function inputRole(input) {
  const type = input.type;
  if (type === 'hidden') return null;
  if (type === 'checkbox' && input.hasAttribute('switch')) return 'switch';
  if (TEXTUAL_INPUTS.has(type)) {
    if (hasDatalist(input)) return 'combobox';
    return type === 'search' ? 'searchbox' : 'textbox';
  }
  return INPUT_ROLES[type] || 'textbox';
}

function hasDatalist(input) {
  const id = input.getAttribute('list');
  const root = id && input.getRootNode();
  const list = root && root.getElementById && root.getElementById(id);
  return !!list && list.localName === 'datalist';
}

// HTML-AAM, `header`, `footer` and `aside`: scoped to the body, or to a section of it?
function isInSectioning(element, mainIsBody = false) {
  const parent = flatParent(element);
  return !!parent && !!flatClosest(parent, at => {
    if (mainIsBody && (at.localName === 'main' || explicitRole(at) === 'main')) return false;
    const role = explicitRole(at);
    return role ? SECTIONING_ROLES.has(role) : SECTIONING.has(at.localName) && isHtml(at);
  });
}

function isInList(item) {
  const parent = flatParent(item);
  return !!parent && ['ul', 'ol', 'menu'].includes(parent.localName) || !!parent && roleOf(parent) === 'list';
}

// Whether the author named it, as far as the role of section, form and aside depends on it (HTML-AAM: "has an
// accessible name").
function hasExplicitName(element) {
  return !!(element.getAttribute('aria-label') || '').trim() || !!(element.getAttribute('title') || '').trim()
    || referencedElements(element, 'aria-labelledby', 'ariaLabelledByElements').length > 0;
}

// The role of the table that a part of it belongs to: table, grid, treegrid; else null and the part means nothing.
function tableRoleAround(part) {
  const table = part.closest('table');
  const role = table && roleOf(table);
  return role === 'table' || role === 'grid' || role === 'treegrid' ? role : null;
}

function cellRole(cell) {
  const table = tableRoleAround(cell);
  if (!table) return 'generic';
  return table === 'table' ? 'cell' : 'gridcell';
}

// HTML, "Forming relationships between data cells and header cells", with HTML-AAM, `th`.
function headerCellRole(cell) {
  if (!tableRoleAround(cell)) return 'generic';
  const scope = (cell.getAttribute('scope') || '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const row = cell.parentElement;
  const hasData = row && Array.from(row.children).some(sibling => sibling.localName === 'td');
  return hasData ? 'rowheader' : 'columnheader';
}
