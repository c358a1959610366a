// Plays a part of a drag in the document of one frame, by the events that HTML lays down ("Drag-and-drop processing model"): the
// automated mouse begins no drag of the browser's own. Called on bootstrap.js's function, which is this context's secret and keeps what
// is known of the drag between the parts; as long as that is there, the page hears nothing of the mouse.
//
// A `DataTransfer` that a script makes has no effects of its own (its `dropEffect` can't be set), so it is given some.
function (part, x, y, given) {
  const script = this;
  const at = () => {
    let found = document.elementFromPoint(x, y);
    for (let inner; (inner = found?.shadowRoot?.elementFromPoint(x, y)) && inner !== found;) found = inner;
    return found;
  };
  const transferOf = (data, files, allowed) => {
    const transfer = new DataTransfer();
    for (const { name, kind, modified, data } of files) {
      const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: kind, lastModified: modified }));
    }
    for (const [kind, text] of data) transfer.setData(kind, text);
    const own = value => ({ value, writable: true, configurable: true });
    return Object.defineProperties(transfer, { effectAllowed: own(allowed), dropEffect: own('none') });
  };
  const fire = (type, target, transfer, more) => {
    const event = new DragEvent(type, {
      bubbles: true, composed: true, cancelable: true, view: window, clientX: x, clientY: y, dataTransfer: transfer, ...given.keys, ...more,
    });
    script('vouch', event, []);
    return target.dispatchEvent(event);
  };
  const allows = (allowed, effect) => new RegExp(`all|uninitialized|${effect}`, 'i').test(allowed);
  // What the page is offered before it says what it wants.
  const offered = transfer => ['copy', 'link', 'move'].find(effect => allows(transfer.effectAllowed, effect)) ?? 'none';
  const drag = script.drag ??= { over: null, effect: 'none' };
  const leave = relatedTarget => {
    if (drag.over) fire('dragleave', drag.over, drag.transfer, { relatedTarget, cancelable: false });
    drag.over = null;
    drag.effect = 'none';
  };
  const over = () => {
    const target = at();
    if (target && target !== drag.over) {
      drag.transfer.dropEffect = offered(drag.transfer);
      fire('dragenter', target, drag.transfer, { relatedTarget: drag.over });
      leave(target);
      drag.over = target;
    }
    if (!target) return leave(null);
    drag.transfer.dropEffect = offered(drag.transfer);
    const wanted = !fire('dragover', target, drag.transfer, {});
    const { effectAllowed, dropEffect } = drag.transfer;
    drag.effect = wanted && dropEffect !== 'none' && allows(effectAllowed, dropEffect) ? dropEffect : 'none';
  };
  const drop = () => {
    const { effect } = drag;
    drag.transfer.dropEffect = effect;
    if (effect === 'none') leave(null);
    else fire('drop', drag.over, drag.transfer, {});
    return effect;
  };

  const parts = {
    // What is dragged, to be told to other frames; nothing if no drag begins here.
    begin: () => {
      let source = at();
      while (source && !source.draggable) source = source.parentElement ?? source.getRootNode().host;
      if (!source) return parts.rest();
      const address = source.href ?? source.currentSrc;
      const data = typeof address === 'string' && address ? [['text/uri-list', address], ['text/plain', address]] : [];
      const transfer = drag.transfer = transferOf(data, [], 'uninitialized');
      if (!fire('dragstart', source, transfer, {})) return parts.rest();
      drag.source = source;
      source.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true, composed: true, pointerId: 1, pointerType: 'mouse', isPrimary: true }));
      const texts = Array.from(transfer.types).filter(type => type !== 'Files').map(type => [type, transfer.getData(type)]);
      return { data: texts, allowed: transfer.effectAllowed };
    },
    move: () => { fire('drag', drag.source, drag.transfer, {}); },
    over: () => {
      drag.transfer ??= transferOf(given.data, [], given.allowed);
      over();
    },
    leave: () => leave(null),
    // The effect that it has.
    drop: () => drop(),
    // Where it began.
    end: () => {
      drag.transfer.dropEffect = given.effect;
      fire('dragend', drag.source, drag.transfer, { cancelable: false });
    },
    rest: () => { delete script.drag; },
    outside: () => {
      drag.transfer = transferOf(given.data, given.files, 'all');
      try {
        over();
        if (drag.over) drop();
      } finally {
        delete script.drag;
      }
    },
  };
  return parts[part]() ?? null;
}
