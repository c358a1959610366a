// Defines `finish.choose`: options of a native list, by value, label or number.

const LISTED_OPTIONS = 20;

// `options`: `{ value }`, `{ label }`, `{ either }` (a value, or else a label) or `{ index }`.
finish.choose = (list, { options, watch }) => {
  const all = Array.from(list.options);
  if (options.length > 1 && !list.multiple) {
    return { unfit: 'takes one option at a time' };
  }
  const chosen = [];
  for (const wanted of options) {
    const option = all.find(matcherOf(wanted, all));
    if (!option) return { later: true, unfit: `has no option ${toldWanted(wanted)}; it has ${listed(all)}` };
    if (isNativelyDisabled(option)) return { later: true, unfit: `has the option ${toldWanted(wanted)}, which is disabled` };
    chosen.push(option);
  }
  tellOfAction(watch);
  list.focus({ preventScroll: true });
  if (list.multiple) for (const option of all) option.selected = chosen.includes(option);
  else if (chosen.length) chosen[0].selected = true;
  else list.selectedIndex = -1;
  announce(list);
  return { done: { kind: 'list', values: Array.from(list.selectedOptions, option => option.value) } };
};

function matcherOf(wanted, all) {
  if ('index' in wanted) return (_, index) => index === wanted.index;
  const byLabel = label => option => tidy(option.label) === tidy(label);
  if ('label' in wanted) return byLabel(wanted.label);
  if ('value' in wanted) return option => option.value === wanted.value;
  const byValue = option => option.value === wanted.either;
  return all.some(byValue) ? byValue : byLabel(wanted.either);
}

function toldWanted(wanted) {
  if ('index' in wanted) return `number ${wanted.index}`;
  return JSON.stringify(wanted.label ?? wanted.value ?? wanted.either);
}

function listed(options) {
  if (options.length === 0) return 'none';
  const shown = options.slice(0, LISTED_OPTIONS).map(option => {
    const label = tidy(option.label);
    return option.value === label || option.value === '' ? JSON.stringify(label) : `${JSON.stringify(label)} (${option.value})`;
  });
  const rest = options.length - shown.length;
  return shown.join(', ') + (rest ? ` and ${rest} more` : '');
}
