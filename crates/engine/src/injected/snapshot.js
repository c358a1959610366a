// The snapshot: the page as a user of assistive technology meets it, as YAML with a ref for what can be acted on.
//
// `injected.snapshot(options)`, all of them optional:
//   root     the element to start from (default: the document's body)
//   full     keep what Playwright's snapshots keep (default: false, the compact form)
//   depth    the deepest level to write
//   boxes    `[box=x,y,width,height]` on every node
//   lines    whether to give the lines too (default: true); they can be read off the YAML
//   prefix   put before every ref, as `f1` for the first child frame
// gives
//   yaml     the text
//   lines    the whole of it as `{ depth, key, line, ref }`, to compare with another one
//   frames   `{ line, ref }` of each frame's line, where the engine puts what is in it

injected.snapshot = function (options = {}) {
  return injected.operation(() => {
    const { root = null, full = false, depth = null, boxes = false, prefix = '', lines: withLines = true } = options;
    const writer = { lines: [], frames: [], full, depth, boxes, prefix };
    writeChildren(readTree(root, full), 0, writer);
    forgetOldRefs();
    return {
      yaml: yamlOf(writer.lines),
      lines: withLines ? writer.lines : undefined,
      frames: writer.frames.map(({ line, ref }) => ({ line, ref })),
    };
  });
};

function readTree(root, full) {
  const start = root || document.body || document.documentElement;
  if (!start) return [];
  const reading = newReading(start.ownerDocument, full);
  const children = [];
  if (root) {
    readElement(root, children, topOf(reading, root));
  } else {
    readElement(start, children, topOf(reading, start));
  }
  const merged = mergedTexts(children);
  return merged.length === 1 && merged[0].group ? merged[0].children : merged;
}
