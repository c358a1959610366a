// Defines where on an element a hand would point (`pointsOf`), and whether the element is what receives events there (`hitAt`,
// `receives`).
//
// A point lies in the viewport of the frame. What is over the element at its point receives the event: a child of it is fine, a label
// stands in for its control and a control for its label, anything else covers it.

const MOST_RECTS = 8;

function viewportBox() {
  const root = document.documentElement;
  const standard = document.compatMode === 'CSS1Compat' && root;
  return {
    width: standard ? Math.min(innerWidth, root.clientWidth || innerWidth) : innerWidth,
    height: standard ? Math.min(innerHeight, root.clientHeight || innerHeight) : innerHeight,
  };
}

// The element's boxes; one without a box of its own (display:contents) has its children's.
function rectsOf(element) {
  const own = Array.from(element.getClientRects()).filter(rect => rect.width > 0 && rect.height > 0);
  if (own.length || displayOf(element) !== 'contents') return own;
  const rects = [];
  for (const child of flatChildren(element)) {
    if (child.nodeType === ELEMENT_NODE) rects.push(...rectsOf(child));
    else if (child.nodeType === TEXT_NODE) {
      const range = document.createRange();
      range.selectNodeContents(child);
      rects.push(...Array.from(range.getClientRects()).filter(rect => rect.width > 0 && rect.height > 0));
    }
    if (rects.length >= MOST_RECTS) break;
  }
  return rects;
}

// The places to try, best first: the middle of what is in view of each box, or the one place that was asked for.
function pointsOf(element, position) {
  const rects = rectsOf(element);
  const { width, height } = viewportBox();
  if (position) {
    const box = element.getBoundingClientRect();
    const x = box.left + element.clientLeft + position.x;
    const y = box.top + element.clientTop + position.y;
    return x >= 0 && y >= 0 && x < width && y < height ? [{ x, y }] : [];
  }
  const points = [];
  for (const rect of rects.slice(0, MOST_RECTS)) {
    const [left, right] = [Math.max(rect.left, 0), Math.min(rect.right, width)];
    const [top, bottom] = [Math.max(rect.top, 0), Math.min(rect.bottom, height)];
    if (right > left && bottom > top) points.push({ x: (left + right) / 2, y: (top + bottom) / 2 });
  }
  return points;
}

// The innermost element at a point, through open shadow roots.
function hitAt({ x, y }) {
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

// The elements that may receive an event in the element's place.
function standIns(element) {
  const able = [element];
  const name = native.localName(element);
  if (name === 'label') able.push(native.control(element));
  else if (LABELLED_BY_LABELS.has(name) && isHtml(element)) able.push(...nativeLabels(element));
  return able.filter(Boolean);
}

// Whether an event whose way through the page is `path`, innermost first, is the element's.
function receives(able, path) {
  return path.some(node => able.includes(node));
}

// The way of an event on `hit`: slots and hosts included (DOM, "Event dispatch", composed path).
function pathOf(hit) {
  const path = [];
  for (let at = hit; at; at = flatParent(at)) path.push(at);
  return path;
}

// `null` when the element receives an event at `point`; what does instead otherwise.
function covering(element, point) {
  const hit = hitAt(point);
  if (!hit) return document.documentElement;
  return receives(standIns(element), pathOf(hit)) ? null : hit;
}

// In one line, with the reason that can't be seen.
function previewOfCover(element, cover) {
  const text = injected.preview(cover);
  const through = styleOf(element) && styleOf(element).pointerEvents === 'none';
  return through ? `${text}, because it has pointer-events: none` : text;
}
