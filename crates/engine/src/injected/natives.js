// Defines `native`: the browser's own functions, captured before a page could replace them; and, for all files, its own constructors
// under their usual names.
//
// WebKit evaluates this script in the page's own world, where pages patch prototypes; and in every world a form's control named
// "parentNode" or "id" shadows that property of the form (HTML, "The form element", named property visibility). Calls through
// `native` see neither. Each function takes the node first: `native.parentNode(node)`.

const { Array, CSS, Error, JSON, Map, Math, Object, Reflect, RegExp, Set, WeakMap, WeakRef } = globalThis;
const { Document, DocumentFragment, Element, HTMLElement, HTMLInputElement, Node, ShadowRoot } = globalThis;

const native = (() => {
  const { call } = Function.prototype;
  const method = (prototype, name) => call.bind(prototype[name]);
  const getter = (prototype, name) => call.bind(Object.getOwnPropertyDescriptor(prototype, name).get);
  const captured = {};
  const capture = (prototype, getters, methods) => {
    for (const name of getters) captured[name] = getter(prototype, name);
    for (const name of methods) captured[name] = method(prototype, name);
  };
  capture(
    Node.prototype,
    ['nodeType', 'nodeValue', 'textContent', 'parentNode', 'firstChild', 'nextSibling', 'ownerDocument', 'isConnected'],
    ['compareDocumentPosition', 'contains', 'getRootNode'],
  );
  capture(
    Element.prototype,
    ['localName', 'namespaceURI', 'shadowRoot', 'attributes', 'firstElementChild', 'nextElementSibling', 'previousElementSibling'],
    ['getAttribute', 'hasAttribute', 'matches'],
  );
  capture(Document.prototype, ['documentElement', 'head'], ['evaluate']);
  capture(ShadowRoot.prototype, ['host'], []);
  capture(Attr.prototype, ['name', 'value'], []);
  captured.control = getter(HTMLLabelElement.prototype, 'control');
  captured.inputValue = getter(HTMLInputElement.prototype, 'value');
  captured.inputType = getter(HTMLInputElement.prototype, 'type');

  // These exist on elements, documents and fragments, each on its own prototype.
  const byNodeType = name => {
    const ofElement = method(Element.prototype, name);
    const ofDocument = method(Document.prototype, name);
    const ofFragment = method(DocumentFragment.prototype, name);
    return (root, argument) => {
      const type = captured.nodeType(root);
      return (type === 1 ? ofElement : type === 9 ? ofDocument : ofFragment)(root, argument);
    };
  };
  // As an array: stepping through a node list with its own iterator takes several times as long.
  const listOf = byNodeType('querySelectorAll');
  captured.querySelectorAll = (root, text) => {
    const list = listOf(root, text);
    const elements = [];
    for (let index = 0, { length } = list; index < length; index++) elements.push(list[index]);
    return elements;
  };
  captured.querySelector = byNodeType('querySelector');

  // The cheap question first: in a world beside the page's own `instanceof` takes Firefox 7 µs.
  captured.isInput = element => captured.localName(element) === 'input' && element instanceof HTMLInputElement;
  captured.isShadowRoot = node => captured.nodeType(node) === 11 && node instanceof ShadowRoot;

  captured.escape = CSS.escape.bind(CSS);
  captured.test = method(RegExp.prototype, 'test');
  return captured;
})();
