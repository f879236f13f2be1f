// Scrolls what a reader of this document, `this`, would scroll: the document, or where that cannot
// move at all the box in the middle of the view. Returns [moved, how far down it is from 0 to 1].
function scroll(way) {
  const document = bare(this), root = document.scrollingElement || document.documentElement;
  const room = (e) => e.scrollHeight - e.clientHeight;
  const movable = (e) => room(e) > 1 && !['hidden', 'visible', 'clip'].includes(getComputedStyle(e).overflowY);
  const boxAt = (x, y) => {
    for (let e = document.elementFromPoint(x, y); e; e = e.parentElement || e.getRootNode().host) if (e !== root && movable(e)) return e;
    return null;
  };
  const held = room(root) <= 1 || getComputedStyle(root).overflowY === 'hidden' || getComputedStyle(document.body ?? root).overflowY === 'hidden';
  const box = held ? boxAt(innerWidth / 2, innerHeight / 2) ?? root : root;
  const page = (box === root ? innerHeight : box.clientHeight) * 0.9, before = box.scrollTop;
  const to = { up: before - page, down: before + page, top: 0, bottom: room(box) }[way];
  box.scrollTo({ top: to, behavior: 'instant' });
  const most = room(box);
  return [Math.abs(box.scrollTop - before) > 0.5, most > 1 ? Math.min(box.scrollTop / most, 1) : 0, most > 1];
}
