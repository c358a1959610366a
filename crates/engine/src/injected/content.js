// The text that an element's content gives: children, slots and generated content, with spaces where a line would
// break.
//
// accname 1.2, step 2F "Name From Content" and 2H. `visit` says what a child element contributes, so that names,
// descriptions and plain text share one walk. Generated content is generated.js's.

const UNTIDY = /^\s|\s$|\s\s|[^\S ]|[\u200b\u00ad]/;

// Spaces, tabs, line ends and non-breaking spaces become one space; soft hyphens and zero-width spaces are not there.
function tidy(text) {
  if (!native.test(UNTIDY, text)) return text;
  return text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
}

// With `mute`, the element's own text doesn't count: it is visibility:hidden, and only what takes that back is read.
function contentText(element, visit, mute) {
  let text = mute ? '' : generatedText(element, '::before');
  forEachAccessibleChild(element, (child, owned) => {
    if (child.nodeType === TEXT_NODE) {
      if (!mute) text += child.data;
    } else if (child.nodeType === ELEMENT_NODE) {
      text += owned ? ` ${visit(child)} ` : spaced(child, visit(child));
    }
  });
  return mute ? text : text + generatedText(element, '::after');
}

// accname 1.2, 2F.ii and iii: what is not inline is set off by spaces.
function spaced(element, text) {
  if (element.localName === 'br') return ' ';
  return breaksLine(displayOf(element)) ? ` ${text} ` : text;
}

function breaksLine(display) {
  return display !== 'inline' && display !== 'contents' && display !== '';
}
