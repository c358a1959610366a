// The role of an element: what the author wrote, where it counts, or what the element is by itself.
//
// WAI-ARIA 1.2, "Handling Author Errors" and "Presentational Roles Conflict Resolution"; HTML-AAM 1.0. `null` is an
// element without a corresponding role; "generic" is a container that means nothing.

// Elements whose meaning comes from the element above them, and lose it with that (WAI-ARIA 1.2, "presentation
// (role)": required owned elements inherit it).
const INHERITS_PRESENTATION = {
  li: new Set(['ul', 'ol', 'menu']),
  tr: new Set(['table', 'thead', 'tbody', 'tfoot']),
  td: new Set(['tr']), th: new Set(['tr']),
  thead: new Set(['table']), tbody: new Set(['table']), tfoot: new Set(['table']), caption: new Set(['table']),
};

function roleOf(element) {
  return remembered(caches.role, element, resolvedRole);
}

function resolvedRole(element) {
  const written = explicitRole(element);
  if (!written) return ownRole(element);
  if (written !== 'presentation' && written !== 'none') return written;
  const own = ownRole(element);
  return refusesPresentation(element, own) ? own : written;
}

function ownRole(element) {
  const own = implicitRole(element);
  return own !== null && inheritsPresentation(element) ? 'generic' : own;
}

// The first token that names a role that may be used here. A region or form without a name is not one (ARIA 1.3,
// region (role), form (role)).
function explicitRole(element) {
  const attribute = element.getAttribute('role');
  if (!attribute) return null;
  for (const token of attribute.toLowerCase().split(/[\t\n\f\r ]+/)) {
    if (!ROLES.has(token)) continue;
    if ((token === 'region' || token === 'form') && !hasExplicitName(element)) continue;
    return token === 'image' ? 'img' : token;
  }
  return null;
}

// Presentation is refused by what can take the focus and by what carries global attributes, unless they are
// prohibited there.
function refusesPresentation(element, own) {
  if (isFocusable(element)) return true;
  if (!element.attributes) return false;
  for (const { name, value } of element.attributes) {
    if (!name.startsWith('aria-') || !GLOBAL_ATTRIBUTES.includes(name) || value.trim() === '') continue;
    if (name === 'aria-hidden' && value !== 'true') continue;
    const names = name === 'aria-label' || name === 'aria-labelledby';
    if (names && (own === null || NAME_PROHIBITED.has(own))) continue;
    return true;
  }
  return false;
}

function inheritsPresentation(element) {
  const givers = INHERITS_PRESENTATION[element.localName];
  const parent = givers && flatParent(element);
  if (!parent || !givers.has(parent.localName)) return false;
  const role = roleOf(parent);
  return role === 'presentation' || role === 'none' || role === 'generic' && !parent.hasAttribute('role');
}

injected.roleOf = offered(roleOf);
