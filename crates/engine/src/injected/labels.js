// The text alternative that HTML and SVG themselves provide: labels, legends, captions, alt, titles.
//
// HTML-AAM 1.0, "Accessible Name Computations By HTML Element"; SVG-AAM 1.0, "Name and Description".
// `alternative(element)` computes the text of an element that serves as a label.

const LABELLED_BY_LABELS = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);

// The label elements of a control, in tree order. A slotted control or one behind a shadow host has none of its own.
function labelsOf(element) {
  return LABELLED_BY_LABELS.has(element.localName) ? nativeLabels(element) : [];
}

// What names `element` natively, before its content is considered; '' when nothing does. The tooltip (`title`) comes
// last of all and is not part of this.
function nativeAlternative(element, alternative) {
  if (!isHtml(element)) return svgTitle(element);
  const labelled = labelsOf(element).map(alternative).filter(text => text.trim()).join(' ');
  if (labelled) return labelled;
  switch (element.localName) {
    case 'input':
      return inputAlternative(element);
    case 'img': case 'area':
      return element.getAttribute('alt') || '';
    case 'option': case 'optgroup':
      return element.getAttribute('label') || '';
    case 'fieldset':
      return alternativeOfChild(element, 'legend', alternative);
    case 'figure':
      return alternativeOfChild(element, 'figcaption', alternative);
    case 'table':
      return alternativeOfChild(element, 'caption', alternative);
    default:
      return '';
  }
}

function inputAlternative(input) {
  switch (input.type) {
    case 'submit':
      return input.getAttribute('value') || (input.hasAttribute('value') ? '' : 'Submit');
    case 'reset':
      return input.getAttribute('value') || (input.hasAttribute('value') ? '' : 'Reset');
    case 'button':
      return input.getAttribute('value') || '';
    case 'image':
      return input.getAttribute('alt') || input.getAttribute('value') || input.getAttribute('title') || 'Submit';
    case 'file':
      return '';
    default:
      return '';
  }
}

function alternativeOfChild(element, childName, alternative) {
  for (const child of element.children) {
    if (child.localName === childName) return alternative(child);
  }
  return '';
}

function svgTitle(element) {
  for (const child of element.children) {
    if (child.localName === 'title') return child.textContent;
  }
  return (element.localName === 'a' && element.getAttribute('xlink:title')) || '';
}

// The last resort: the tooltip, then the placeholder (HTML-AAM, `input type=text` … and `textarea`); a file chooser
// shows its own text.
function tooltip(element) {
  const title = element.getAttribute('title');
  if (title && title.trim()) return title;
  if (element.localName === 'textarea' || element.localName === 'input') {
    if (element.type === 'file') return element.multiple ? 'Choose Files' : 'Choose File';
    const placeholder = takesPlaceholder(element) && element.getAttribute('placeholder');
    if (placeholder) return placeholder;
  }
  const summary = element.localName === 'table' && element.getAttribute('summary');
  return element.getAttribute('aria-placeholder') || summary || '';
}

const PLACEHOLDER_INPUTS = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);

function takesPlaceholder(element) {
  return element.localName === 'textarea' || PLACEHOLDER_INPUTS.has(element.type);
}
