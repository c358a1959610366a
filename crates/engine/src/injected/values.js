// The value that a control shows: the text of a field, the choice of a list, the number of a range.

// undefined for what has none; a password is told by its length alone.
function valueOf(element, role) {
  if (element.localName === 'textarea' && isHtml(element)) return element.value;
  if (element.localName === 'input' && isHtml(element)) return inputValue(element, role);
  if (role === 'combobox') return tidy(chosenText(element));
  if (role === 'textbox' || role === 'searchbox' || isEditingHost(element)) return tidy(element.textContent);
  if (role !== null && RANGES.has(role)) return rangeText(element);
  return undefined;
}

function inputValue(input, role) {
  switch (input.type) {
    case 'checkbox': case 'radio': case 'button': case 'submit': case 'reset': case 'image': case 'hidden':
      return undefined;
    case 'password':
      return '•'.repeat(input.value.length);
    case 'file':
      return Array.from(input.files, file => file.name).join(', ');
    case 'range':
      return rangeText(input);
    default:
      return role === 'checkbox' || role === 'radio' ? undefined : input.value;
  }
}

// WAI-ARIA 1.2, aria-valuetext before aria-valuenow before the native value.
function rangeText(element) {
  const text = element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow');
  if (text && text.trim()) return text.trim();
  switch (element.localName) {
    case 'input':
      return element.value;
    case 'meter':
      return String(element.value);
    case 'progress':
      return element.hasAttribute('value') ? String(element.value) : '';
    default:
      return '';
  }
}

// The texts of the chosen options (accname 1.2, 2C; WAI-ARIA 1.2, combobox (role): the text field's value comes
// first).
function chosenText(element) {
  if (element.localName === 'select' && isHtml(element)) {
    return Array.from(element.selectedOptions, option => nameOf(option)).join(' ');
  }
  if (element.localName === 'input' || element.localName === 'textarea') return element.value;
  const listbox = roleOf(element) === 'combobox' ? controlledListbox(element) : element;
  if (!listbox) return roleOf(element) === 'combobox' ? element.textContent : '';
  const chosen = Array.from(listbox.querySelectorAll('[role~=option][aria-selected=true]'));
  return chosen.map(option => nameOf(option)).join(' ');
}

function controlledListbox(combobox) {
  const candidates = [
    ...referencedElements(combobox, 'aria-controls', 'ariaControlsElements'),
    ...referencedElements(combobox, 'aria-owns', 'ariaOwnsElements'),
    ...combobox.querySelectorAll('[role~=listbox]'),
  ];
  return candidates.find(candidate => roleOf(candidate) === 'listbox') || null;
}
