// Whether anything in this document fits a selector, or may do so in a closed shadow root.
function current(selector) {
  const any = (root) => {
    if (bare(root).querySelector(selector)) return true;
    const read = readerOf(root), walker = bare(document).createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const e = read(node), inner = e.shadowRoot;
      if (inner ? any(inner) : e.localName.includes('-')) return true;
    }
    return false;
  };
  return any(this);
}
