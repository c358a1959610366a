// Defines `injected.verdict`, asked right after an action, and `injected.quiet`, which waits until what the action set in motion is
// over: its timers, its frames, and the changes of the document that follow from them.

const QUIET_TASKS = 2;        // tasks in a row without a change of the document
const MOST_TASKS = 20;
const QUIET_FRAMES_FOR = 150; // ms at most for a document that changes in every frame
const FRAME_WITHIN = 600;     // ms at most for the first frame, on a busy machine
const EXPECTED_WITHIN = 40;   // ms for a response that has come to show in the document

let changes = 0;
let observer = null;
let leaving = null;  // the last navigation that began here, as its event

// Changes of the document are counted from here on; also those in the shadow trees around the element that is acted on.
function countChanges(element) {
  if (observer) observer.disconnect();
  observer = new MutationObserver(records => { changes += records.length; });
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const root of element ? rootsAround(element) : [document]) observer.observe(root, everything);
  changes = 0;
  leaving = null;
  // Told by the page itself, because the browser's own word may come after the answer that is being waited for.
  if (globalThis.navigation) navigation.addEventListener('navigate', onNavigate);
}

function onNavigate(event) {
  leaving = event;
}

function isLeaving() {
  if (!leaving || leaving.defaultPrevented || leaving.downloadRequest !== null) return false;
  return !leaving.destination.sameDocument && !leaving.signal.aborted && !leaving.hashChange;
}

// Whether that is a link whose target is to be saved.
function isDownloading() {
  return !!leaving && !leaving.defaultPrevented && typeof leaving.downloadRequest === 'string';
}

function changesSoFar() {
  if (observer) changes += observer.takeRecords().length;
  return changes;
}

// Whether what has the focus is in a frame of this document's.
injected.arm = () => {
  countChanges(null);
  return !!injected.focusedFrame();
};

// The frame of this document's that has the focus, as the element that holds it.
injected.focusedFrame = () => {
  const active = deepestActive(document);
  const name = active && native.localName(active);
  return name === 'iframe' || name === 'frame' ? active : null;
};

// `{ missed }` when the guard stopped the action, `{ unseen }` when it saw none of it; otherwise what `injected.quiet` would still have
// to wait for, and where a drag that could not be stopped ended.
injected.verdict = async ({ watch }) => {
  const { missed, loose, unseen } = disarmGuard();
  if (missed) return { missed };
  await quietTasks();
  const report = stillToCome(watch);
  return { ...report, ...loose && { loose }, ...unseen && { unseen } };
};

async function quietTasks() {
  let before = changesSoFar();
  for (let quiet = 0, all = 0; quiet < QUIET_TASKS && all < MOST_TASKS; all++) {
    await nextTask();
    const after = changesSoFar();
    quiet = after === before ? quiet + 1 : 0;
    before = after;
  }
}

// `calm` when nothing is: no timer, no frame. Where the watch is missing, a document that changed may change in the next frame.
function stillToCome(watch) {
  const record = watched(watch) || { timer: 0, frame: changesSoFar() > 0 };
  return told(!record.timer && !record.frame, record);
}

function told(calm, { timer, frame }) {
  return { calm, timer, frame, leaving: isLeaving(), downloading: isDownloading(), title: document.title };
}

// Waits up to `wait` ms. `expect`: a response has just come; give the page the time to show it.
injected.quiet = async ({ watch, wait, expect = false }) => {
  const end = clock.now() + wait;
  const framesFor = () => document.hidden ? QUIET_FRAMES_FOR : FRAME_WITHIN;
  let framesUntil = clock.now() + framesFor();
  if (!observer) countChanges(null);
  if (expect) await expectChange(Math.min(EXPECTED_WITHIN, wait));
  for (;;) {
    await quietTasks();
    const { timer, frame } = stillToCome(watch);
    const left = end - clock.now();
    if (left <= 0) return told(false, { timer, frame });
    if (isLeaving() || !timer && !(frame && framesUntil > clock.now())) break;
    if (frame && await quietFrames(Math.min(left, QUIET_FRAMES_FOR))) {
      // The watch counts how often frames ask for frames; without it a document that changes in every frame has no end.
      framesUntil = watched(watch) ? clock.now() + framesFor() : Math.min(framesUntil, clock.now() + QUIET_FRAMES_FOR);
    }
    if (timer) {
      await pause(Math.min(timer, left));
      framesUntil = clock.now() + framesFor();
    }
  }
  if (observer) observer.disconnect();
  observer = null;
  return told(true, { timer: 0, frame: false });
};

async function expectChange(limit) {
  const before = changesSoFar();
  const end = clock.now() + limit;
  while (changesSoFar() === before && clock.now() < end) await nextFrame(end - clock.now());
}

// Whether there was a frame at all.
async function quietFrames(limit) {
  const end = clock.now() + limit;
  for (let drawn = false; ;) {
    const before = changesSoFar();
    drawn = await nextFrame(Math.max(1, end - clock.now())) || drawn;
    await nextTask();
    if (drawn && changesSoFar() === before || clock.now() >= end) return drawn;
  }
}
