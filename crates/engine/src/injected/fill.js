// Defines what is done to a field once a user could do it: `finish.focus` makes it ready to be written into, `finish.set` gives it a
// value as a whole, `finish.choose` (choose.js) chooses options.
//
// Each gets the element and the question, and answers `{ done }`, or `{ unfit }` with the reason.

const finish = { __proto__: null };

// `how`: `replace` selects everything, so that what is written takes its place; `append` goes to the end.
finish.focus = (element, { how, text: wanted }) => {
  const kind = fieldKind(element);
  if (kind === 'whole') return { done: { kind } };
  if (element.type === 'number' && how === 'replace' && wanted !== '' && !isNumber(wanted)) {
    return { unfit: `takes ${EXAMPLES.number}, not ${JSON.stringify(wanted)}` };
  }
  element.focus({ preventScroll: true });
  if (kind === 'rich') selectRich(element, how === 'append');
  else selectWritten(element, how === 'append');
  const text = kind === 'rich' ? element.textContent : element.value;
  return { done: { kind, empty: text === '' && !element.validity?.badInput } };
};

function selectWritten(field, atEnd) {
  // Fields for numbers and addresses have no selection to be asked about, but one to be made (HTML, "APIs for the text control
  // selections").
  field.select();
  if (!atEnd) return;
  if (field.selectionStart !== null) {
    field.setSelectionRange(field.value.length, field.value.length);
  } else {
    getSelection().modify?.('move', 'forward', 'lineboundary');
  }
}

function selectRich(element, atEnd) {
  const selection = getSelection();
  const range = document.createRange();
  range.selectNodeContents(element);
  if (atEnd) range.collapse(false);
  selection.removeAllRanges();
  selection.addRange(range);
}

const EXAMPLES = {
  __proto__: null,
  date: 'a date as 2026-03-31',
  time: 'a time as 14:30 or 14:30:59',
  month: 'a month as 2026-03',
  week: 'a week as 2026-W13',
  'datetime-local': 'a date and time as 2026-03-31T14:30',
  color: 'a colour as #3366ff',
  number: 'a number as 12.5',
};

finish.set = (element, { value, watch }) => {
  const type = native.inputType(element);
  const wanted = value.trim();
  const trial = element.cloneNode();
  trial.value = wanted;
  const wrong = type === 'range' ? wrongNumber(trial, wanted) : wanted !== '' && isRefused(type, trial, wanted);
  if (wrong) return { unfit: `takes ${wrong === true ? EXAMPLES[type] : wrong}, not ${JSON.stringify(value)}` };
  tellOfAction(watch);
  element.focus({ preventScroll: true });
  // Past the property that frameworks put over the native one to know about changes of their own (React's value tracking).
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(element, wanted);
  announce(element);
  return { done: { kind: 'whole' } };
};

// The browser empties a value that it can't read, except for colours, which become black (HTML, "Value sanitization algorithm").
function isRefused(type, trial, wanted) {
  if (type === 'color') return !/^#[0-9a-f]{6}$/i.test(wanted);
  return trial.value === '';
}

// A slider takes what it can't have as the nearest that it can.
function wrongNumber(trial, wanted) {
  if (wanted !== '' && Number(trial.value) === Number(wanted)) return false;
  const [from, to, step] = [trial.min || '0', trial.max || '100', trial.step || '1'];
  return `a number from ${from} to ${to}${step === 'any' ? '' : ` in steps of ${step}`}`;
}

// HTML, "Common event behaviors": both bubble, and only `input` leaves a shadow tree.
function announce(element) {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

// Whether a number field would take the text.
function isNumber(text) {
  const trial = document.createElement('input');
  trial.type = 'number';
  trial.value = text.trim();
  return trial.value !== '';
}
