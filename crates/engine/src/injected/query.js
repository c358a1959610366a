// Defines what the engine asks for: `injected.query` (all matches), `injected.queryFirst`, `injected.count`.
//
// A selector is the JSON of the parser: an array of steps `[kind, …arguments]`. A step either searches below what was found so far or
// narrows it. Frames are the engine's: a selector that gets here stays within one document.

injected.query = (selector, root = document) => injected.operation(() => runSteps(selector, root, false));
injected.queryFirst = (selector, root = document) => injected.operation(() => runSteps(selector, root, true)[0] || null);
injected.count = (selector, root = document) => injected.operation(() => runSteps(selector, root, false).length);

function runSteps(selector, root, first) {
  let elements = [root];
  for (let index = 0; index < selector.length; index++) {
    const [kind, ...arguments_] = selector[index];
    const enough = first && index === selector.length - 1;
    const narrow = narrowing[kind];
    if (narrow && index > 0) {
      elements = narrow(elements, arguments_[0], root);
    } else {
      const search = searches[kind] || (scope => narrow(everythingBelow(scope), arguments_[0], root));
      elements = searchEach(elements, search, arguments_, enough, dependsOnScope(kind, arguments_[0]));
    }
  }
  return elements;
}

const searches = {
  __proto__: null,
  css: (scope, [css], first) => queryCss(scope, css, first),
  xpath: (scope, [path]) => queryXPath(scope, path),
  text: (scope, [match], first) => queryText(scope, match, first),
  'own-text': (scope, [text], first) => queryOwnText(scope, text, first),
  attribute: (scope, [name, match], first) => queryAttribute(scope, name, match, first),
  'test-id': (scope, [match], first) => queryTestId(scope, match, first),
  label: (scope, [match]) => queryLabel(scope, match),
  role: (scope, [query], first) => queryRole(scope, query, first),
  chain: (scope, [selector], first) => runSteps(selector, scope, first),
};

// Whether a match below an element need not be one below its ancestors, so that results come out of order.
function dependsOnScope(kind, argument) {
  if (kind !== 'css') return kind === 'xpath' || kind === 'chain';
  const list = argument[1] || [];
  return list.some(complex => complex[0] !== '' || complex.some((part, index) => index % 2 === 1 && asksForScope(part)));
}

function searchEach(scopes, search, arguments_, first, disordered) {
  if (scopes.length === 0) return scopes;
  if (scopes.length === 1) return search(scopes[0], arguments_, first);
  const elements = new Set();
  for (const scope of scopes) {
    for (const element of search(scope, arguments_, first && !disordered)) elements.add(element);
    if (first && !disordered && elements.size) break;
  }
  return disordered ? inTreeOrder(elements) : [...elements];
}

const narrowing = {
  __proto__: null,
  nth: (elements, index) => {
    const element = elements[index < 0 ? elements.length + index : index];
    return element ? [element] : [];
  },
  visible: (elements, visible) => elements.filter(element => injected.isVisible(element) === visible),
  'has-text': (elements, match) => elements.filter(textMatcher(match)),
  'has-not-text': (elements, match) => {
    const matches = textMatcher(match);
    return elements.filter(element => !matches(element));
  },
  has: (elements, inner) => elements.filter(element => runSteps(inner, element, true).length > 0),
  'has-not': (elements, inner) => elements.filter(element => runSteps(inner, element, true).length === 0),
  and: (elements, inner, root) => {
    const others = new Set(runSteps(inner, root, false));
    return elements.filter(element => others.has(element));
  },
  or: (elements, inner, root) => inTreeOrder([...elements, ...runSteps(inner, root, false)]),
};

// A narrowing step at the beginning narrows everything.
function everythingBelow(scope) {
  return queryCss(scope, ['*']);
}
