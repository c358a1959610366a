// Defines `queryXPath`: XPath 1.0 by the browser. It does not see into shadow roots.

const ORDERED_SNAPSHOT = 7; // XPathResult.ORDERED_NODE_SNAPSHOT_TYPE

function queryXPath(scope, path) {
  // Below an element, a path from the root means from that element.
  const relative = native.nodeType(scope) !== 9 && path[0] === '/' ? '.' + path : path;
  let result;
  try {
    result = native.evaluate(documentOf(scope), relative, scope, null, ORDERED_SNAPSHOT);
  } catch {
    throw invalidSelector(`the browser does not understand the XPath \`${path}\``);
  }
  const elements = [];
  for (let index = 0; index < result.snapshotLength; index++) {
    const node = result.snapshotItem(index);
    if (native.nodeType(node) === 1) elements.push(node);
  }
  return elements;
}
