// Defines `mayMove`: whether an element's box may differ in the next frame.
//
// To compare boxes over two frames takes two frames. When no animation runs that could move the element, and the page's own scripts
// have neither an animation frame nor a short timer pending (watch.js knows), nothing can move and no frame is waited for.

// Properties that change no box.
const PAINTED = words(`offset computedOffset easing composite opacity color backgroundColor backgroundPosition
  backgroundPositionX backgroundPositionY backgroundImage boxShadow textShadow filter backdropFilter outlineColor outlineWidth
  borderColor borderTopColor borderRightColor borderBottomColor borderLeftColor fill stroke strokeDashoffset strokeDasharray
  visibility textDecorationColor caretColor accentColor`);
// Properties that move an element with all that is in it, and nothing else.
const CARRYING = words('transform translate rotate scale offsetDistance offsetPath offsetRotate perspective');

function mayMove(element, token) {
  return runsAnimation(element) || pageMayMoveThings(token);
}

function runsAnimation(element) {
  for (const root of rootsAround(element)) {
    for (const animation of root.getAnimations ? root.getAnimations() : []) {
      if (animation.playState === 'running' && moves(animation, element)) return true;
    }
  }
  return false;
}

function rootsAround(element) {
  const roots = [document];
  for (let root = native.getRootNode(element); native.isShadowRoot(root); root = native.getRootNode(native.host(root))) {
    roots.push(root);
  }
  return roots;
}

function moves(animation, element) {
  const { effect } = animation;
  const target = effect && effect.target;
  if (!target) return false;
  const properties = new Set(effect.getKeyframes().flatMap(frame => Object.keys(frame)));
  const others = [...properties].filter(name => !PAINTED.has(name));
  if (others.length === 0) return false;
  // What changes the layout may push the element, wherever it is.
  return others.some(name => !CARRYING.has(name)) || composedContains(target, element);
}

function boxOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height];
}

function isSameBox(a, b) {
  return a.every((value, index) => value === b[index]);
}
