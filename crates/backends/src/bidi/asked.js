// Tells of a request in the moment in which the page asks for it: Firefox tells of one when it is about to be sent, which may be after it
// has answered a question that was asked later. Told are `+address` when it is asked for, and `-address` when it is given up or refused,
// which may be before it was ever sent. Runs in the page's own world before any script of the page; its functions stay the browser's, behind a
// proxy. What loads otherwise (modules, pictures, frames) has no function to stand before.
tell => {
  const { Proxy, Request, Set, URL, WeakMap } = window;
  const { prototype } = window.XMLHttpRequest;
  const { addEventListener } = EventTarget.prototype;
  const { apply } = Reflect;
  const opened = new WeakMap();  // XMLHttpRequest → its address
  const ending = new WeakMap();  // signal → the addresses that it gives up

  // `null` for what no network is needed for, and for what is no address.
  const resolve = address => {
    try {
      const { protocol, href } = new URL(address, document.baseURI);
      return protocol === 'http:' || protocol === 'https:' ? href : null;
    } catch {
      return null;
    }
  };
  const endsWith = (signal, address) => {
    if (!ending.has(signal)) {
      const addresses = new Set();
      ending.set(signal, addresses);
      apply(addEventListener, signal, ['abort', () => addresses.forEach(given => tell(`-${given}`)), { once: true }]);
    }
    ending.get(signal).add(address);
  };
  const fetched = (input, options) => {
    const whole = input instanceof Request;
    const address = whole ? input.url : typeof input === 'string' || input instanceof URL ? resolve(input) : null;
    const signal = options?.signal ?? (whole ? input.signal : null);
    if (!address || signal?.aborted) return;
    if (signal) endsWith(signal, address);
    tell(`+${address}`);
  };
  apply(addEventListener, window, ['securitypolicyviolation', event => {
    if (event.disposition === 'enforce') tell(`-${event.blockedURI}`);
  }, true]);
  // What we want to know must not change what the page gets.
  const quietly = work => {
    try { work(); } catch {}
  };
  const before = (holder, name, hear) => {
    holder[name] = new Proxy(holder[name], {
      apply: function e2eAsked(target, self, given) {
        quietly(() => hear(self, given));
        return apply(target, self, given);
      },
    });
  };
  before(window, 'fetch', (_, given) => fetched(given[0], given[1]));
  before(prototype, 'open', (self, given) => opened.set(self, resolve(given[1])));
  before(prototype, 'send', self => opened.get(self) && tell(`+${opened.get(self)}`));
  before(prototype, 'abort', self => opened.get(self) && tell(`-${opened.get(self)}`));
}
