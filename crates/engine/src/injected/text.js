// Defines what an element's text is (`textOf`), how it is compared (`textMatcher`), and the smallest elements that match
// (`queryText`, `queryOwnText`).
//
// A text is what the nodes say, as in textContent, with the value of input buttons and the text of open shadow roots, without scripts
// and styles; whether it is visible plays no part. A descendant's text is always part of its ancestor's, so a search for a string leaves
// out every subtree whose text lacks it. White space is normalised by content.js's `tidy`.

const UNPLAIN = 'head, script, style, noscript, input[type="submit" i], input[type="button" i]';
const SPEECHLESS = new Set(['script', 'style', 'noscript']);

const INVISIBLE_CHARACTERS = /[\u200b\u00ad]/;
// A regular expression without these finds in an ancestor's text whatever it finds in a descendant's.
const ASSERTIONS = /[\^$]|\\b|\(\?[=!<]/i;

// An element's or shadow root's text, as written.
function textOf(node) {
  const { texts } = findings();
  let text = texts.get(node);
  if (text === undefined) {
    text = readText(node);
    texts.set(node, text);
  }
  return text;
}

function readText(node) {
  const isElement = native.nodeType(node) === 1;
  if (isElement && isSpeechless(node)) return '';
  if (isElement && isButtonInput(node)) return native.inputValue(node);
  if (!unplainIn(node).has(node)) return native.textContent(node);
  let text = '';
  for (let child = native.firstChild(node); child; child = native.nextSibling(child)) {
    const type = native.nodeType(child);
    if (type === 1) text += textOf(child);
    else if (type === 3 || type === 4) text += native.nodeValue(child);
  }
  const shadow = isElement ? native.shadowRoot(node) : null;
  return shadow ? text + textOf(shadow) : text;
}

function isSpeechless(element) {
  const name = native.localName(element);
  if (SPEECHLESS.has(name)) return true;
  if (name !== 'head' && name !== 'title') return false;
  const head = native.head(native.ownerDocument(element)); // a drawing has titles too
  return !!head && native.contains(head, element);
}

function isButtonInput(element) {
  if (!native.isInput(element)) return false;
  const type = native.inputType(element);
  return type === 'submit' || type === 'button';
}

// The elements and shadow roots above something whose textContent is not its text.
function unplainIn(node) {
  const kept = findings();
  if (kept.unplain) return kept.unplain;
  const unplain = kept.unplain = new Set();
  const mark = element => {
    for (let at = element; at && !unplain.has(at); at = native.parentNode(at) || (native.isShadowRoot(at) && native.host(at))) unplain.add(at);
  };
  for (const root of rootsBelow(documentOf(node))) {
    if (native.isShadowRoot(root)) mark(native.host(root));
    for (const element of native.querySelectorAll(root, UNPLAIN)) mark(element);
  }
  return unplain;
}

// A test of an element's or shadow root's text. Case is folded by lower case, as users of the web mean it.
function textMatcher([kind, value, flags]) {
  if (kind === '~') return containing(value);
  if (kind === '=') {
    const text = tidy(value);
    return node => tidy(textOf(node)) === text;
  }
  const regex = regexOf(value, flags);
  return node => testRegex(regex, textOf(node));
}

// Most elements lack even the longest word, and that is cheap to see; tidying is not.
function containing(text) {
  const part = tidy(text).toLowerCase();
  const word = part.split(' ').reduce((longest, word) => word.length > longest.length ? word : longest, '');
  return node => {
    const whole = textOf(node);
    if (!whole.toLowerCase().includes(word) && !native.test(INVISIBLE_CHARACTERS, whole)) return false;
    return tidy(whole).toLowerCase().includes(part);
  };
}

// The same comparisons with a plain string.
function stringMatcher([kind, value, flags]) {
  if (kind === '~') {
    const part = value.toLowerCase();
    return text => text.toLowerCase().includes(part);
  }
  if (kind === '=') return text => text === value;
  const regex = regexOf(value, flags);
  return text => testRegex(regex, text);
}

function regexOf(source, flags) {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw invalidSelector(`the browser does not understand the regular expression /${source}/${flags}: ${error.message}`);
  }
}

function testRegex(regex, text) {
  regex.lastIndex = 0; // kept between tests by the flags g and y
  return native.test(regex, text);
}

// Whether the element matches and nothing directly inside it does.
function isSmallest(element, matches) {
  return !isSpeechless(element) && matches(element) && !hasMatchInside(element, matches);
}

function hasMatchInside(element, matches) {
  for (let child = native.firstElementChild(element); child; child = native.nextElementSibling(child)) {
    if (!isSpeechless(child) && matches(child)) return true;
  }
  const shadow = native.shadowRoot(element);
  return !!shadow && matches(shadow);
}

// Whether a run of text directly inside the element equals `text`. Comments do not end a run, elements do.
function hasOwnRun(element, text) {
  if (isSpeechless(element)) return false;
  const runs = ownRuns(element);
  return runs.length === 0 ? text === '' : runs.some(run => tidy(run) === text);
}

function ownRuns(element) {
  if (isButtonInput(element)) return [native.inputValue(element)];
  const runs = [];
  let run = '';
  for (let child = native.firstChild(element); child; child = native.nextSibling(child)) {
    const type = native.nodeType(child);
    if (type === 3 || type === 4) {
      run += native.nodeValue(child);
    } else if (type === 1) {
      if (run) runs.push(run);
      run = '';
    }
  }
  if (run) runs.push(run);
  return runs;
}

// The smallest elements whose text matches; the scope itself may be one.
function queryText(scope, match, first) {
  const matches = textMatcher(match);
  if (match[0] === '/' && native.test(ASSERTIONS, match[1])) return walkAll(scope, element => isSmallest(element, matches), first);
  const may = match[0] === '=' ? containing(match[1]) : matches;
  return walkWhere(scope, may, element => matches(element) && !hasMatchInside(element, matches), first);
}

function queryOwnText(scope, value, first) {
  const text = tidy(value);
  return walkWhere(scope, containing(text), element => hasOwnRun(element, text), first);
}

function walkAll(scope, accepts, first) {
  const elements = [];
  const visit = element => accepts(element) && elements.push(element) && first;
  for (const root of rootsBelow(scope)) {
    if (native.nodeType(root) === 1 && visit(root)) return elements;
    for (const element of native.querySelectorAll(root, '*')) {
      if (visit(element)) return elements;
    }
  }
  return elements;
}

// As above, but without the subtrees whose text cannot hold a match.
function walkWhere(scope, may, accepts, first) {
  const elements = [];
  const descend = (node, length) => {
    for (let child = native.firstElementChild(node); child; child = native.nextElementSibling(child)) {
      if (visit(child, length)) return true;
    }
    return false;
  };
  // A child whose text is as long as its parent's has the same text: the answer is known.
  const visit = (element, lengthAbove) => {
    if (isSpeechless(element)) return false;
    const { length } = textOf(element);
    if (length !== lengthAbove && !may(element)) return false;
    if (accepts(element) && elements.push(element) && first) return true;
    return descend(element, length);
  };
  for (const root of rootsBelow(scope)) {
    const isElement = native.nodeType(root) === 1;
    if (isElement ? visit(root) : startBelow(root, visit)) break;
  }
  return elements;
}

// Documents and shadow roots have their first element child on another interface; the first match of "*" is it.
function startBelow(root, visit) {
  for (let child = native.querySelector(root, '*'); child; child = native.nextElementSibling(child)) {
    if (visit(child)) return true;
  }
  return false;
}
