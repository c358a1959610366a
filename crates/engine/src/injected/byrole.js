// Defines `queryRole`: elements by role, accessible name and state.
//
// Roles are roles.js's. Asking each of ten thousand elements for its role would be slow, so the browser first collects the elements
// that could have it: those with a role attribute, and those whose tag may give it (HTML-AAM 1.0, "HTML Element Role Mappings"). The table
// may name too many tags, never too few.

const TAGS_OF_ROLE = {
  __proto__: null,
  // By the role attribute only.
  alert: '', alertdialog: '', application: '', feed: '', log: '', marquee: '', menu: '', menubar: '', menuitem: '', menuitemcheckbox: '',
  menuitemradio: '', note: '', radiogroup: '', scrollbar: '', tab: '', tablist: '', tabpanel: '', timer: '', toolbar: '', tooltip: '',
  tree: '', treegrid: '', treeitem: '',
  // Controls.
  button: 'button, summary, input, select', checkbox: 'input', combobox: 'select, input, button', listbox: 'select, datalist', option: 'option',
  radio: 'input', searchbox: 'input', slider: 'input', spinbutton: 'input', switch: 'input', textbox: 'input, textarea',
  meter: 'meter', progressbar: 'progress', status: 'output', link: 'a, area, [*|href]',
  // Landmarks and sections.
  article: 'article', banner: 'header', complementary: 'aside', contentinfo: 'footer', dialog: 'dialog', document: 'html', form: 'form',
  main: 'main', navigation: 'nav', region: 'section', search: 'search',
  // Tables and lists.
  caption: 'caption, figcaption', cell: 'td, th', columnheader: 'th, td', definition: 'dd, dfn', grid: 'table', gridcell: 'td, th',
  list: 'ul, ol, menu, dl', listitem: 'li', row: 'tr', rowgroup: 'tbody, thead, tfoot', rowheader: 'th', table: 'table', term: 'dfn, dt',
  // Text and pictures.
  blockquote: 'blockquote', code: 'code', deletion: 'del, s', emphasis: 'em', figure: 'figure', heading: 'h1, h2, h3, h4, h5, h6',
  group: 'details, fieldset, hgroup, optgroup, address, svg, g', img: 'img, svg, image', insertion: 'ins', mark: 'mark', math: 'math',
  paragraph: 'p', separator: 'hr', strong: 'strong', subscript: 'sub', superscript: 'sup', time: 'time',
};

function queryRole(scope, query, first) {
  const role = query.role === 'image' ? 'img' : query.role;
  const nameMatches = query.name && nameMatcher(query.name);
  const descriptionMatches = query.description && nameMatcher(query.description);
  const asked = ['checked', 'disabled', 'expanded', 'level', 'pressed', 'selected'].filter(state => query[state] !== undefined);
  const elements = [];
  for (const element of queryCss(scope, [candidatesFor(role)])) {
    if (injected.roleOf(element) !== role) continue;
    if (asked.length && !hasStates(element, query, asked)) continue;
    if (nameMatches && !nameMatches(injected.nameOf(element))) continue;
    if (descriptionMatches && !descriptionMatches(injected.descriptionOf(element))) continue;
    if (!query.hidden && injected.isHiddenForAria(element)) continue;
    elements.push(element);
    if (first) break;
  }
  return elements;
}

function candidatesFor(role) {
  const tags = role.startsWith('doc-') || role.startsWith('graphics-') ? '' : TAGS_OF_ROLE[role];
  if (tags === undefined) return '*';
  return tags ? `[role], ${tags}` : '[role]';
}

// A state that an element does not tell is off; a level that it does not tell is none.
function hasStates(element, query, asked) {
  const state = injected.stateOf(element);
  return asked.every(name => (state[name] === undefined && name !== 'level' ? false : state[name]) === query[name]);
}

// The operators are those of CSS attributes (Selectors 4, 6.2).
function nameMatcher([operator, value, flag]) {
  if (operator === '/') return stringMatcher(['/', value, flag]);
  const fold = flag === 'i' ? text => tidy(text).toLowerCase() : tidy;
  const part = fold(value);
  const test = nameTests[operator];
  return name => test(fold(name || ''), part);
}

const nameTests = {
  __proto__: null,
  '=': (name, part) => name === part,
  '*=': (name, part) => name.includes(part),
  '^=': (name, part) => name.startsWith(part),
  '$=': (name, part) => name.endsWith(part),
  '~=': (name, part) => name.split(' ').includes(part),
  '|=': (name, part) => name === part || name.startsWith(part + '-'),
};
