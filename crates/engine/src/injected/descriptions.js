// The accessible description: accname 1.2, "Description Computation", and HTML-AAM's native sources, each unless it
// already is the name.

function descriptionOf(element) {
  const referenced = referencedElements(element, 'aria-describedby', 'ariaDescribedByElements');
  const described = joined(referenced.map(target => referredText(target, START)));
  if (described) return described;
  const own = element.getAttribute('aria-description');
  if (own && own.trim()) return tidy(own);
  const name = nameOf(element);
  for (const text of nativeDescriptions(element)) {
    if (text && text !== name) return text;
  }
  return '';
}

function nativeDescriptions(element) {
  const texts = [];
  if (element.localName === 'table') {
    texts.push(tidy(alternativeOfChild(element, 'caption', caption => labelText(caption, { visited: new Set() }))));
  }
  if (element.localName === 'input' && ['submit', 'reset', 'button'].includes(element.type)) {
    texts.push(tidy(element.value));
  }
  if (!isHtml(element)) {
    const desc = Array.from(element.children).find(child => child.localName === 'desc');
    texts.push(desc ? tidy(desc.textContent) : '', tidy(svgTitle(element)));
  }
  texts.push(tidy(element.getAttribute('title') || ''));
  return texts;
}

injected.descriptionOf = offered(descriptionOf);
