// Writing nodes as lines of YAML: `button "Save" [ref=e12]`, `text: …`, `/url: …`.
//
// A line is `{ depth, key, line, ref }`; its text is without indentation, dash and the colon that announces children,
// so that two snapshots can be compared line by line. YAML 1.2.2, "Plain Style": what a plain scalar can't say is
// quoted.

const NUMBER_LIKE = /^[-+]?(\.\d|\d)[\d_.,:]*([eE][-+]?\d+)?$|^0[xob][\da-f_]+$|^[-+]?\.(inf|nan)$/i;
const WORD_LIKE = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

function isPlainScalar(text) {
  if (text === '' || /^[\s]|[\s]$/.test(text)) return false;
  if (/[\x00-\x1f\x7f\u0085\u2028\u2029\ufeff]/.test(text)) return false;
  if (/^[-?](\s|$)|^[&*!|>%@`"'#,[\]{}?]|^---|^\.\.\./.test(text)) return false;
  if (/:(\s|$)|\s#/.test(text)) return false;
  return !NUMBER_LIKE.test(text) && !WORD_LIKE.test(text);
}

function yamlValue(text) {
  return isPlainScalar(text) ? text : JSON.stringify(text);
}

// A key with a name that would end it early is quoted as a whole.
function yamlKey(text) {
  return /:(\s|$)|\s#/.test(text) || /[\x7f\u0085\u2028\u2029]/.test(text) ? `'${text.replace(/'/g, "''")}'` : text;
}

// Renders `children` below `depth`. `writer` has options and collects the lines and the frames.
function writeChildren(children, depth, writer) {
  for (const child of children) {
    if (typeof child === 'string') {
      writer.lines.push(scalarLine(depth, 'text', child));
    } else {
      writeNode(child, depth, writer);
    }
  }
}

function writeNode(node, depth, writer) {
  const ref = refOf(node, writer);
  let head = node.role;
  if (node.name) head += ` ${JSON.stringify(node.name)}`;
  head += node.marks;
  if (ref) head += ` [ref=${ref}]`;
  head += pointerMark(node, writer.full);
  if (writer.boxes) head += boxMark(node.element);
  const at = writer.lines.length;
  const { children, properties } = node;
  const text = node.value || (children.length === 1 && typeof children[0] === 'string' ? children[0] : '');
  const inline = text !== '' && properties.length === 0;
  const line = inline ? `${yamlKey(head)}: ${yamlValue(text)}` : yamlKey(head);
  writer.lines.push({ depth, key: ref || node.role, line, ref });
  if (node.role === 'iframe') writer.frames.push({ line: at, ref, element: node.element });
  if (inline) return;
  if (writer.depth !== null && depth >= writer.depth) {
    writer.lines[at].more = countLines(node);
    return;
  }
  for (const [key, value] of properties) writer.lines.push(scalarLine(depth + 1, key, value));
  if (node.value !== '') writer.lines.push(scalarLine(depth + 1, 'text', node.value));
  else writeChildren(children, depth + 1, writer);
}

function scalarLine(depth, key, value) {
  return { depth, key, line: `${key}: ${yamlValue(value)}`, ref: null };
}

function refOf(node, writer) {
  if (!wantsRef(node, writer.full) || !hasBox(node)) return null;
  return `${writer.prefix}e${refNumber(node.element, node.role, node.name)}`;
}

function countLines(node) {
  let lines = node.properties.length;
  for (const child of node.children) lines += typeof child === 'string' ? 1 : 1 + countLines(child);
  return lines;
}

// Text is their whole point, and the element around them has the ref.
const WITHOUT_REF = words(`paragraph listitem cell columnheader rowheader rowgroup term definition caption
  blockquote strong emphasis code mark time subscript superscript deletion insertion separator`);

function wantsRef(node, full) {
  return full || node.acts || !WITHOUT_REF.has(node.role);
}

// An element without a box can't be acted on by its ref. Asking for boxes is dear: what has children to show has one,
// and what has a width and shows text has a height.
function hasBox(node) {
  if (node.children.length) return true;
  const { element } = node;
  const showsText = node.name !== '' && NAMED_FROM_CONTENT.has(node.role);
  return element.offsetWidth > 0 && (showsText || element.offsetHeight > 0) || isVisible(element);
}

function boxMark(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return ` [box=${[x, y, width, height].map(Math.round).join(',')}]`;
}

// The lines as one text. A line with deeper ones after it announces them with a colon.
function yamlOf(lines) {
  let text = '';
  for (let i = 0; i < lines.length; i++) {
    const { depth, line, more } = lines[i];
    const opens = i + 1 < lines.length && lines[i + 1].depth > depth;
    if (i > 0) text += '\n';
    text += '  '.repeat(depth) + '- ' + line + (opens ? ':' : more ? `: … ${more} more below` : '');
  }
  return text;
}
