// A value as plain JSON, with what JSON can't hold described in brackets. A function of its own: it runs in the page's world beside the
// user's script, where pages patch prototypes, so it leans on as little as it can.
(value) => {
  const MOST_DEPTH = 20, MOST_ITEMS = 1000, MOST_TEXT = 100000;
  const seen = [];
  const clip = text => text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) + `[… ${text.length - MOST_TEXT} more]` : text;
  const tag = value => Object.prototype.toString.call(value).slice(8, -1);

  const node = value => {
    if (value.nodeType === 3) return `[text ${JSON.stringify(clip(value.data))}]`;
    if (value.nodeType !== 1) return `[${value.nodeName}]`;
    let text = '<' + value.localName;
    for (const name of ['id', 'class', 'name', 'type', 'role', 'href']) {
      const attribute = Element.prototype.getAttribute.call(value, name);
      if (attribute) text += ` ${name}="${attribute.slice(0, 80)}"`;
    }
    const content = (value.textContent || '').replace(/\s+/g, ' ').trim().slice(0, 80);
    return `[${text}>${content ? content + `</${value.localName}>` : ''}]`;
  };

  const items = (values, depth) => {
    const list = [];
    for (const item of values) {
      if (list.length === MOST_ITEMS) {
        list.push('[… more]');
        break;
      }
      list.push(walk(item, depth + 1));
    }
    return list;
  };

  const fields = (value, depth) => {
    const plain = {};
    let count = 0;
    for (const key of Object.keys(value)) {
      if (count++ === MOST_ITEMS) {
        plain['[…]'] = 'more';
        break;
      }
      let field;
      try {
        field = value[key];
      } catch (error) {
        field = `[threw ${error}]`;
      }
      plain[key] = walk(field, depth + 1);
    }
    return plain;
  };

  const walk = (value, depth) => {
    switch (typeof value) {
      case 'undefined': return depth ? '[undefined]' : 'undefined';
      case 'boolean': return value;
      case 'string': return clip(value);
      case 'number': return Number.isFinite(value) ? value : `[${value}]`;
      case 'bigint': return `${value}n`;
      case 'symbol': return `[${String(value)}]`;
      case 'function': return `[function ${value.name || 'anonymous'}]`;
    }
    if (value === null) return null;
    try {
      if (typeof value.nodeType === 'number' && typeof value.nodeName === 'string') return node(value);
    } catch {
      return '[another origin\'s window]';
    }
    if (value === globalThis) return '[window]';
    for (let at = 0; at < seen.length; at++) {
      if (seen[at] === value) return '[cycle]';
    }
    if (depth === MOST_DEPTH) return '[…]';
    seen.push(value);
    try {
      switch (tag(value)) {
        case 'Date': return Number.isNaN(+value) ? '[invalid Date]' : value.toISOString();
        case 'RegExp': return String(value);
        case 'Error': return `[${value.name}: ${value.message}]`;
        case 'DOMException': return `[${value.name}: ${value.message}]`;
        case 'Map': return { '[Map]': items(value.entries(), depth) };
        case 'Set': return { '[Set]': items(value.values(), depth) };
        case 'WeakMap': case 'WeakSet': case 'WeakRef': case 'Promise': return `[${tag(value)}]`;
        case 'Window': return '[window]';
        case 'Location': case 'URL': return String(value);
        case 'NodeList': case 'HTMLCollection': case 'Arguments': return items(Array.from(value), depth);
        case 'ArrayBuffer': return `[ArrayBuffer of ${value.byteLength} bytes]`;
      }
      if (Array.isArray(value) || ArrayBuffer.isView(value) && 'length' in value) return items(Array.from(value), depth);
      return fields(value, depth);
    } finally {
      seen.pop();
    }
  };
  return walk(value, 0);
}
