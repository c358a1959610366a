// What every page is told, as other browsers of ours tell it: that nobody drives it, and that it is the one in front (only one tab of a
// Firefox can have the focus, and the protocol can't pretend otherwise). It runs in the page's own world before any script of the page.
() => {
  const define = (prototype, from) => {
    for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(from)))
      Object.defineProperty(prototype, name, { ...Object.getOwnPropertyDescriptor(prototype, name), ...own, enumerable: true });
  };
  define(Navigator.prototype, { get webdriver() { return false; } });
  define(Document.prototype, {
    hasFocus() { return true; },
    get hidden() { return false; },
    get visibilityState() { return 'visible'; },
  });
  // Firefox closes a file chooser at once, because there is nobody to see it. For the page it is open until it is answered.
  const { addEventListener } = EventTarget.prototype;
  const isChooser = target => target instanceof HTMLInputElement && target.type === 'file';
  const onCancel = event => {
    if (event.isTrusted && isChooser(event.target)) event.stopImmediatePropagation();
  };
  const hear = target => Reflect.apply(addEventListener, target, ['cancel', onCancel, true]);
  hear(window);
  Reflect.apply(addEventListener, window, ['click', event => {
    const path = event.composedPath();
    const input = path.find(isChooser) ?? path.find(node => node instanceof HTMLLabelElement)?.control;
    if (isChooser(input)) hear(input);
  }, true]);
  for (const [{ prototype }, name] of [[HTMLElement, 'click'], [HTMLInputElement, 'showPicker']]) {
    prototype[name] = new Proxy(prototype[name], {
      apply: function e2eChooser(target, self, given) {
        // One that is in no document is heard by nobody else.
        if (isChooser(self)) hear(self);
        return Reflect.apply(target, self, given);
      },
    });
  }
  // Nobody could answer the window that asks for a printer.
  define(window, { print() {} });

  // Firefox writes down everything that is in an object before it tells that it was logged: a big one would keep the whole browser
  // busy for a minute. Functions and symbols it tells without their names.
  const MOST = 100;
  const DEEPEST = 5;
  const { isArray } = Array;
  const { getPrototypeOf, prototype: plain } = Object;
  const shorten = (value, depth, budget) => {
    if (typeof value === 'function') return `ƒ ${value.name}`;
    if (typeof value === 'symbol') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    const list = isArray(value);
    if (!list && getPrototypeOf(value) !== plain) return value;
    if (depth === DEEPEST) return '…';
    const copy = list ? [] : {};
    let count = 0;
    for (const name in value) {
      if (++count > MOST || --budget.left < 0) break;
      copy[name] = shorten(value[name], depth + 1, budget);
    }
    return copy;
  };
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'dir', 'trace', 'table', 'assert', 'group', 'groupCollapsed']) {
    console[name] = new Proxy(console[name], {
      apply: function e2eConsole(target, self, given) {
        const budget = { left: 1000 };
        const told = [];
        for (let i = 0; i < given.length; i++) {
          // A getter of the page's may throw.
          try { told[i] = shorten(given[i], 0, budget); } catch { told[i] = given[i]; }
        }
        // Firefox tells only of the function that called the console, which is this one: the page's own is told along.
        told[told.length] = `\u0001e2e ${new Error().stack.split('\n')[1] ?? ''}`;
        return Reflect.apply(target, self, told);
      },
    });
  }
}
