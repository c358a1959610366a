// Defines `injected.throughFrame`, which turns a point in a frame into a point in the document around it.

// `{ point, selector }`, or `{ blocked }` when the point of the frame can't be reached here. To `show` or `reach` it, the frame is
// scrolled if it must be; to `reach` it, nothing may be over it. A frame that is drawn bigger or smaller than it is laid out (a CSS
// scale) is reckoned with; one that is rotated is not.
injected.throughFrame = ({ point, passage }, element) => injected.operation(() => {
  const selector = injected.generate(element);
  const answer = found => ({ point: found, selector });
  let here = outOf(element, point);
  if (passage === 'reckon') return answer(here);
  let cover = null;
  for (const alignment of [null, ...ALIGNMENTS]) {
    const box = element.getBoundingClientRect();
    if (alignment) scrollTo(element, alignment, { x: here.x - box.left, y: here.y - box.top });
    here = outOf(element, point);
    const { width, height } = viewportBox();
    if (here.x < 0 || here.y < 0 || here.x >= width || here.y >= height) continue;
    const over = passage === 'reach' && covering(element, here);
    if (!over) return answer(here);
    cover = cover || over;
  }
  if (passage === 'show') return answer(here);
  const preview = injected.preview(element);
  return { preview, blocked: cover ? { kind: 'covered', by: injected.preview(cover) } : { kind: 'outside' } };
});

function outOf(frame, point) {
  const box = frame.getBoundingClientRect();
  const style = styleOf(frame);
  const scaleX = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
  return {
    x: box.left + (frame.clientLeft + parseFloat(style.paddingLeft) + point.x) * scaleX,
    y: box.top + (frame.clientTop + parseFloat(style.paddingTop) + point.y) * scaleY,
  };
}
