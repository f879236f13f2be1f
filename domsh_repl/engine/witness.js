// Watches for the next trusted click, or other event that is `wanted`, on an element, `this`. `end` tells what
// came of it: 'arrived', '' for nothing, or 'strayed' for a press that something else would have got because it
// moved over the element in the last moment. Such a press is kept from the page, with all that follows of it.
function witness(wanted) {
  const element = this, self = bare(element);
  if (['iframe', 'frame', 'object', 'embed'].includes(self.localName)) return null;
  const PRESS = ['pointerdown', 'mousedown'];
  const FOLLOWING = ['pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  let arrived = false, strayed = false, pressed = false;
  const inShadow = Boolean(self.isConnected && self.getRootNode().host);
  const inside = (event) => {
    const path = event.composedPath();
    if (path.includes(element)) return true;
    for (let root = self.getRootNode(); root.host; root = bare(root.host).getRootNode()) {
      if (root.host === path[0]) return true;
    }
    // rebuilt since it was looked at: what stands in its place got the click
    const equal = (node) => node instanceof Node && bare(node).nodeType === 1 && bare(node).isEqualNode(element);
    return !self.isConnected && path.some(equal);
  };
  const labels = (node) => node instanceof HTMLLabelElement && node.control === element;
  const note = (event) => { if (event.isTrusted && inside(event)) arrived = true; };
  const keep = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  const press = (event) => {
    if (!event.isTrusted) return;
    if (!pressed) {
      pressed = true;
      // what is in a shadow tree does not tell all of its path, and what is gone was not covered
      strayed = self.isConnected && !inShadow && !inside(event) && !event.composedPath().some(labels);
    }
    if (strayed) keep(event);
  };
  const follow = (event) => { if (event.isTrusted && strayed) keep(event); };
  const heard = [];
  const hear = (target, kind, listener) => {
    target.addEventListener(kind, listener, { capture: true });
    heard.push(() => target.removeEventListener(kind, listener, { capture: true }));
  };
  for (const kind of PRESS) hear(window, kind, press);
  for (const kind of FOLLOWING) hear(window, kind, follow);
  // mousedown counts for what acts on the press already and swallows the click: native popups
  for (const kind of self.localName === 'select' ? [wanted, 'mousedown'] : [wanted]) {
    self.addEventListener(kind, note, { capture: true, once: true });
    window.addEventListener(kind, note, { capture: true, once: true });
  }
  return {
    end() {
      for (const leave of heard) leave();
      return strayed ? 'strayed' : arrived ? 'arrived' : '';
    },
  };
}
