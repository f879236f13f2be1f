// What the engine asks of one node, `this`, before it clicks. `hit` is the node on top of a point.
function pointer(ask, hit) {
  const node = this, e = bare(node);
  const CONTROLS = 'a[href], area[href], button, input, select, textarea, summary, label, '
    + '[role=button], [role=link], [role=checkbox], [role=switch], [role=menuitem], [role=tab], [tabindex], [onclick], [contenteditable]';
  const above = (inner) => bare(inner).assignedSlot || bare(inner).parentNode || bare(inner).host;
  const image = () => {
    const map = e.localName === 'area' ? e.closest('map') : null;
    return map && [...bare(e.ownerDocument).querySelectorAll('img[usemap], object[usemap]')]
      .find((i) => i.getAttribute('usemap').toLowerCase() === '#' + map.name.toLowerCase());
  };
  const answers = {
    'kind': () => {
      if (!e.isConnected) return 'gone';
      return e.nodeType === 3 ? 'text' : e.nodeType !== 1 ? 'document' : e.localName === 'area' ? 'area' : 'element';
    },
    'tag': () => e.localName || '',
    'element': () => {
      if (!e.isConnected) return null;
      return e.nodeType === 1 ? node : e.nodeType === 9 ? e.documentElement : e.parentElement || e.getRootNode().host;
    },
    'image of area': image,
    'middle of area': () => {
      const xy = (e.coords || '').split(/[ ,;]+/).map(Number).filter((n) => !Number.isNaN(n));
      const shape = (e.shape || 'rect').toLowerCase();
      if (shape.startsWith('circ') && xy.length >= 3) return [xy[0], xy[1]];
      if (shape.startsWith('rect') && xy.length >= 4) return [(xy[0] + xy[2]) / 2, (xy[1] + xy[3]) / 2];
      if (shape.startsWith('poly') && xy.length >= 6) {
        const xs = xy.filter((_, i) => i % 2 === 0), ys = xy.filter((_, i) => i % 2 === 1);
        const mean = (list) => list.reduce((sum, n) => sum + n, 0) / list.length;
        return [mean(xs.slice(0, ys.length)), mean(ys)];
      }
      const i = image();
      return [i.clientWidth / 2, i.clientHeight / 2];
    },
    'label of toggle': () => {
      const toggle = e.localName === 'input' && (e.type === 'checkbox' || e.type === 'radio');
      return toggle && e.labels && e.labels.length ? e.labels[0] : null;
    },
    'scroll to middle': () => {
      const shown = e.nodeType === 1 ? node : e.parentElement;
      if (shown) bare(shown).scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
    },
    'why unseen': () => {
      if (!e.isConnected) return 'stale';
      const style = getComputedStyle(node);
      if (style.display === 'none' || !e.checkVisibility()) return 'not displayed';
      if (style.visibility !== 'visible') return 'invisible (visibility: ' + style.visibility + ')';
      const box = e.getBoundingClientRect();
      if (style.display !== 'contents' && (!box.width || !box.height)) return 'of no size';
      if (style.pointerEvents === 'none') return 'not reachable by the pointer (pointer-events: none)';
      return '';
    },
    'hovered': () => e.matches(':hover'),
    'receives': () => {
      let found = 'direct';
      for (let n = hit; n; n = above(n)) {
        step();
        if (n === node) return found;
        const around = bare(n);
        if (around.nodeType !== 1) continue;
        if (around.localName === 'label' && around.control === node) return 'direct';
        if (e.control !== n && around.matches(CONTROLS)) found = 'nested';
      }
      // what is slotted into a closed root does not tell its slot
      const slots = e.matches('slot') ? [node] : [...e.querySelectorAll('slot')];
      return slots.some((slot) => slot.assignedNodes({flatten: true}).some((n) => bare(n).contains(hit))) ? 'direct' : 'no';
    },
    'describe': () => {
      const element = e.nodeType === 1 ? node : e.parentElement;
      if (!element) return '';
      const shown = bare(element);
      const large = shown.localName === 'body' || shown.localName === 'html';
      const name = large ? '' : shown.computedName || shown.getAttribute('aria-label') || (shown.innerText || '').slice(0, 60);
      return '<' + shown.localName + (shown.id ? ' id=' + shown.id : '') + '>' + (name.trim() ? ' "' + name.trim() + '"' : '');
    },
  };
  return answers[ask]();
}
