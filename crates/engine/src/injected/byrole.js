// Defines `queryRole`: elements by role, accessible name and state.
//
// Roles are roles.js's. Asking each of ten thousand elements for its role would be slow, so the browser first collects the elements
// that could have it: those with a role attribute, and those whose tag may give it (HTML-AAM 1.0, "HTML Element Role Mappings"). The table
// may name too many tags, never too few.

const ANY_INPUT = 'input';
const TAGS_OF_ROLE = {
  __proto__: null,
  alert: '', alertdialog: '', application: '', feed: '', grid: 'table', gridcell: 'td, th', log: '', marquee: '', menu: '', menubar: '', menuitem: '',
  menuitemcheckbox: '', menuitemradio: '', note: '', radiogroup: '', scrollbar: '', tab: '', tablist: '', tabpanel: '', timer: '', toolbar: '',
  tooltip: '', tree: '', treegrid: '', treeitem: '',
  article: 'article', banner: 'header', blockquote: 'blockquote', button: `button, summary, ${ANY_INPUT}, select`, caption: 'caption, figcaption',
  cell: 'td, th', checkbox: `${ANY_INPUT}`, code: 'code', columnheader: 'th, td', combobox: `select, ${ANY_INPUT}, button`, complementary: 'aside', contentinfo: 'footer',
  definition: 'dd, dfn', deletion: 'del, s', dialog: 'dialog', document: 'html', emphasis: 'em', figure: 'figure', form: 'form',
  group: 'details, fieldset, hgroup, optgroup, address, svg, g', heading: 'h1, h2, h3, h4, h5, h6', img: 'img, svg, image', insertion: 'ins',
  link: 'a, area, [*|href]', list: 'ul, ol, menu, dl', listbox: 'select, datalist', listitem: 'li', main: 'main', mark: 'mark', math: 'math', meter: 'meter',
  navigation: 'nav', option: 'option', paragraph: 'p', progressbar: 'progress', radio: `${ANY_INPUT}`, region: 'section',
  row: 'tr', rowgroup: 'tbody, thead, tfoot', rowheader: 'th', search: 'search', searchbox: `${ANY_INPUT}`, separator: 'hr', slider: `${ANY_INPUT}`,
  spinbutton: `${ANY_INPUT}`, status: 'output', strong: 'strong', subscript: 'sub', superscript: 'sup', switch: `${ANY_INPUT}`, table: 'table',
  term: 'dfn, dt', textbox: `${ANY_INPUT}, textarea`, time: 'time',
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
  const fold = flag === 'i' ? text => tidyText(text).toLowerCase() : tidyText;
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
