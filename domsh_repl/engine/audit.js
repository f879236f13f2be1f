// What the accessibility rules need to know of the elements below `this`, in document order,
// without changing anything. `want` says what to look for: {most, roles, known}; the other
// arguments are pairs of a shadow host and its closed root, of which `want.known` were given
// before. Returns {items, rows, hosts, page, cut}: `items[i]` is the element that `rows[i]`
// describes, the hosts that may have a closed root come after them. A row is
// [place of the row around it or -1, tag, computed role, name, attributes, facts]. Elements that
// neither tell nor hold anything of interest have no row; `cut` says that there were too many.
function audit(want, ...pairs) {
  const closed = new Map(), fresh = new Set();
  for (let i = 0; i < pairs.length; i += 2) {
    closed.set(pairs[i], pairs[i + 1]);
    if (i >= 2 * want.known) fresh.add(pairs[i + 1]);
  }
  let telling = !pairs.length, cut = false;
  const items = [], rows = [], hosts = [];
  const words = (text) => new Set(text.split(' '));
  const SKIPPED = words('script style template noscript head title meta link datalist option optgroup param source track base');
  const KEPT = words('alt href lang name placeholder scope src tabindex title type content http-equiv');
  const TOLD = words('a area audio button canvas embed fieldset iframe frame img input object select svg table textarea video');
  const NAMED = words('button checkbox combobox menuitem menuitemcheckbox menuitemradio link listbox radio searchbox slider ' +
    'spinbutton switch tab textbox treeitem image img heading dialog alertdialog banner complementary contentinfo form main ' +
    'navigation region search');
  const HOSTABLE = words('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
  const FRAMED = words('area iframe frame');
  const MUTE = words('generic none presentation paragraph strong emphasis code superscript subscript');
  // Told only where an author's role is inside or around: there are too many of them.
  const PARTS = words('listitem row rowgroup cell gridcell columnheader rowheader option term definition');
  // The roles that these have without any attribute that could change it.
  const QUICK = new Map();
  for (const tag of words('div span p b i em strong small br u s sub sup code center font')) QUICK.set(tag, '');
  for (const tag of words('h1 h2 h3 h4 h5 h6')) QUICK.set(tag, 'heading');
  for (const [tag, role] of [['ul', 'list'], ['ol', 'list'], ['li', 'listitem'], ['button', 'button']]) QUICK.set(tag, role);
  const SHORT = 200;
  const modal = bare(document).querySelector('dialog:modal');
  const short = (text) => (text || '').replace(/\s+/g, ' ').trim().slice(0, SHORT);
  const attributesOf = (e) => {
    const found = {};
    for (const name of e.getAttributeNames())
      if (KEPT.has(name) || name === 'role' || name.startsWith('aria-')) found[name] = e.getAttribute(name).slice(0, SHORT);
    return found;
  };
  const displayed = (node, e) => e.checkVisibility() || getComputedStyle(node).display === 'contents';
  // The name, without asking the browser where there is nothing but text.
  const nameOf = (node, e, tag, attributes) => {
    const plain = !e.firstElementChild && !e.shadowRoot && e.firstChild && (tag === 'a' || QUICK.get(tag) === 'heading') &&
      !attributes.title && !attributes.role && !Object.keys(attributes).some((name) => name.startsWith('aria-'));
    return short(plain ? e.textContent : '') || short(e.computedName);
  };
  const tabbable = (e, tag) => {
    if (!(e.tabIndex >= 0) || e.matches(':disabled')) return false;
    if (tag === 'a' || tag === 'area') return e.hasAttribute('href') || e.hasAttribute('tabindex');
    return tag !== 'iframe' && tag !== 'frame';
  };
  // The text that a sighted user sees in a control: no icons of fonts, nothing that is clipped away.
  const ICONS = /icon|symbol|awesome|glyph|dashicon/i;
  const clipped = (e, style) => {
    const small = e.offsetWidth <= 1 || e.offsetHeight <= 1;
    return (small && style.overflow !== 'visible') || style.opacity === '0' || parseFloat(style.fontSize) < 2 ||
      /^rect\((0|1)px/.test(style.clip) || /inset\((50|100)%/.test(style.clipPath) || parseFloat(style.textIndent) < -99;
  };
  const seenText = (node) => {
    let text = '';
    const inside = (one) => {
      for (const child of one.childNodes) {
        if (text.length > SHORT) return;
        step();
        if (child.nodeType === 3) text += child.data;
        else if (child.nodeType === 1 && child instanceof HTMLElement && child.getAttribute('aria-hidden') !== 'true') {
          const style = getComputedStyle(child);
          if (child.checkVisibility({ visibilityProperty: true }) && !clipped(child, style) && !ICONS.test(style.fontFamily) &&
            style.position !== 'absolute') {
            const apart = style.display.startsWith('inline') ? '' : ' ';
            text += apart;
            inside(child);
            text += apart;
          }
        }
      }
    };
    const style = getComputedStyle(node);
    if (!clipped(node, style) && !ICONS.test(style.fontFamily)) inside(node);
    return short(text);
  };
  const lookUp = (node, e, name) => {
    const root = e.getRootNode(), ids = e.getAttribute(name).split(/\s+/).filter(Boolean);
    return ids.map((id) => bare(root).getElementById?.(id));
  };
  const missing = (node, e) => ['aria-labelledby', 'aria-describedby'].filter((name) =>
    e.hasAttribute(name) && e.getAttribute(name).trim() && lookUp(node, e, name).every((one) => !one));
  const tableFacts = (e) => {
    const cells = [...e.rows].map((row) => row.cells.length);
    return { rows: cells.length, columns: Math.max(0, ...cells),
      headed: Boolean(e.querySelector('th, [role=columnheader], [role=rowheader], td[scope]')) };
  };
  const named = (e) => [...(e.labels || [])].some((label) => label.textContent.trim());
  const holdsAnything = (e) => Boolean((e.innerText ?? e.textContent).trim()) ||
    [...e.querySelectorAll('img, svg, input, button, select, textarea, a')].some((one) => bare(one).checkVisibility());
  const factsOf = (node, e, tag, role, state) => {
    const facts = {}, author = e.getAttribute('role');
    if (state.hidden) facts.hidden = true;
    if (tabbable(e, tag)) facts.tabbable = true;
    if (author || state.hidden) facts.holds = holdsAnything(e);
    if (e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby')) facts.text = seenText(node);
    if (e.hasAttribute('aria-labelledby') || e.hasAttribute('aria-describedby')) {
      const gone = missing(node, e);
      if (gone.length) facts.missing = gone;
    }
    if (e.hasAttribute('aria-owns')) facts.owns = lookUp(node, e, 'aria-owns').filter(Boolean);
    if (tag === 'a' || tag === 'area') facts.url = typeof e.href === 'string' ? e.href : '';
    if (tag === 'table' && e.rows) Object.assign(facts, tableFacts(e));
    if (tag === 'audio' || tag === 'video') facts.sounds = e.hasAttribute('autoplay') && !e.hasAttribute('muted') && !e.muted;
    if (tag === 'iframe' || tag === 'frame') facts.small = e.offsetWidth <= 1 || e.offsetHeight <= 1;
    if (tag === 'input' || tag === 'textarea') facts.labelled = named(e);
    return facts;
  };
  // A place is where an element has its row, or would have: {outer, at, make}.
  const rowAround = (place) => {
    while (place && place.at === undefined) place = place.outer;
    return place ? place.at : -1;
  };
  const settle = (place) => {
    if (!place) return;
    settle(place.outer);
    if (place.at === undefined) place.make();
  };
  const placeOf = (node, e, tag, outer, state) => {
    const names = e.getAttributeNames(), author = names.includes('role');
    const aria = author || names.some((name) => name.startsWith('aria-') || name === 'tabindex');
    const quick = !aria && QUICK.get(tag);
    const role = quick !== undefined && quick !== false ? quick : e.computedRole || '';
    if (!aria && !TOLD.has(tag) && (!role || MUTE.has(role))) return outer;
    if ((tag === 'input' && e.type === 'hidden') || (state.hidden && !tabbable(e, tag))) return outer;
    const place = { outer, at: undefined };
    place.make = () => {
      if (rows.length >= want.most) { cut = true; return; }
      const attributes = attributesOf(e), wanted = NAMED.has(role) || NAMED.has((attributes.role || '').trim()) || FRAMED.has(tag);
      if (tag === 'input') attributes.type = e.type;
      const around = rowAround(outer), name = wanted && !state.hidden ? nameOf(node, e, tag, attributes) : '';
      place.at = rows.length;
      items.push(node);
      rows.push([around, tag, role, name, attributes, factsOf(node, e, tag, role, state)]);
    };
    if (author) settle(outer);
    const around = outer && outer.at !== undefined && rows[outer.at][4].role;
    if (aria || around || !PARTS.has(role)) place.make();
    return place;
  };
  const each = (nodes, outer, state) => {
    for (const node of nodes) {
      if (cut) return;
      const e = bare(node);
      if (e.nodeType === 1) element(node, e, outer, state);
    }
  };
  const element = (node, e, around, state) => {
    const tag = e.localName;
    if (SKIPPED.has(tag)) return;
    step();
    const unseen = tag === 'area' || tag === 'slot' || ((tag === 'audio' || tag === 'video') && e.hasAttribute('autoplay'));
    const visible = unseen || e.checkVisibility({ visibilityProperty: true });
    if (!visible && !displayed(node, e)) return;
    const apart = modal && !state.inModal && modal !== node && !e.contains(modal);
    if (e.hasAttribute('inert') || apart) return;
    const hidden = state.hidden || e.getAttribute('aria-hidden') === 'true', inModal = state.inModal || modal === node;
    const now = hidden === state.hidden && inModal === state.inModal ? state : { hidden, inModal };
    const shown = visible || (getComputedStyle(node).display === 'contents' && getComputedStyle(node).visibility === 'visible');
    const place = shown && tag !== 'slot' ? placeOf(node, e, tag, around, now) : around;
    if (tag === 'select' || tag === 'textarea' || (tag === 'svg' && e.computedRole)) return;
    const root = e.shadowRoot || closed.get(node), assigned = tag === 'slot' ? e.assignedNodes() : [];
    const host = tag.includes('-') || (HOSTABLE.has(tag) && !e.firstChild && e.offsetHeight > 0);
    if (!root && telling && host) hosts.push(node);
    const outer = telling;
    if (closed.has(node)) telling = fresh.has(root);
    each(root ? root.childNodes : assigned.length ? assigned : e.childNodes, place, now);
    telling = outer;
  };
  const top = bare(this), state = { hidden: false, inModal: false };
  if (top.nodeType === 1) {
    state.inModal = Boolean(modal && modal.contains(this));
    element(this, top, null, state);
  } else each(top.childNodes ?? [], null, state);
  const places = new Map(items.map((node, place) => [node, place]));
  for (const [, , , , , facts] of rows)
    if (facts.owns) facts.owns = facts.owns.map((one) => places.get(one) ?? -1).filter((place) => place >= 0);
  const head = bare(document), root = head.documentElement;
  const metas = [...head.querySelectorAll('meta[http-equiv], meta[name]')].map((meta) =>
    [(meta.getAttribute('http-equiv') || meta.getAttribute('name')).toLowerCase(), (meta.getAttribute('content') || '').slice(0, SHORT)]);
  const page = {
    title: short(head.title), lang: root ? bare(root).getAttribute('lang') || bare(root).getAttribute('xml:lang') || '' : '',
    html: root instanceof HTMLHtmlElement, modal: Boolean(modal), names: 'computedName' in Element.prototype,
    refresh: metas.find(([name]) => name === 'refresh')?.[1] ?? '', viewport: metas.find(([name]) => name === 'viewport')?.[1] ?? '',
    empty: !rows.length && !(head.body && bare(head.body).textContent.trim()),
  };
  return { items: items.concat(hosts), rows, hosts: hosts.length, page, cut };
}
