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
  const TASKS = 2;         // tasks in a row that handlers post
  const LOOPING = 100;     // ms by which a loop's next round may be late, on a busy machine
  const INPUT = [
    'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', 'pointermove', 'mousemove',
    'pointerover', 'mouseover', 'pointerenter', 'mouseenter', 'wheel', 'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'focus',
    'focusin', 'blur', 'focusout', 'submit', 'paste', 'dragstart', 'dragenter', 'dragover', 'drop', 'dragend', 'touchstart', 'touchend',
  ];
  const { Proxy, CustomEvent, MessageChannel, JSON, Math, Object, WeakMap, performance } = window;
  const { apply } = Reflect;
  const now = performance.now.bind(performance);
  const dispatch = window.dispatchEvent.bind(window);
  const { setTimeout: set, setInterval: repeat, clearTimeout: clear, requestAnimationFrame: draw } = window;
  const loop = new WeakMap();             // handler → when it is due, of those that no action asked for
  const timers = Object.create(null);     // id → when it fires, of those that the action set
  const intervals = Object.create(null);  // id → true, of the short ones
  let acting = 0;                         // the generation whose handlers are running, from 1; 0 when none are
  let left = 0;                           // tasks that pass until they are over; 0 while they run
  let passing = false;                    // whether one of those tasks is on its way
  let lastDrawn = -Infinity;              // when the page last asked for a frame, or for a short timer
  let frames = 0;                         // asked for by the action and not over yet

  // Handlers run until the tasks that they post have run: what those do belongs to them (schedulers post messages). What begins
  // meanwhile is given the same time: input comes before tasks that have waited longer.
  const begin = generation => {
    acting = generation;
    left = 0;
  };
  let tasks = null;
  const pass = () => {
    if (!tasks) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = onPassed;
      tasks = port2;
    }
    tasks.postMessage(0);
  };
  const onPassed = () => {
    if (left > 1) {
      left--;
      return pass();
    }
    if (left) acting = 0;
    left = 0;
    passing = false;
  };
  const end = () => {
    left = passing ? TASKS + 1 : TASKS;
    if (passing) return;
    passing = true;
    pass();
  };
  const act = () => {
    begin(1);
    end();
  };
  const onInput = event => {
    if (event.isTrusted) act();
  };
  for (const type of INPUT) window.addEventListener(type, onInput, { capture: true, passive: true });
  window.addEventListener(`${token}:acting`, act, true);

  // Calls the page's function between two of ours: what is due at the same time runs in the order in which it was asked for.
  const between = (ask, call, over) => {
    const generation = acting + 1;
    const follows = generation <= GENERATIONS;
    if (follows) ask(() => begin(generation));
    const id = call();
    ask(() => {
      over(id);
      if (follows) end();
    });
    return id;
  };

  const replace = (name, call) => {
    window[name] = new Proxy(window[name], { apply: call });
  };
  // The page's own loops go on while an action's handlers run; moves of the mouse even come with a frame. A loop asks with the
  // function that it asked with before, when that is due.
  const isLoop = (handler, time, delay) => {
    if (typeof handler !== 'function') return acting === 0;
    const loops = acting === 0 || Math.abs(time - loop.get(handler)) < LOOPING;
    if (loops) loop.set(handler, time + delay);
    return loops;
  };
  replace('setTimeout', (target, self, given) => {
    const delay = Math.max(Number(typeof given[1] === 'object' ? 0 : given[1]) || 0, 0);
    const time = now();
    if (delay <= SHORT) lastDrawn = time;
    if (isLoop(given[0], time, delay) || acting > GENERATIONS || delay > LONGEST) return apply(target, self, given);
    const id = between(
      handler => apply(set, window, [handler, delay]), () => apply(target, self, given), fired => delete timers[fired]);
    timers[id] = time + delay;
    return id;
  });
  replace('requestAnimationFrame', (target, self, given) => {
    lastDrawn = now();
    if (isLoop(given[0], lastDrawn, 0) || acting >= GENERATIONS) return apply(target, self, given);
    frames++;
    return between(handler => apply(draw, window, [handler]), () => apply(target, self, given), () => frames--);
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
