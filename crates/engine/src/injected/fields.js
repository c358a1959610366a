// Defines what kind of field an element is (`fieldKind`), and which control a label or wrapper stands for (`controlFor`).

// Fields whose value is written as text, key by key.
const WRITTEN = words('text search url tel email password number');
// Fields whose value is chosen with the browser's own tools; it is set as a whole.
const SET_AS_A_WHOLE = words('date time month week datetime-local color range');
const BUTTONS = words('button submit reset image');
const CONTROLS = 'input:not([type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true], [contenteditable="plaintext-only"]';

// `text`, `multiline`, `rich`, `whole`, `checkbox`, `radio`, `list`, `file`, `button`; `switch` for what only ARIA calls a checkbox
// or radio button, `choice` for what only ARIA calls a list; `null` for everything else.
function fieldKind(element) {
  if (isHtml(element)) {
    switch (native.localName(element)) {
      case 'textarea': return 'multiline';
      case 'select': return 'list';
      case 'button': return ariaKind(element) || 'button';
      case 'input': return inputKind(native.inputType(element));
    }
  }
  // Custom elements of forms may have a text of their own; whatever is edited in place is rich.
  return element.isContentEditable ? 'rich' : ariaKind(element);
}

function inputKind(type) {
  if (WRITTEN.has(type)) return 'text';
  if (SET_AS_A_WHOLE.has(type)) return 'whole';
  if (BUTTONS.has(type)) return 'button';
  return type === 'hidden' ? null : type;
}

function ariaKind(element) {
  const role = roleOf(element);
  if (['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) return 'switch';
  return role === 'combobox' || role === 'listbox' ? 'choice' : null;
}

// The element itself if it is of one of the `kinds`; else the control of its label; else the only such control in it.
function controlFor(element, kinds) {
  const fits = candidate => kinds.includes(fieldKind(candidate));
  if (fits(element)) return element;
  const label = flatClosest(element, at => at.nodeType === ELEMENT_NODE && native.localName(at) === 'label');
  const control = label && native.control(label);
  if (control && fits(control)) return control;
  const inside = rootsBelow(element).flatMap(root => native.querySelectorAll(root, CONTROLS)).filter(fits);
  const boxes = inside.filter((candidate, index) => !inside.slice(0, index).some(outer => native.contains(outer, candidate)));
  return boxes.length === 1 ? boxes[0] : null;
}

function isEditable(element) {
  switch (fieldKind(element)) {
    case 'text': case 'multiline': case 'whole':
      return !element.readOnly && element.getAttribute('aria-readonly') !== 'true';
    case 'rich':
      return element.getAttribute('aria-readonly') !== 'true';
    default:
      return true;
  }
}

// The field that `at` leads to, for the engine to decide what to do with it: `{ kind, checked, preview }`. With `wanted`, it is waited
// for until it is checked, or unchecked.
injected.field = ({ at, wait = 0, wanted = null }) => until(wait, () => injected.operation(() => {
  const { element, ...why } = resolve(at);
  if (!element) return { sofar: why, final: wanted !== null || !why.none };
  const control = controlFor(element, ['text', 'multiline', 'rich', 'whole', 'checkbox', 'radio', 'list', 'file']) || element;
  const checked = checkedOf(control) === true;
  const field = { kind: fieldKind(control), checked, preview: injected.preview(control) };
  return wanted === null || wanted === checked ? { done: field } : { sofar: field };
}));
