// Defines `injected.prepare`: one question that finds an element, waits until a user could act on it, scrolls it into view, picks the
// point, and makes ready what sees the action through.
//
// `needs` lists what must hold, of `visible`, `enabled`, `editable`, `stable` and `hit`; `kinds` the kinds of field that the action fits,
// so that a label stands for its control (with `press` the other way round, if only the label can be seen); `then` is what is done at once when all holds (fill.js).

const LOOK_AGAIN = 100;     // ms at the latest
const SCROLL_AGAIN = 500;   // ms: what covers the element does so wherever it is scrolled to
const OPTIONS_WITHIN = 1000;

// Without a promise if the first look is enough, which it mostly is: one costs browsers a turn more.
injected.prepare = question => {
  const began = clock.now();
  const attempt = { began, end: began + question.wait, steady: null, scrolled: -Infinity, diary: [] };
  const seen = lookNow(question, attempt);
  return seen.over || lookAgain(question, attempt, seen);
};

async function lookAgain(question, attempt, seen) {
  while (!seen.over) {
    await (seen.soon ? nextMove() : nextChange(Math.min(LOOK_AGAIN, Math.max(1, attempt.end - clock.now()))));
    seen = lookNow(question, attempt);
  }
  return seen.over;
}

// One look; `over` is what the question comes to, if nothing more is waited for.
function lookNow(question, attempt) {
  const seen = injected.operation(() => look(question, attempt));
  if (!seen.silent) entry(attempt, seen.told);
  // Without the next frame nothing is known about the box, so that one is awaited even when the time is up.
  const end = attempt.end + (seen.silent ? 2 * LONGEST_FRAME : 0);
  const over = seen.answer || seen.final || clock.now() >= end;
  return { soon: seen.soon, over: over && { ...(seen.answer || seen.sofar), diary: attempt.diary } };
}

// The same again is counted, not repeated.
function entry(attempt, text) {
  if (!text) return;
  const last = attempt.diary[attempt.diary.length - 1];
  if (last && last.text === text) last.times++;
  else attempt.diary.push({ at: clock.now() - attempt.began, text, times: 1 });
}

// `answer` ends it; `final` ends it with `sofar`; `soon` looks again in the next frame; `silent` is nothing for the diary.
function look(question, attempt) {
  const { element: found, ...why } = resolve(question.at);
  if (!found) return { sofar: why, final: !why.none, told: why.none ? 'not there' : '' };
  const control = question.kinds ? controlFor(found, question.kinds) : found;
  const element = question.press ? pressed(control) : control;
  if (!element) return { answer: { unfit: unfitText(found, question), preview: injected.preview(found) } };
  const held = [];
  const fails = (obstacle, text, more = {}) => ({
    told: [...held, text].join(', '),
    sofar: { blocked: obstacle, preview: injected.preview(element) },
    soon: more.soon,
    silent: more.silent,
  });
  if (!question.force) {
    for (const need of question.needs) {
      if (!CHECKS[need]) continue;
      const failure = CHECKS[need](element, question, attempt);
      if (failure) return fails(...failure);
      held.push(need);
    }
  }
  return within(element, question, attempt, fails);
}

// A checkbox that the page hides, to draw its own in the label, is clicked on the label.
function pressed(control) {
  if (!control || isVisible(control)) return control;
  return standIns(control).find(isVisible) || control;
}

const CHECKS = {
  __proto__: null,
  visible: element => isVisible(element) ? null : [{ kind: 'invisible' }, 'not visible'],
  enabled: element => isDisabledForUser(element) ? [{ kind: 'disabled' }, 'disabled'] : null,
  editable: element => isEditable(element) ? null : [{ kind: 'readonly' }, 'not editable'],
  stable: (element, question, attempt) => {
    const box = boxOf(element);
    const { steady } = attempt;
    if (steady && steady.element === element) {
      if (isSameBox(steady.box, box)) return null;
      attempt.steady = { element, box };
      attempt.moved = true;
      return [{ kind: 'moving' }, 'not stable', { soon: true }];
    }
    if (!attempt.moved && !question.suspicious && !mayMove(element, question.watch)) return null;
    attempt.steady = { element, box };
    return [{ kind: 'moving' }, 'not stable', { soon: true, silent: true }];  // nothing is known before the next frame
  },
};

// A click on what is in a button is a click on the button, and one on a label is its control's.
function isDisabledForUser(element) {
  if (isDisabled(element)) return true;
  const around = flatClosest(element, at => at.nodeType === ELEMENT_NODE && (isButtonOrLink(at) || native.localName(at) === 'label'));
  if (!around) return false;
  if (native.localName(around) !== 'label') return isDisabled(around);
  const control = native.control(around);
  return !!control && isDisabled(control);
}

function isButtonOrLink(element) {
  const role = roleOf(element);
  return role === 'button' || role === 'link';
}

function within(element, question, attempt, fails) {
  const { position, force, needs } = question;
  const point = {};
  if (needs.includes('hit') && !force) {
    const time = clock.now();
    const stay = time - attempt.scrolled < SCROLL_AGAIN;
    const found = bringIntoView(element, position, stay);
    if (!found.point) {
      if (!stay) attempt.scrolled = time;
      if (!found.cover) return fails({ kind: 'outside' }, 'outside of the view');
      const by = previewOfCover(element, found.cover);
      return fails({ kind: 'covered', by }, `covered by ${by}`);
    }
    point.point = found.point;
  } else if (needs.includes('hit') || question.scroll) {
    const found = anyPoint(element, position);
    if (!found && needs.includes('hit')) return fails({ kind: 'outside' }, 'outside of the view');
    point.point = found;
  }
  return finished(element, question, attempt, point);
}

function finished(element, question, attempt, point) {
  countChanges(element);
  if (question.guard && !question.force) armGuard(element, question.guard, point.point, question.delay, question.watch);
  const ready = { preview: injected.preview(element), selector: injected.generate(element), ...point };
  if (question.then) {
    const after = finish[question.then.what](element, { ...question.then, watch: question.watch });
    if (after.unfit) {
      const sofar = { unfit: after.unfit, preview: ready.preview };
      const patient = after.later && clock.now() < attempt.began + OPTIONS_WITHIN;
      return patient ? { sofar, told: after.unfit } : { answer: sofar };
    }
    ready.field = after.done;
  }
  return { answer: { ready } };
}

const UNFIT = {
  __proto__: null,
  list: 'is no native list (<select>); click it, then click the option',
  file: 'is no file input and holds none; click it, then upload without a target',
};

function unfitText(element, { kinds }) {
  const kind = fieldKind(element);
  if (kind === 'file') return 'takes files; use file_upload';
  if (kinds.includes('list') || kinds.includes('file')) return UNFIT[kinds[0]];
  switch (kind) {
    case 'checkbox': case 'radio': case 'switch': return 'can only be checked or unchecked; click it, or fill it with true or false';
    case 'list': case 'choice': return 'is a list; choose one of its options';
    case 'button': return 'is a button; click it';
    default: return 'is no field: no <input>, <textarea> or [contenteditable], nor the label of one';
  }
}
