// Defines how this script waits: for a frame, for a task, for a time.
//
// The browser's own clocks are captured at the start: WebKit runs this script in the page's world, and pages replace them.

const clock = (() => {
  const bound = name => globalThis[name].bind(globalThis);
  const performance = globalThis.performance;
  return {
    now: performance.now.bind(performance),
    later: bound('setTimeout'),
    forget: bound('clearTimeout'),
    frame: bound('requestAnimationFrame'),
    forgetFrame: bound('cancelAnimationFrame'),
    Channel: globalThis.MessageChannel,
    paints: performance.getEntriesByType.bind(performance, 'paint'),
  };
})();

// A page that nobody looks at has no frames; this much is waited for one.
const LONGEST_FRAME = 100;

function pause(time) {
  return new Promise(done => clock.later(done, time));
}

// Resolves to true in the next animation frame, or to false after `limit` ms without one.
function nextFrame(limit = LONGEST_FRAME) {
  return new Promise(done => {
    const end = drawn => {
      clock.forget(timer);
      clock.forgetFrame(frame);
      done(drawn);
    };
    const timer = clock.later(() => end(false), limit);
    const frame = clock.frame(() => end(true));
  });
}

// Resolves when whatever moves things by itself has had its turn: a frame, and a timer that is short enough to draw (watch.js). Timers
// run in the order in which they are due, so on a busy machine too the page's has run before this one.
const LONGEST_MOVE = 35;

function nextMove() {
  return Promise.all([nextFrame(), pause(LONGEST_MOVE)]);
}

// Resolves when the tasks that are waiting now have run. One channel for all: to open one takes WebKit as long as a task does.
const awaitingTask = [];
let tasks = null;

function nextTask() {
  if (!tasks) {
    const { port1, port2 } = new clock.Channel();
    port1.onmessage = () => awaitingTask.shift()();
    tasks = port2;
  }
  return new Promise(done => {
    awaitingTask.push(done);
    tasks.postMessage(0);
  });
}

// Resolves after a change of the document, but not before the next frame, and after `limit` ms at the latest: a change that no
// observer tells of (a style sheet that loads, a property) is seen by then.
function nextChange(limit) {
  return new Promise(done => {
    const end = () => {
      observer.disconnect();
      clock.forget(timer);
      done();
    };
    const timer = clock.later(end, limit);
    const observer = new MutationObserver(() => {
      observer.disconnect();
      nextFrame(limit).then(end);
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}
