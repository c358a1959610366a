// What runs in every document of a WebKit page before the page's own scripts, in the page's own world: the protocol has no other.
//
// It makes the injected script while the browser's functions are still the browser's, and keeps it where only whoever knows the token
// finds it: an event of the token's name asks for it. It tells us what the protocol does not, by lines of the console that begin with
// the token and that nobody else is shown: dialogs, addresses, popups, parsed and loaded frames. The last argument of such a line is an
// object, whose name in the protocol tells the frame. And it overrides what the protocol can't set.
(token, make, settings, initScripts) => {
  const { CustomEvent, Error, JSON, Object, Promise, Proxy, Reflect, Symbol, String, history, location, navigator, document } = window;
  const { apply } = Reflect;
  const { parent, frames } = window;
  const dispatch = window.dispatchEvent.bind(window);
  const { addEventListener: addTo } = EventTarget.prototype;
  const listening = [];
  const addListener = window.addEventListener.bind(window);
  const listen = (type, hear) => {
    listening.push([type, hear]);
    addListener(type, hear, true);
  };
  const later = window.setTimeout.bind(window);
  const debug = window.console.debug.bind(window.console);
  const stringify = JSON.stringify.bind(JSON);
  const say = (kind, data) => debug(token, kind, stringify(data) ?? 'null', {});
  const ask = kind => {
    const box = {};
    dispatch(new CustomEvent(`${token}:${kind}`, { detail: box }));
    return box;
  };
  // A frame's first document is given to us twice.
  const there = ask('script').answer;
  if (there) return there;

  const injected = make();
  // What pages patch is the browser's own again while our script runs: `mend` gives what puts it back.
  let mend = () => () => {};
  const script = (method, argument, elements) => {
    const undo = mend();
    try {
      return injected[method](argument, ...elements);
    } finally {
      undo();
    }
  };
  const closedRoots = [];
  let chooser = null;
  // The browser closes a chooser at once, because there is nobody to see it. For the page it is open until it is answered.
  const onCancel = event => {
    if (event.isTrusted && event.target.localName === 'input' && event.target.type === 'file') event.stopImmediatePropagation();
  };
  listen('cancel', onCancel);
  const choosing = input => {
    chooser = input;
    apply(addTo, input, ['cancel', onCancel, true]);
    say('choosing', null);
  };
  let held = null;
  let marker = null;
  const answers = {
    script: () => script,
    chooser: () => chooser,
    hold: box => { held = box.given; },
    held: () => {
      const element = held;
      held = null;
      return element;
    },
    settings: box => { settings = box.given; },
    // Which of its parent's frames this one is; what other sites are told of each other is enough to know.
    place: () => {
      for (let at = 0; at < parent.length; at++) if (parent[at] === window) return at;
    },
    holder: box => holderIn(frames[box.given]),
    marker: () => marker,
    go: box => {
      const popup = popups[box.given];
      delete popups[box.given];
      if (popup) popup();
    },
  };
  for (const kind in answers) {
    listen(`${token}:${kind}`, event => {
      event.stopImmediatePropagation();
      event.detail.answer = answers[kind](event.detail);
    });
  }

  const getter = (prototype, name, get) => {
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    if (found && found.get) Object.defineProperty(prototype, name, { ...found, get: new Proxy(found.get, { apply: get }) });
  };
  const replace = (owner, name, call) => {
    if (owner && typeof owner[name] === 'function') owner[name] = new Proxy(owner[name], { apply: call });
  };

  // A page is in front and has the focus, whatever other windows are on the display.
  getter(Navigator.prototype, 'webdriver', () => false);
  replace(Document.prototype, 'hasFocus', () => true);
  let focused = null;
  const isFrame = element => element && /^i?frame$/.test(element.localName);
  const onFocus = event => {
    if (!event.isTrusted) return;
    const { target } = event;
    const active = document.activeElement;
    if (event.type === 'blur' || event.type === 'focusout') {
      const stays = target === window ? !isFrame(active) : target === active && target.ownerDocument === document;
      if (stays) event.stopImmediatePropagation();
      else if (event.type === 'blur' && target === focused) focused = null;
    } else if (target === focused && target !== window) {
      event.stopImmediatePropagation();
    } else if (event.type === 'focus' && target !== window && target !== document) {
      later(() => { focused = document.activeElement; });
    }
  };
  for (const type of ['focus', 'blur', 'focusin', 'focusout']) listen(type, onFocus);

  // The network, positions and permissions.
  getter(Navigator.prototype, 'onLine', (native, self, given) => !settings.offline && apply(native, self, given));
  const isGranted = name => settings.granted.some(grant => grant.name === name && (!grant.origin || grant.origin === location.origin));
  if (window.Geolocation) {
    const position = () => ({
      coords: {
        ...settings.position, altitude: null, altitudeAccuracy: null, heading: null, speed: null,
        toJSON() { return { ...this }; },
      },
      timestamp: Date.now(),
    });
    const locate = (native, self, given) => {
      if (!settings.position) return apply(native, self, given);
      const [done, failed] = given;
      later(() => {
        if (isGranted('geolocation')) done(position());
        else if (failed) failed({ code: 1, message: 'User denied Geolocation', PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 });
      });
      return 1;
    };
    replace(Geolocation.prototype, 'getCurrentPosition', locate);
    replace(Geolocation.prototype, 'watchPosition', locate);
  }
  if (window.Permissions) {
    replace(Permissions.prototype, 'query', (native, self, given) => {
      const name = given[0] && given[0].name;
      if (!isGranted(name)) return apply(native, self, given);
      const status = Object.create(PermissionStatus.prototype, {
        name: { value: name, enumerable: true }, state: { value: 'granted', enumerable: true },
        onchange: { value: null, writable: true, enumerable: true },
        addEventListener: { value() {} }, removeEventListener: { value() {} },
      });
      return Promise.resolve(status);
    });
    if (window.Notification) getter(Notification, 'permission', (native, self, given) => isGranted('notifications') ? 'granted' : apply(native, self, given));
  }

  // Addresses that change without a document.
  const moved = () => say('address', location.href);
  for (const name of ['pushState', 'replaceState']) {
    replace(History.prototype, name, (native, self, given) => {
      const before = location.href;
      const result = apply(native, self, given);
      if (self === history) say('address', location.href);
      return result;
    });
  }
  listen('popstate', moved);
  listen('hashchange', moved);

  // Dialogs stop every script, so they are told before.
  let dialogs = 0;
  const dialog = kind => (native, self, given) => {
    const number = ++dialogs;
    const text = value => value === undefined ? '' : String(value);
    say('dialog', { kind, number, message: text(given[0]), text: kind === 'prompt' ? text(given[1]) : '', url: location.href });
    try {
      return apply(native, self, given);
    } finally {
      say('answered', { number });
    }
  };
  for (const kind of ['alert', 'confirm', 'prompt']) replace(window, kind, dialog(kind));
  replace(window, 'print', () => undefined);

  // What is thrown and no error is told as no more than its kind.
  listen('error', event => {
    const { error } = event;
    if (!error || typeof error !== 'object' || error instanceof Error) return;
    try {
      say('thrown', stringify(error));
    } catch {}
  });

  // Popups: one that a script opens stays blank until we listen to it.
  const popups = Object.create(null);
  let opened = 0;
  replace(window, 'open', (native, self, given) => {
    const [address, name, features] = given;
    const url = address === undefined || address === null ? '' : String(address);
    const plain = !url || name && name !== '_blank' || /noopener|noreferrer/.test(String(features ?? '')) || /^(about|javascript):/i.test(url);
    let target = '';
    try {
      if (url) target = new URL(url, document.baseURI).href;
    } catch {
      return apply(native, self, given);
    }
    if (plain) {
      say('popup', { url: target, number: 0 });
      return apply(native, self, given);
    }
    const popup = apply(native, self, ['', name ?? '_blank', features ?? '']);
    if (popup) {
      const number = ++opened;
      popups[number] = () => { try { popup.location.replace(target); } catch {} };
      say('popup', { url: target, number });
    }
    return popup;
  });
  // Links that lead elsewhere: the browser tells of the navigation only when it has decided about it, in another process.
  const leads = link => {
    if (typeof link.href !== 'string' || !/^(https?|file|data|blob):/.test(link.href) || link.hasAttribute('download')) return false;
    if (!/^(_self)?$/i.test(link.target || document.querySelector('base[target]')?.target || '')) return false;
    return !link.href.includes('#') || link.href.split('#')[0] !== location.href.split('#')[0];
  };
  const follows = (link, isWanted) => {
    if (!leads(link)) return;
    say('following', null);
    later(() => say('followed', isWanted()));
  };
  listen('click', event => {
    const link = event.composedPath().find(node => node.localName === 'a' || node.localName === 'area');
    const plain = !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link && plain) follows(link, () => !event.defaultPrevented);
  });
  // Of several links that are clicked at once the browser follows the last.
  let saving = null;
  const saves = link => {
    if (saving) say('dropped', saving);
    else later(() => { saving = null; });
    saving = link.href;
    say('download', { url: link.href, name: link.download });
  };
  listen('click', event => {
    const link = event.isTrusted && event.composedPath().find(node => node.localName === 'a' || node.localName === 'area');
    if (!link || !link.href) return;
    if (link.hasAttribute('download')) saves(link);
    else if (link.target && !/^_(self|top|parent)$/i.test(link.target)) later(() => { if (!event.defaultPrevented) say('popup', { url: link.href, number: 0 }); });
  });
  replace(HTMLElement.prototype, 'click', (native, self, given) => {
    if (self.localName === 'a' && self.href && self.hasAttribute('download')) saves(self);
    else if (self.localName === 'a' && self.href && self.target && !/^_(self|top|parent)$/i.test(self.target)) say('popup', { url: self.href, number: 0 });
    else if (self.localName === 'input' && self.type === 'file') choosing(self);
    else if (self.localName === 'a' && !self.isConnected) follows(self, () => true);
    return apply(native, self, given);
  });

  // File choosers: which input asked.
  listen('click', event => {
    const input = event.composedPath().find(node => node.localName === 'input' && node.type === 'file');
    const label = !input && event.composedPath().find(node => node.localName === 'label');
    const control = input || label && label.control;
    if (control && control.type === 'file') choosing(control);
  });
  replace(HTMLInputElement.prototype, 'showPicker', (native, self, given) => {
    if (self.type === 'file') choosing(self);
    return apply(native, self, given);
  });

  // While something is dragged (drag.js), the mouse does nothing else.
  for (const type of ['pointerup', 'mouseup', 'click']) {
    listen(type, event => {
      if (!script.drag || !event.isTrusted) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    });
  }

  // Frames: which element holds which.
  replace(Element.prototype, 'attachShadow', (native, self, given) => {
    const root = apply(native, self, given);
    if (root && given[0] && given[0].mode === 'closed') closedRoots.push(root);
    return root;
  });
  const holderOf = (child, root) => {
    for (const element of root.querySelectorAll('*')) {
      if ('contentWindow' in element && element.contentWindow === child) return element;
      const found = element.shadowRoot && holderOf(child, element.shadowRoot);
      if (found) return found;
    }
    return null;
  };
  const holderIn = child => {
    for (const root of [document, ...closedRoots]) {
      const found = child && holderOf(child, root);
      if (found) return found;
    }
    return null;
  };
  // A frame in a shadow tree has no place among the others: its parent sends it a mark, or it sends one to its parent, and whoever got
  // it says so.
  const { startsWith } = String.prototype;
  listen('message', event => {
    const { data, source } = event;
    if (typeof data !== 'string' || !apply(startsWith, data, [token])) return;
    event.stopImmediatePropagation();
    if (source && source !== window && source.parent === window) marker = holderIn(source);
    say('marked', data);
  });
  // A document that is opened anew loses every listener of its window (HTML, "document open steps").
  for (const name of ['open', 'write', 'writeln']) {
    replace(Document.prototype, name, (native, self, given) => {
      const result = apply(native, self, given);
      if (self === document) for (const [type, hear] of listening) addListener(type, hear, true);
      return result;
    });
  }

  if (window !== window.top) {
    listen('DOMContentLoaded', () => say('parsed', null));
    listen('load', event => { if (event.target === document) say('loaded', null); });
  }

  mend = mender();
  for (const initScript of initScripts) {
    try {
      initScript();
    } catch (error) {
      later(() => { throw error; });
    }
  }
  return script;

  // Remembers what the script's own world would have: methods and properties of what it uses, and the globals that it names.
  function mender() {
    const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
    const kinds = ['Array', 'Attr', 'CharacterData', 'Document', 'DocumentFragment', 'Element', 'Event', 'EventTarget',
      'HTMLElement', 'HTMLInputElement', 'HTMLLabelElement', 'HTMLOptionElement', 'HTMLSelectElement', 'HTMLTextAreaElement',
      'Map', 'Node', 'NodeList', 'Number', 'Object', 'Promise', 'Range', 'RegExp', 'Set', 'ShadowRoot', 'String', 'WeakMap'];
    const globals = [...kinds, 'CSS', 'JSON', 'Math', 'MutationObserver', 'NodeFilter', 'Reflect', 'Symbol', 'WeakRef',
      'XPathResult', 'clearTimeout', 'getComputedStyle', 'performance', 'requestAnimationFrame', 'setTimeout'];
    const owners = [Object, Array, Promise, JSON, Math, Reflect];
    for (const kind of kinds) if (window[kind]) owners.push(window[kind].prototype);
    const known = [];
    const remember = (owner, name) => {
      const found = getOwnPropertyDescriptor(owner, name);
      if (found && found.configurable) known.push([owner, name, found]);
    };
    for (const owner of owners) for (const name of getOwnPropertyNames(owner)) remember(owner, name);
    for (const name of globals) remember(window, name);
    const { length } = known;
    return () => {
      let patched = null;
      for (let at = 0; at < length; at++) {
        const { 0: owner, 1: name, 2: own } = known[at];
        const now = getOwnPropertyDescriptor(owner, name);
        if (now && now.value === own.value && now.get === own.get) continue;
        if (now && !now.configurable && !now.writable) continue;
        patched = { owner, name, now, next: patched };
        defineProperty(owner, name, now && !now.configurable ? { value: own.value } : own);
      }
      return () => {
        for (; patched; patched = patched.next) {
          if (patched.now) defineProperty(patched.owner, patched.name, patched.now);
          else delete patched.owner[patched.name];
        }
      };
    };
  }
}
