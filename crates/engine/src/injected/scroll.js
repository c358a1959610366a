// Defines `bringIntoView`: an element's point, visible and not covered if scrolling can do it.
//
// Where the element is, it stays, if a hand could reach it there: no scrolling is the least surprise. Otherwise it is tried in the
// middle, at the end and at the start of what scrolls around it, because a header or footer that sticks covers one of them.

const ALIGNMENTS = ['center', 'end', 'start', 'nearest'];

// `{ point }`; `{ cover }` when something is over it wherever it is scrolled to; `{}` when it can't be scrolled into view. With
// `stay` nothing is scrolled, unless the element is out of view.
function bringIntoView(element, position, stay) {
  let found = reachable(element, position);
  if (found.point) return found;
  if (stay && found.cover) return found;
  for (const alignment of ALIGNMENTS) {
    scrollTo(element, alignment, position);
    const now = reachable(element, position);
    if (now.point) return now;
    found = now.cover ? now : found;
  }
  return found;
}

function reachable(element, position) {
  let cover;
  for (const point of pointsOf(element, position)) {
    const over = covering(element, point);
    if (!over) return { point };
    cover = cover || over;
  }
  return { cover };
}

// A point in view, whatever is over it.
function anyPoint(element, position) {
  let [point] = pointsOf(element, position);
  for (const alignment of point ? [] : ALIGNMENTS) {
    scrollTo(element, alignment, position);
    [point] = pointsOf(element, position);
    if (point) break;
  }
  return point;
}

function scrollTo(element, alignment, position) {
  const boxed = displayOf(element) === 'contents' ? element.firstElementChild || element : element;
  boxed.scrollIntoView({ block: alignment, inline: alignment === 'center' ? 'center' : 'nearest', behavior: 'instant' });
  if (position) reveal(element, position);
}

// Scrolls what is around an element that is bigger than the view, until the wanted place of it is in the middle.
function reveal(element, position) {
  for (let at = flatParent(element); at; at = flatParent(at)) {
    const style = styleOf(at);
    if (!style || !/auto|scroll|hidden/.test(style.overflow)) continue;
    const box = at.getBoundingClientRect();
    nudge(at, element, position, box.left + box.width / 2, box.top + box.height / 2);
  }
  const { width, height } = viewportBox();
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + position.x, box.top + position.y];
  if (x < 0 || y < 0 || x >= width || y >= height) {
    window.scrollBy({ left: x - width / 2, top: y - height / 2, behavior: 'instant' });
  }
}

function nudge(scroller, element, position, middleX, middleY) {
  if (scroller === document.documentElement || scroller === document.body) return;
  const box = element.getBoundingClientRect();
  scroller.scrollBy({ left: box.left + position.x - middleX, top: box.top + position.y - middleY, behavior: 'instant' });
}
