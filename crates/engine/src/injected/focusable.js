// Whether an element can take the focus (HTML, "The tabindex attribute" and "Focusable areas"), and whether a form
// control is disabled (HTML, "Enabling and disabling form controls").

const FORM_CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);

function isFocusable(element) {
  if (isNativelyDisabled(element)) return false;
  return isNativelyFocusable(element) || hasTabIndex(element);
}

function hasTabIndex(element) {
  return /^[ \t\n\f\r]*-?\d/.test(element.getAttribute('tabindex') || '');
}

function isNativelyFocusable(element) {
  switch (element.localName) {
    case 'button': case 'select': case 'textarea': case 'iframe':
      return true;
    case 'input':
      return element.type !== 'hidden';
    case 'a': case 'area':
      return element.hasAttribute('href');
    case 'summary':
      return isSummaryOfDetails(element);
    case 'audio': case 'video':
      return element.hasAttribute('controls');
    default:
      return isEditingHost(element);
  }
}

function isSummaryOfDetails(element) {
  const parent = element.parentElement;
  return !!parent && parent.localName === 'details' && summaryOf(parent) === element;
}

// HTML, "Making document regions editable": the element that carries the attribute, not everything in it.
function isEditingHost(element) {
  const value = element.getAttribute('contenteditable');
  return value !== null && ['', 'true', 'plaintext-only'].includes(value.toLowerCase());
}

// Disabled by attribute, by an optgroup, or by a fieldset above it, whose first legend is spared.
function isNativelyDisabled(element) {
  const name = element.localName;
  if (!FORM_CONTROLS.has(name) || !isHtml(element)) return false;
  if (element.hasAttribute('disabled')) return true;
  if (name === 'option') {
    const group = element.parentElement;
    return !!group && group.localName === 'optgroup' && group.hasAttribute('disabled');
  }
  return name !== 'optgroup' && isInDisabledFieldset(element);
}

function isInDisabledFieldset(element) {
  let fieldset = element.parentElement && element.parentElement.closest('fieldset[disabled]');
  while (fieldset) {
    const legend = Array.from(fieldset.children).find(child => child.localName === 'legend');
    if (!legend || !legend.contains(element)) return true;
    fieldset = fieldset.parentElement && fieldset.parentElement.closest('fieldset[disabled]');
  }
  return false;
}
