// Defines `queryCss` and `matchesCss`: CSS through open shadow roots, with Playwright's pseudo-classes.
//
// What the browser can answer alone, it answers. Otherwise the last compound's native part gives the candidates and the rest is
// matched from right to left (Selectors 4, 17), where a shadow root's children have its host above them. A compound left of a combinator
// matches below the scope only; the scope itself is `:scope`.

function queryCss(scope, [text, list], first) {
  const roots = rootsBelow(scope);
  const whole = text !== null && (!list || (roots.length === 1 && native.nodeType(scope) === 9));
  if (!whole) return queryList(scope, list, first);
  if (!first) return roots.length === 1 ? select(scope, text) : roots.flatMap(root => select(root, text));
  for (const root of roots) {
    const element = selectFirst(root, text);
    if (element) return [element];
  }
  return [];
}

function queryList(scope, list, first) {
  if (list.length === 1) return queryComplex(scope, list[0], first);
  const elements = [];
  for (const complex of list) {
    for (const element of queryComplex(scope, complex, false)) elements.push(element);
  }
  return inTreeOrder(elements);
}

function queryComplex(scope, complex, first) {
  const last = complex.length - 1;
  const siblings = complex[0] === '+' || complex[0] === '~';
  const within = siblings ? composedParent(scopeElement(scope)) : scope;
  const elements = [];
  if (!within) return elements;
  const roots = rootsBelow(within);
  const [text, rest] = widest(scope, complex, roots.length === 1);
  for (const root of roots) {
    for (const element of select(root, text)) {
      if (!(rest ? matchesPseudo(element, complex[last], scope) : matchesComplex(element, complex, last, scope))) continue;
      elements.push(element);
      if (first) return elements;
    }
  }
  const itself = asksForScope(complex[last]) && native.nodeType(scope) === 1 && matchesComplex(scope, complex, last, scope);
  if (itself) elements.unshift(scope);
  return elements;
}

// The longest text that the browser can search the candidates with, and whether only the last compound's pseudo-classes are left to
// check: so it is in a document of one tree when everything before the last compound is plain.
function widest(scope, complex, oneTree) {
  const before = complex.slice(0, -1);
  const last = complex[complex.length - 1];
  const own = (typeof last === 'string' ? last : last[0]) || '*';
  const alone = oneTree && native.nodeType(scope) === 9 && complex[0] === '' && before.every(part => typeof part === 'string');
  return alone ? [[...before.map(part => part || '*').slice(1), own].join(' '), true] : [own, false];
}

// A document's scope is its root element (Selectors 4, 3.3).
function scopeElement(scope) {
  return native.nodeType(scope) === 9 ? native.documentElement(scope) : scope;
}

function asksForScope(compound) {
  return typeof compound !== 'string' && compound.some((part, index) => index > 0 && part[0] === 'scope');
}

function matchesCss(element, list, scope) {
  return list.some(complex => matchesComplex(element, complex, complex.length - 1, scope));
}

// Whether `element` matches the compound at `index` and what stands before it matches what it relates to.
function matchesComplex(element, complex, index, scope) {
  return matchesCompound(element, complex[index], scope) && matchesBefore(element, complex, index, scope);
}

function matchesBefore(element, complex, index, scope) {
  const combinator = complex[index - 1];
  if (combinator === '') return true;
  const once = combinator === '>' || combinator === '+';
  const step = combinator === '>' || combinator === ' ' ? composedParent : native.previousElementSibling;
  const before = index - 2;
  for (let at = step(element); at; at = step(at)) {
    if (before < 0 ? at === scopeElement(scope) : isInScope(at, complex[before], scope) && matchesComplex(at, complex, before, scope)) return true;
    if (once || at === scope) return false;
  }
  return false;
}

function isInScope(element, compound, scope) {
  if (native.nodeType(scope) === 9) return true;
  return element === scope ? asksForScope(compound) : true;
}

function matchesCompound(element, compound, scope) {
  if (typeof compound === 'string') return compound === '' || matchesNative(element, compound);
  return (compound[0] === '' || matchesNative(element, compound[0])) && matchesPseudo(element, compound, scope);
}

function matchesPseudo(element, compound, scope) {
  if (typeof compound === 'string') return true;
  for (let index = 1; index < compound.length; index++) {
    const [name, argument, extra] = compound[index];
    if (!pseudoClasses[name](element, argument, extra, scope)) return false;
  }
  return true;
}

const pseudoClasses = {
  __proto__: null,
  is: (element, list, _, scope) => matchesCss(element, list, scope),
  not: (element, list, _, scope) => !matchesCss(element, list, scope),
  has: (element, list) => list.some(complex => queryComplex(element, complex, true).length > 0),
  scope: (element, _, __, scope) => element === scopeElement(scope),
  visible: element => injected.isVisible(element),
  text: (element, text) => isSmallest(element, containing(text)),
  'text-is': (element, text) => hasOwnRun(element, tidy(text)),
  'text-matches': (element, source, flags) => isSmallest(element, textMatcher(['/', source, flags])),
  'has-text': (element, text) => containing(text)(element),
  'nth-match': (element, list, number, scope) => element === nthMatch(list, number, scope),
};

function nthMatch(list, number, scope) {
  const { nth } = findings();
  let byScope = nth.get(list);
  if (!byScope) nth.set(list, byScope = new Map());
  if (!byScope.has(scope)) byScope.set(scope, queryList(scope, list, false)[number - 1]);
  return byScope.get(scope);
}

function select(root, text) {
  try {
    return native.querySelectorAll(root, text);
  } catch {
    throw invalidSelector(`the browser does not understand the CSS selector \`${text.trim()}\``);
  }
}

function selectFirst(root, text) {
  try {
    return native.querySelector(root, text);
  } catch {
    throw invalidSelector(`the browser does not understand the CSS selector \`${text.trim()}\``);
  }
}

function matchesNative(element, text) {
  try {
    return native.matches(element, text);
  } catch {
    throw invalidSelector(`the browser does not understand the CSS selector \`${text}\``);
  }
}

function invalidSelector(message) {
  const error = new Error(message);
  error.name = 'InvalidSelector';
  return error;
}
