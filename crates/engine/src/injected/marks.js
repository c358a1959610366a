// The words in brackets after a node's name, its value and its properties, read for the roles that have them.

const MARKED_STATES = [
  ['checked', node => STATEFUL.checked.has(node.role) && checkedOf(node.element)],
  ['disabled', node => isDisabled(node.element, node.role)],
  ['expanded', node => node.element.localName !== 'details' && expandedOf(node.element, node.role)],
  ['pressed', node => node.role === 'button' && pressedOf(node.element)],
  ['selected', node => STATEFUL.selected.has(node.role) && selectedOf(node.element)],
  ['invalid', node => STATEFUL.invalid.has(node.role) && isInvalid(node.element)],
];

// A compact snapshot adds what helps to fill in a form.
const FORM_STATES = [
  ['required', node => isRequired(node.element, STATEFUL.required.has(node.role))],
  ['readonly', node => isReadonly(node.element, STATEFUL.readonly.has(node.role))],
];

// Roles that have no state that could be shown: most of a page.
const STATELESS = words(`generic paragraph list table rowgroup img separator main navigation banner contentinfo
  complementary region form search article figure caption term definition blockquote strong emphasis code mark
  time subscript superscript deletion insertion document iframe video audio canvas math status alert log note`);

function readMarks(node, reading) {
  const { element, role } = node;
  let marks = '';
  if (!STATELESS.has(role) || element.localName === 'summary') {
    marks = stateMarks(node, MARKED_STATES);
    if (!reading.full && FORM_CONTROLS.has(element.localName)) marks += stateMarks(node, FORM_STATES);
  }
  const level = STATEFUL.level.has(role) ? levelOf(element, role) : undefined;
  if (level !== undefined) marks += ` [level=${level}]`;
  if (element === reading.active) marks += ' [active]';
  if (node.hides && (reading.full || node.live)) marks += ' [aria-hidden]';
  node.marks = marks;
}

function stateMarks(node, states) {
  let marks = '';
  for (const [word, read] of states) {
    const state = read(node);
    if (state === true) marks += ` [${word}]`;
    else if (state === 'mixed') marks += ` [${word}=mixed]`;
  }
  return marks;
}

// Links and buttons are known to be clickable: a compact snapshot tells the pointer only where it is news.
function pointerMark(node, full) {
  return node.pointer && (full || !LIVE_ROLES.has(node.role)) ? ' [cursor=pointer]' : '';
}

const LONGEST_URL = 300;
const VALUED = new Set(['input', 'textarea']);

function readValue(node, full) {
  const { element, role } = node;
  if (role === 'link') {
    const url = urlOf(element, role);
    if (full && url !== undefined) node.properties.push(['/url', url]);
    if (!full && url && tellsSomething(url)) node.properties.push(['/url', shortened(url, LONGEST_URL)]);
    return;
  }
  // What an editable region or a custom drop-down holds is told by its children.
  const value = VALUED.has(element.localName) || RANGES.has(role) ? valueOf(element, role) : undefined;
  const placeholder = placeholderOf(element);
  if (placeholder && placeholder !== nameOf(element)) node.properties.push(['/placeholder', placeholder]);
  if (value) node.value = tidy(value);
  if (!full && role === 'combobox' && element.localName === 'select') listOptions(node, element);
}

// `#` and `javascript:` say that a script handles the click, which is no place to go.
function tellsSomething(url) {
  return url !== '#' && !/^\s*javascript:/i.test(url);
}

function shortened(text, limit) {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length - limit} more)` : text;
}

const MOST_OPTIONS = 30;

// A closed drop-down's options in one line: they can't be clicked, only chosen.
function listOptions(node, select) {
  const options = Array.from(select.options);
  const shown = options.filter((option, at) => at < MOST_OPTIONS || option.selected).slice(0, MOST_OPTIONS + 10);
  const texts = shown.map(option => {
    const disabled = isNativelyDisabled(option) ? ' [disabled]' : '';
    return nameOf(option) + (option.selected ? ' [selected]' : '') + disabled;
  });
  if (shown.length < options.length) texts.push(`… ${options.length - shown.length} more`);
  node.children = [];
  if (texts.length) node.properties.push(['/options', texts.join(' | ')]);
}
