// Notes the next trusted click, or other event that is `wanted`, on an element, `this`, in the `click` of what
// it returns.
function witness(wanted) {
  const element = this, self = bare(element);
  const seen = { click: false };
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
  const note = (event) => { if (event.isTrusted && inside(event)) seen.click = true; };
  // mousedown counts for what acts on the press already and swallows the click: native popups
  for (const kind of self.localName === 'select' ? [wanted, 'mousedown'] : [wanted]) {
    self.addEventListener(kind, note, { capture: true, once: true });
    window.addEventListener(kind, note, { capture: true, once: true });
  }
  return seen;
}
