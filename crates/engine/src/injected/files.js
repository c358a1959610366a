// Defines `injected.fileInput`: the file input that an element is, labels or holds. It need not be visible: pages hide it and show a
// button of their own.

injected.fileInput = ({ at, wait = 0 }) => until(wait, () => injected.operation(() => {
  const { element, ...why } = resolve(at);
  if (!element) return { sofar: why, final: !why.none };
  const input = controlFor(element, ['file']);
  if (!input) return { sofar: { unfit: UNFIT.file, preview: injected.preview(element) }, final: true };
  const preview = injected.preview(input);
  if (isDisabledForUser(input)) return { sofar: { blocked: { kind: 'disabled' }, preview } };
  const ready = { held: hold(input), preview, selector: injected.generate(input), multiple: input.multiple, directory: input.webkitdirectory === true };
  return { done: { ready } };
}));
