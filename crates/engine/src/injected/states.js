// The states and the value of an element, as far as its role has them: WAI-ARIA 1.2, "Supported States and
// Properties"; HTML-AAM 1.0, "HTML Attribute State and Property Mappings": a native state wins over the aria-
// attribute.

function stateOf(element) {
  const role = roleOf(element);
  const has = state => role !== null && STATEFUL[state].has(role);
  return {
    checked: has('checked') ? checkedOf(element) : undefined,
    disabled: isDisabled(element, role),
    expanded: expandedOf(element, role),
    pressed: has('pressed') ? pressedOf(element) : undefined,
    selected: has('selected') ? selectedOf(element) : undefined,
    level: has('level') ? levelOf(element, role) : undefined,
    invalid: has('invalid') && isInvalid(element),
    required: isRequired(element, has('required')),
    readonly: isReadonly(element, has('readonly')),
    active: isActive(element),
    pointer: hasPointer(element),
    value: valueOf(element, role),
    url: urlOf(element, role),
    placeholder: placeholderOf(element),
  };
}

// true, false, 'mixed', or undefined for an option or tree item that can't be checked.
function checkedOf(element) {
  if (element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio')) {
    return element.indeterminate && element.type === 'checkbox' ? 'mixed' : element.checked;
  }
  const attribute = element.getAttribute('aria-checked');
  if (attribute === 'true') return true;
  const role = roleOf(element);
  const twoValued = role === 'radio' || role === 'menuitemradio' || role === 'switch';
  if (attribute === 'mixed') return twoValued ? false : 'mixed';
  return role === 'option' || role === 'treeitem' ? attribute === 'false' ? false : undefined : false;
}

// Natively, or by aria-disabled on it or on an ancestor, whose disabled state the descendants share.
function isDisabled(element, role = roleOf(element)) {
  if (FORM_CONTROLS.has(element.localName) && isHtml(element) && isNativelyDisabled(element)) return true;
  return isAriaDisabled(element, role);
}

function isAriaDisabled(element, role) {
  return role !== null && STATEFUL.disabled.has(role) && isInAriaDisabled(element);
}

function isInAriaDisabled(element) {
  return remembered(caches.disabled, element, computeInAriaDisabled);
}

function computeInAriaDisabled(element) {
  const attribute = element.getAttribute('aria-disabled');
  if (attribute === 'true' || attribute === 'false') return attribute === 'true';
  const parent = flatParent(element);
  return parent !== null && isInAriaDisabled(parent);
}

function expandedOf(element, role) {
  if (element.localName === 'summary' && isSummaryOfDetails(element)) return element.parentElement.open;
  if (role === null || !STATEFUL.expanded.has(role)) return undefined;
  const attribute = element.getAttribute('aria-expanded');
  if (attribute === 'true') return true;
  if (attribute === 'false') return false;
  return element.localName === 'select' ? isOpenSelect(element, role) : popoverExpanded(element);
}

function isOpenSelect(select, role) {
  if (role !== 'combobox') return undefined;
  try {
    return select.matches(':open');
  } catch {
    return false;  // an engine without the :open pseudo-class can't tell
  }
}

// HTML, "The popover target attributes": the invoker of a popover tells whether it shows.
function popoverExpanded(element) {
  const target = element.popoverTargetElement;
  return target ? target.matches(':popover-open') : undefined;
}

function pressedOf(element) {
  const attribute = element.getAttribute('aria-pressed');
  if (attribute === 'mixed') return 'mixed';
  return attribute === null || attribute === 'undefined' || attribute === '' ? undefined : attribute === 'true';
}

// Roles that are there to be selected: without the attribute they are not, others can't be.
const SELECTABLE = words('option tab treeitem');

function selectedOf(element) {
  if (element.localName === 'option' && isHtml(element)) return element.selected;
  const attribute = element.getAttribute('aria-selected');
  if (attribute === 'true' || attribute === 'false') return attribute === 'true';
  return SELECTABLE.has(roleOf(element)) ? false : undefined;
}

function levelOf(element, role) {
  const attribute = parseInt(element.getAttribute('aria-level') || '', 10);
  if (attribute >= 1) return attribute;
  const native = /^h([1-6])$/.exec(element.localName);
  if (native && role === 'heading') return Number(native[1]);
  return role === 'heading' ? 2 : undefined;
}

function isInvalid(element) {
  const attribute = element.getAttribute('aria-invalid');
  if (attribute !== null && attribute.trim() !== '') return attribute !== 'false';
  return false;
}

function isRequired(element, supported) {
  if (!supported) return false;
  if (element.required === true && ['input', 'select', 'textarea'].includes(element.localName)) return true;
  return element.getAttribute('aria-required') === 'true';
}

// HTML, "The readonly attribute" doesn't apply to these.
const WITHOUT_READONLY = words('checkbox radio range color file hidden button submit reset image');

function isReadonly(element, supported) {
  if (!supported) return false;
  if (element.localName === 'input' && element.readOnly) return !WITHOUT_READONLY.has(element.type);
  if (element.localName === 'textarea' && element.readOnly) return true;
  return element.getAttribute('aria-readonly') === 'true';
}

// The focused element, looked for in each tree: a document's active element may be a host whose shadow tree has the
// focus.
function isActive(element) {
  const root = element.getRootNode();
  return !!root && root.activeElement === element && !(element.shadowRoot && element.shadowRoot.activeElement);
}

// cursor:pointer that begins here: it is inherited, and what it tells is where the clickable thing starts.
function hasPointer(element) {
  if (styleOf(element).cursor !== 'pointer') return false;
  const parent = flatParent(element);
  return !parent || styleOf(parent).cursor !== 'pointer';
}

function urlOf(element, role) {
  if (role !== 'link') return undefined;
  const href = element.getAttribute('href');
  return href === null ? element.getAttribute('xlink:href') || undefined : href;
}

function placeholderOf(element) {
  const native = (element.localName === 'input' || element.localName === 'textarea') && takesPlaceholder(element);
  return (native && element.getAttribute('placeholder')) || element.getAttribute('aria-placeholder') || undefined;
}

injected.stateOf = offered(stateOf);
injected.isDisabled = offered(element => isDisabled(element));
