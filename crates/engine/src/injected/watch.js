// The watch: runs in the page's own world before any script of the page, and knows what an action set in motion.
//
// It answers two questions (watching.js asks them): which timers up to LONGEST and which animation frames were asked for by handlers
// of a trusted input event, or of a timer or frame that such a handler asked for; and whether the page is moving things at all. The
// page's functions stay the browser's, behind a proxy: same name, same length, same errors; handlers are passed on untouched. There
// is no new global. Why not every timer: a page that polls for ever would never be done.
token => {
  const LONGEST = 500;     // ms; a timer that is longer is no part of the action
  const GENERATIONS = 3;   // timers that timers set: a debounce, what follows it; then it is a loop
  const SHORT = 34;        // ms, two frames; a timer that is shorter may draw
  const INPUT = [
    'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'pointermove', 'mousemove',
    'pointerover', 'mouseover', 'pointerenter', 'mouseenter', 'wheel', 'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'focus',
    'focusin', 'blur', 'focusout', 'submit', 'paste', 'dragstart', 'dragenter', 'dragover', 'drop', 'dragend', 'touchstart', 'touchend',
  ];
  const { Proxy, CustomEvent, MessageChannel, JSON, Math, Object, performance } = window;
  const { apply } = Reflect;
  const now = performance.now.bind(performance);
  const dispatch = window.dispatchEvent.bind(window);
  const { setTimeout: set, setInterval: repeat, clearTimeout: clear, requestAnimationFrame: draw } = window;
  const timers = Object.create(null);     // id → when it fires, of those that the action set
  const intervals = Object.create(null);  // id → true, of the short ones
  let acting = 0;                         // the generation whose handlers are running, from 1; 0 when none are
  let lastDrawn = -Infinity;              // when the page last asked for a frame, or for a short timer
  let frames = 0;                         // asked for by the action and not over yet

  // Until the tasks that the present one posts have run: what they do belongs to it (schedulers post messages).
  const act = generation => {
    acting = generation;
    const { port1, port2 } = new MessageChannel();
    let hops = 2;
    port1.onmessage = () => {
      if (--hops) return port2.postMessage(0);
      port1.close();
      if (acting === generation) acting = 0;
    };
    port2.postMessage(0);
  };
  const onInput = event => {
    if (event.isTrusted && acting !== 1) act(1);
  };
  for (const type of INPUT) window.addEventListener(type, onInput, { capture: true, passive: true });
  window.addEventListener(`${token}:acting`, () => act(1), true);

  // Handlers of the next generation run right after ours: timers of the same time fire in the order in which they were set.
  const follow = (schedule, over) => {
    const generation = acting + 1;
    schedule(() => {
      if (generation <= GENERATIONS) act(generation);
      over();
    });
  };

  const replace = (name, call) => {
    window[name] = new Proxy(window[name], { apply: call });
  };
  replace('setTimeout', (target, self, given) => {
    const delay = Math.max(Number(typeof given[1] === 'object' ? 0 : given[1]) || 0, 0);
    if (delay <= SHORT) lastDrawn = now();
    if (!acting || acting > GENERATIONS || delay > LONGEST) return apply(target, self, given);
    let id = 0;
    follow(handler => apply(set, window, [handler, delay]), () => apply(set, window, [() => delete timers[id], 0]));
    id = apply(target, self, given);
    timers[id] = now() + delay;
    return id;
  });
  replace('requestAnimationFrame', (target, self, given) => {
    lastDrawn = now();
    if (acting && acting < GENERATIONS) {
      frames++;
      follow(handler => apply(draw, window, [handler]), () => apply(set, window, [() => frames--, 0]));
    }
    return apply(target, self, given);
  });
  replace('setInterval', (target, self, given) => {
    const id = apply(target, self, given);
    if (!(given[1] > SHORT)) intervals[id] = true;
    return id;
  });
  for (const name of ['clearTimeout', 'clearInterval']) {
    replace(name, (target, self, given) => {
      delete timers[given[0]];
      delete intervals[given[0]];
      return apply(target, self, given);
    });
  }

  window.addEventListener(`${token}:ask`, event => {
    event.stopImmediatePropagation();
    const time = now();
    let timer = 0;
    for (const id in timers) timer = Math.max(timer, timers[id] - time, 1);
    let moving = time - lastDrawn < 2 * SHORT;
    for (const id in intervals) moving = true;
    const record = { timer, frame: frames > 0, moving };
    dispatch(new CustomEvent(`${token}:told`, { detail: JSON.stringify(record) }));
  }, true);
}
