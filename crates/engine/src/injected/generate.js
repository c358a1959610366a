// Defines `injected.generate`: the selector that finds exactly this element, as a person would write it.
//
// In this order: test id, role and name, label, placeholder, alternative text, title, role, text, id. A way that is not unique alone is
// tried below the nearest element around it that has a unique one; then come classes and tags, the number among the matches, and a path
// of tags. Every answer has been run and found this one element. It is a selector string in canonical form; the engine parses it and
// writes the code.

const LONGEST_TEXT = 80;
const MOST_ANCHORS = 8;
const HIGHEST_NUMBER = 30;
const ROLES_WITHOUT_MEANING = new Set(['generic', 'none', 'presentation', 'paragraph', 'document']);
// A name made of words; digits and long mixtures are often made up anew by each build or page load.
const LASTING_NAME = /^[A-Za-z]+([-_][A-Za-z]+)*\d?$/;

injected.generate = element => injected.operation(() => {
  const root = documentOf(element);
  const unique = candidates => candidates.find(way => isOnly(element, way.steps, root));
  const meaning = meaningOf(element);
  const best = bestWaysTo(element, meaning);
  const only = unique(best);
  if (only) return only.text;
  const others = otherWaysTo(element, meaning);
  const ways = [...best, ...others];
  const way = unique(others) || anchored(element, ways, root) || unique(poorWaysTo(element)) || numbered(element, ways, root);
  return way ? way.text : pathTo(element, root);
});

// One way is its steps as the parser's JSON and its text.
function wayOf(text, ...steps) {
  return { text, steps };
}

function isOnly(element, steps, root) {
  const elements = runSteps(steps, root, false);
  return elements.length === 1 && elements[0] === element;
}

// The role that an element is told by, if one, and its name.
function meaningOf(element) {
  const role = injected.isHiddenForAria(element) ? null : injected.roleOf(element);
  const meaningful = role && !ROLES_WITHOUT_MEANING.has(role) ? role : null;
  return { role: meaningful, name: meaningful ? tidy(injected.nameOf(element) || '') : '' };
}

// What a person would say about the element, best first: these mostly do, and the others cost more to find out.
function bestWaysTo(element, { role, name }) {
  const testId = native.getAttribute(element, injected.testIdAttribute);
  const ways = testId ? [wayOf(`internal:testid=[data-testid=${cssString(testId)}s]`, ['test-id', ['=', testId]])] : [];
  if (name) ways.push(...roleWays(role, name));
  return ways;
}

function otherWaysTo(element, { role }) {
  const ways = [...labelWays(element), ...attributeWays(element)];
  if (role) ways.push(wayOf(`role=${role}`, ['role', { role }]));
  ways.push(...textWays(element, role));
  const id = native.getAttribute(element, 'id');
  if (id && native.test(LASTING_NAME, id)) ways.push(cssWay('#' + native.escape(id)));
  return ways;
}

function roleWays(role, name) {
  const part = wholeWords(name);
  const ways = [wayOf(`role=${role}[name*=${cssString(part)}i]`, ['role', { role, name: ['*=', part, 'i'] }])];
  if (part === name) ways.push(wayOf(`role=${role}[name=${cssString(name)}]`, ['role', { role, name: ['=', name] }]));
  return ways;
}

function labelWays(element) {
  const label = labelsByReference(element)?.[0] || nativeLabels(element)[0];
  const text = label ? tidy(textOf(label)) : tidy(native.getAttribute(element, 'aria-label') || '');
  return text && text.length <= LONGEST_TEXT ? flaggedWays('internal:label', 'label', text) : [];
}

function flaggedWays(engine, kind, text) {
  return [
    wayOf(`${engine}=${JSON.stringify(text)}i`, [kind, ['~', text]]),
    wayOf(`${engine}=${JSON.stringify(text)}s`, [kind, ['=', text]]),
  ];
}

function attributeWays(element) {
  const ways = [];
  for (const name of ['placeholder', 'alt', 'title']) {
    const value = native.getAttribute(element, name);
    if (!value || !value.trim() || value.length > LONGEST_TEXT) continue;
    ways.push(wayOf(`internal:attr=[${name}=${cssString(value)}i]`, ['attribute', name, ['~', value]]));
    ways.push(wayOf(`internal:attr=[${name}=${cssString(value)}s]`, ['attribute', name, ['=', value]]));
  }
  return ways;
}

// The text of what shows text. A form control's is its value, which changes; a container's is its parts', which is told by its role.
function textWays(element, role) {
  if (role === 'textbox' || role === 'combobox' || role === 'listbox') return [];
  const text = tidy(textOf(element));
  if (!text) return [];
  const part = wholeWords(text);
  if (ownRuns(element).every(run => !run.trim())) {
    const whole = `role=${role} >> internal:has-text=${JSON.stringify(text)}i`;
    return role && part === text ? [wayOf(whole, ['role', { role }], ['has-text', ['~', text]])] : [];
  }
  const ways = flaggedWays('internal:text', 'text', part);
  return part === text ? ways : ways.slice(0, 1);
}

// At most 80 characters, whole words.
function wholeWords(text) {
  if (text.length <= LONGEST_TEXT) return text;
  const cut = text.slice(0, LONGEST_TEXT);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0)) || cut;
}

// What only the page's author knows.
function poorWaysTo(element) {
  const tag = native.escape(native.localName(element));
  const ways = [];
  for (const name of ['name', 'type', 'href', 'for']) {
    const value = native.getAttribute(element, name);
    if (value && value.length <= LONGEST_TEXT) ways.push(`${tag}[${name}=${cssString(value)}]`);
  }
  for (const name of (native.getAttribute(element, 'class') || '').split(/\s+/)) {
    if (native.test(LASTING_NAME, name)) ways.push(`.${native.escape(name)}`);
  }
  ways.push(tag);
  return ways.map(cssWay);
}

function cssWay(css) {
  return wayOf(css, ['css', [css]]);
}

// A way below the nearest element around that has a unique way itself.
function anchored(element, ways, root) {
  let anchors = 0;
  for (let at = composedParent(element); at && anchors < MOST_ANCHORS; at = composedParent(at)) {
    const name = native.localName(at);
    if (name === 'body' || name === 'html') return null;
    const anchor = anchorOf(at, root);
    if (!anchor) continue;
    anchors++;
    const way = ways.find(inner => isOnly(element, inner.steps, at));
    if (way) return wayOf(`${anchor.text} >> ${way.text}`);
  }
  return null;
}

// Texts make poor anchors: what is around an element holds its text too.
function anchorOf(element, root) {
  const fits = ({ steps }) => steps.length === 1 && steps[0][0] !== 'text' && isOnly(element, steps, root);
  const meaning = meaningOf(element);
  return bestWaysTo(element, meaning).find(fits) || otherWaysTo(element, meaning).find(fits);
}

function numbered(element, ways, root) {
  for (const way of ways) {
    const index = runSteps(way.steps, root, false).indexOf(element);
    if (index >= 0 && index < HIGHEST_NUMBER) return wayOf(`${way.text} >> nth=${index}`);
  }
  return null;
}

// The tags from the nearest unique ancestor down, numbered among their siblings. `>` leads from a host into its shadow tree.
function pathTo(element, root) {
  const parts = [];
  for (let at = element; at; at = composedParent(at)) {
    parts.unshift([at, numberedTag(at)]);
    const list = [parts.flatMap(([, part], index) => [index ? '>' : '', part])];
    const css = parts.map(([, part]) => part).join(' > ');
    if (isOnly(element, [['css', [null, list]]], root)) return css;
  }
  return parts.map(([, part]) => part).join(' > ');
}

function numberedTag(element) {
  const name = native.localName(element);
  const tag = native.escape(name);
  let number = 1;
  let alone = true;
  for (let at = native.previousElementSibling(element); at; at = native.previousElementSibling(at)) {
    if (native.localName(at) === name) number++;
  }
  for (let at = native.nextElementSibling(element); at && alone; at = native.nextElementSibling(at)) alone = native.localName(at) !== name;
  return number === 1 && alone ? tag : `${tag}:nth-of-type(${number})`;
}
