// Defines `injected.preview`: an element in one short line, for messages: `<button class="primary">Save</button>`.

const PREVIEWED_ATTRIBUTE = 50;
const PREVIEWED_TEXT = 50;
const PREVIEWED_ATTRIBUTES = 6;
const WITHOUT_END_TAG = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);

injected.preview = element => injected.operation(() => {
  const name = native.localName(element);
  const open = `<${name}${previewedAttributes(element)}`;
  if (WITHOUT_END_TAG.has(name)) return `${open}/>`;
  const text = clipped(tidy(textOf(element)), PREVIEWED_TEXT);
  const content = native.firstElementChild(element) && !text ? '…' : text;
  return `${open}>${content}</${name}>`;
});

// The attributes in the order written, styles and event handlers left out: they are long and tell little.
function previewedAttributes(element) {
  let text = '';
  let shown = 0;
  for (const attribute of native.attributes(element)) {
    const name = native.name(attribute);
    if (name === 'style' || name.startsWith('on')) continue;
    if (shown++ === PREVIEWED_ATTRIBUTES) return text + ' …';
    const value = clipped(native.value(attribute).replace(/\s+/g, ' '), PREVIEWED_ATTRIBUTE);
    text += value === '' ? ` ${name}` : ` ${name}="${value.replace(/"/g, '&quot;')}"`;
  }
  return text;
}

function clipped(text, length) {
  return text.length <= length ? text : text.slice(0, length - 1).trimEnd() + '…';
}
