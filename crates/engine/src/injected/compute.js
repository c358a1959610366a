// Runs the user's script and tells what came of it, as plain JSON by `serialize`; with `limit` (ms) again and again until it is true.
// A function of its own: it runs in the page's world beside the script, which sees none of its names.
//
// What is there at once is told without a promise, which costs browsers a turn more.
(script, element, serialize, limit) => {
  const told = value => ({ value: serialize(value) });
  const failed = error => {
    const isError = error instanceof Error || error && typeof error.stack === 'string' && typeof error.message === 'string';
    if (!isError) return { thrown: [serialize(error)] };
    return { threw: `${error.name}: ${error.message}`, stack: String(error.stack) };
  };
  const isPromised = value => value && typeof value.then === 'function';
  const call = value => typeof value === 'function' ? value(element) : value;
  const later = async compute => {
    try {
      return told(await compute());
    } catch (error) {
      return failed(error);
    }
  };

  const poll = async () => {
    const deadline = performance.now() + limit;
    for (;;) {
      if (await call(await script())) return true;
      if (performance.now() >= deadline) return false;
      await new Promise(next => setTimeout(next, 20));
    }
  };

  if (limit !== null) return later(poll);
  try {
    const value = script();
    if (isPromised(value)) return later(async () => call(await value));
    const result = call(value);
    return isPromised(result) ? later(() => result) : told(result);
  } catch (error) {
    return failed(error);
  }
}
