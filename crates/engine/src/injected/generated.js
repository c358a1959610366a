// Text that style sheets generate: ::before and ::after.
//
// accname 1.2, 2F.ii; CSS Generated Content 3, "Alternative Text for Accessibility": what
// follows a slash replaces the rest. Asking every element for two more styles is what would cost a snapshot most of
// its time, so the style sheets are asked first for whom they generate anything at all.

function generatedText(element, pseudo, generating) {
  if (!mayGenerate(element, generating)) return '';
  const view = element.ownerDocument.defaultView;
  const style = view && view.getComputedStyle(element, pseudo);
  const content = style && style.content;
  if (!content || content === 'none' || content === 'normal') return '';
  if (style.display === 'none' || style.visibility !== 'visible') return '';
  const text = textOfContentProperty(content, element);
  return breaksLine(style.display) ? ` ${text} ` : text;
}

// Whether a rule with generated content may apply to `element`: it is in the set of its root, or there is no telling.
function mayGenerate(element, generating = generatingIn(element.getRootNode())) {
  if (generating === 'anyone' || generating.has(element)) return true;
  return element.shadowRoot !== null || element.localName === 'q';
}

function generatingIn(root) {
  return remembered(caches.generating, root, generatingElements);
}

function generatingElements(root) {
  const selectors = [];
  try {
    for (const sheet of [...root.styleSheets || [], ...adoptedBy(root)]) {
      collectGenerating(sheet.cssRules, '', selectors);
    }
    if (selectors.some(selector => /:host|::slotted|::part/.test(selector))) return 'anyone';
    return new Set(selectors.length ? root.querySelectorAll(selectors.join(',')) : []);
  } catch {
    return 'anyone';  // a style sheet of another origin can't be read, or a selector is newer than we are
  }
}

// To a world beside the page's own Firefox shows the page's list as a thing without contents: it is opened, by places and not by its
// iterator, which is the page's; and each sheet is seen from our world again.
function adoptedBy(root) {
  const adopted = root.adoptedStyleSheets || [];
  if (adopted[Symbol.iterator]) return adopted;
  const list = adopted.wrappedJSObject;
  return Array.from({ length: list.length }, (_, place) => XPCNativeWrapper(list[place]));
}

// Selectors of the elements whose ::before or ::after has content, through media queries, layers and nesting.
function collectGenerating(rules, parent, selectors) {
  for (const rule of rules) {
    const selector = rule.selectorText === undefined ? parent : nestedSelector(rule.selectorText, parent);
    if (rule.style && /:(before|after)/.test(selector) && !/^(|none|normal|""|'')$/.test(rule.style.content)) {
      const bare = selector.replace(/(^|[\s>+~,(])::?(?:before|after)/g, '$1*');
      selectors.push(bare.replace(/::?(?:before|after)/g, ''));
    }
    if (rule.styleSheet) collectGenerating(rule.styleSheet.cssRules, '', selectors);
    else if (rule.cssRules && rule.cssRules.length) collectGenerating(rule.cssRules, selector, selectors);
  }
}

// CSS Nesting 1: `&` is the parent rule's selector, and a selector without it is below the parent.
function nestedSelector(selector, parent) {
  if (!parent) return selector;
  if (/:(before|after)/.test(parent)) return `${parent},${selector.replace(/&/g, '*')}`;
  if (selector.includes('&')) return selector.replace(/&/g, `:is(${parent})`);
  return selector.replace(/^|,/g, match => `${match} :is(${parent}) `);
}

// A string in either quotes, attr(name), the slash, another function, another word.
const CONTENT_TOKEN = new RegExp([
  /"((?:[^"\\]|\\[^])*)"/, /'((?:[^'\\]|\\[^])*)'/, /attr\(\s*([\w-]+)[^)]*\)/, /(\/)/, /[\w-]+\([^)]*\)/, /[^\s"'/]+/,
].map(part => part.source).join('|'), 'g');

function textOfContentProperty(content, element) {
  let text = '';
  for (const [token, double, single, attribute, slash] of content.matchAll(CONTENT_TOKEN)) {
    if (slash) text = '';
    else if (token === 'open-quote') text += '“';
    else if (token === 'close-quote') text += '”';
    else if (attribute !== undefined) text += element.getAttribute(attribute) || '';
    else text += unescapeCss(double !== undefined ? double : single || '');
  }
  return text;
}

// CSS Syntax 3, "Consume an escaped code point".
function unescapeCss(text) {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, hex, character) => {
    return hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : character;
  });
}
