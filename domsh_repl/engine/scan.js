// Collects from one document, shadow root or element what a search needs to know of it, without
// changing anything. `this` is where to look; `want` says what is asked for; the other arguments
// are pairs of a shadow host and its closed root, of which `want.known` were given before: hosts
// outside of the other closed roots are not told again. Returns {items, rows, flags}: `items[i]` is the
// node that `rows[i]` describes. A row is [kind, name, role, around], `around` the place of the
// row of the closest element around it, or -1; kinds:
//   e element   t text node   a candidate by its role (its name or value is not known here)
//   c matches the selectors   f frame   z zone (its inside is Chromium's own)
//   l list item (name: its marker's style)   h host that may have a closed root
//      (name: 'custom' for a custom element, which is likely to)
//   g generated content (name: its text, or null when it is not a plain string)
// What cannot match by its letters or its role has no row (see needs.py).
function scan(want, ...pairs) {
  const closed = new Map(), fresh = new Set();
  for (let i = 0; i < pairs.length; i += 2) {
    closed.set(pairs[i], pairs[i + 1]);
    if (i >= 2 * want.known) fresh.add(pairs[i + 1]);
  }
  let telling = !pairs.length;
  const items = [], rows = [];
  const origin = this, top = bare(origin);
  const nowhere = bare(document).createDocumentFragment();
  for (const selector of want.selectors) {
    try { nowhere.querySelector(selector); } catch (error) { return { refused: true, items, rows, flags: {} }; }
  }
  const moved = Boolean(top.querySelector?.('[aria-owns]'));  // what is around in the tree may differ
  let nodes = 0, around = -1;
  const put = (node, kind, name, role) => { items.push(node); rows.push([kind, name, role, moved ? -1 : around]); };
  const DROPPED = new RegExp(want.dropped, 'g'), UNSTEADY = new RegExp(want.unsteady), FOREIGN = /[^\x00-\x7f]/;
  const letters = (text) => text.toLowerCase().replace(DROPPED, '');
  const fits = (found) => want.needs.some((need) => (want.whole ? found === need : found.includes(need)));
  const likely = (name, role) => {
    if (!want.needs.length) return true;
    const foreign = FOREIGN.test(name), tail = (want.names && want.suffixes[role]) || '';
    if (foreign && UNSTEADY.test(name)) return true;
    // names are cut, and those of Chromium's own roles are not known here
    if (want.names && (!role || name.length > (foreign ? want.longest / 2 : want.longest))) return true;
    if (fits(letters(name) + tail) || (foreign && fits(letters(name.normalize()) + tail))) return true;
    return want.names && (fits(letters(role) + tail) || (role === 'img' && fits('image' + tail)));
  };
  const accepted = (role) => !want.roles.length || want.roles.includes(role);
  const BULLETS = ['disc', 'circle', 'square'];
  const markerLikely = (style) => {
    if (style === 'none' || !want.needs.length) return style !== 'none';
    if (BULLETS.includes(style)) return want.names && (fits('listmarker') || fits('statictext'));
    return style !== 'decimal' || want.needs.some((need) => /^[0-9]+$/.test(need));
  };
  // Elements whose name can only be given by an author's attribute.
  const UNNAMED = new Set(('li ul ol dl dd p div span section nav main header footer article aside blockquote pre ' +
    'code em strong b i small br hr body html tbody thead tfoot sub sup var kbd samp cite address hgroup center ' +
    'font u s del ins mark time wbr form menu picture search tt big nobr').split(' '));
  const PLAIN = new Set(['class', 'id', 'style', 'href', 'target', 'rel', 'dir', 'lang']);
  const SKIPPED = new Set('script style template noscript head title meta link datalist'.split(' '));
  const ZONES = new Set('audio video math object embed'.split(' '));
  const VALUED = 'input, select, textarea, progress, meter, output, [role], [aria-valuenow], [aria-valuetext], [contenteditable]';
  const HOSTABLE = new Set('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));
  const plain = (e) => {
    if (!e.hasAttributes()) return true;
    for (const name of e.getAttributeNames()) if (!PLAIN.has(name) && !name.startsWith('data-')) return false;
    return true;
  };
  let opaqueStyles = false, transforms = false;
  const generated = [], decorated = new Set();
  const readRules = (rules) => {
    for (const rule of rules) {
      if (rule.cssRules && rule.cssRules.length) readRules(rule.cssRules);
      if (rule.styleSheet) readSheet(rule.styleSheet);
      const style = rule.style, selector = rule.selectorText;
      if (!style || !selector) continue;
      if (style.textTransform && style.textTransform !== 'none') transforms = true;
      if (/:(before|after)/.test(selector) && style.content && style.content !== 'none' && style.content !== 'normal')
        generated.push([selector, style.content]);
    }
  };
  const readSheet = (sheet) => {
    try { readRules(sheet.cssRules); } catch (error) { opaqueStyles = true; transforms = true; }
  };
  const literal = (content) => {
    const found = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/.exec(content);
    return found && !content.includes('\\') ? (found[1] ?? found[2]) : null;
  };
  const generatedIn = (root) => {
    const from = bare(root);
    for (const sheet of [...(from.styleSheets || []), ...(from.adoptedStyleSheets || [])]) readSheet(sheet);
    const rules = generated.splice(0);
    for (const [selectors, content] of rules) {
      const text = literal(content);
      if (text !== null && !text.trim()) continue;
      for (const selector of selectors.split(',')) {
        const base = selector.replace(/::?(before|after)\s*$/, '').trim();
        if (base === selector.trim()) continue;
        let found = [];
        try { found = from.querySelectorAll(base || '*'); } catch (error) { opaqueStyles = true; }
        for (const e of found) {
          decorated.add(e);
          if (inside(e) && (text === null || likely(text, 'StaticText'))) put(e, 'g', text, '');
        }
      }
    }
  };
  const inside = (node) => top.nodeType !== 1 || origin === node || top.contains(node);
  let read = readerOf(origin);
  const visit = (first) => {
    for (let child = first; child;) {
      const now = read(child), type = now.nodeType;
      if (type === 3) text(child);
      else if (type === 1) element(child, now);
      child = now.nextSibling;
    }
  };
  const text = (node) => {
    nodes++;
    if (want.texts && node.data.trim() && likely(node.data, 'StaticText')) put(node, 't', node.data, '');
  };
  const describe = (node, e, tag) => {
    const unadorned = plain(e), simple = unadorned && UNNAMED.has(tag), role = want.needsRoles ? e.computedRole : '';
    if (want.needsRoles && !accepted(role)) return;
    const isFile = tag === 'input' && e.type === 'file';
    if (isFile || (want.values && e.matches(VALUED))) return put(node, 'a', want.names ? e.computedName : '', role);
    if (simple && !want.needsRoles) return undefined;
    const described = !unadorned &&
      (e.hasAttribute('title') || e.hasAttribute('aria-describedby') || e.hasAttribute('aria-description'));
    // a description can name what has no label
    if (described && want.names) return put(node, 'a', e.computedName, role);
    const name = simple ? '' : nameOf(node, e, unadorned);
    return likely(name, role) ? put(node, 'e', name, role) : undefined;
  };
  const nameOf = (node, e, unadorned) => {
    const textOnly = want.texts && unadorned && !e.firstElementChild && !e.shadowRoot && e.firstChild &&
      node instanceof HTMLElement && !decorated.has(node) && !opaqueStyles;
    return textOnly ? e.textContent : e.computedName;
  };
  const element = (node, e) => {
    const tag = e.localName, outer = around;
    if (SKIPPED.has(tag)) return;
    nodes++;
    step();
    if (tag === 'iframe' || tag === 'frame') put(node, 'f', '', '');
    if (ZONES.has(tag)) put(node, 'z', '', '');
    if (!want.selectors.length) describe(node, e, tag);
    else if (want.selectors.every((selector) => e.matches(selector))) put(node, 'c', '', '');
    if (items[items.length - 1] === node) around = items.length - 1;
    const style = e.hasAttribute('style') ? e.style : null;
    if (want.texts && (tag === 'li' || tag === 'summary' || style?.display === 'list-item')) {
      const marker = markerOf(node);
      if (markerLikely(marker)) put(node, 'l', marker, '');
    }
    if (style?.textTransform) transforms = true;
    const root = e.shadowRoot || closed.get(node);
    if (root) inRoot(root, closed.has(node) ? fresh.has(root) : telling);
    else if (telling && tag.includes('-')) put(node, 'h', 'custom', '');
    else if (telling && HOSTABLE.has(tag) && !e.firstChild && e.offsetHeight > 0) put(node, 'h', '', '');
    // inside a shadow root what a slot shows is no descendant of where the search began
    if (tag === 'slot' && top.nodeType === 1) {
      for (const shown of e.assignedNodes({ flatten: true })) {
        const now = bare(shown);
        if (now.nodeType === 1) element(shown, now);
        else if (now.nodeType === 3) text(shown);
      }
    }
    const closedField = tag === 'textarea' || (tag === 'select' && !e.multiple && e.size < 2);
    if (!closedField) visit(e.firstChild);
    around = outer;
  };
  const inRoot = (root, told) => {
    const outer = telling, outside = read;
    telling = told;
    read = readerOf(root);
    if (want.texts) generatedIn(root);
    visit(root.firstChild);
    telling = outer;
    read = outside;
  };
  const markerOf = (e) => {
    const style = getComputedStyle(e);
    if (style.display !== 'list-item') return 'none';
    return style.listStyleImage !== 'none' ? 'image' : style.listStyleType;
  };
  const everyPseudo = (root) => {
    for (const e of bare(root).querySelectorAll('*'))
      for (const which of ['::before', '::after']) {
        const content = getComputedStyle(e, which).content;
        if (content !== 'none' && content !== 'normal' && inside(e)) put(e, 'g', literal(content), '');
      }
  };
  if (want.texts) {
    const owner = top.nodeType === 1 ? top.getRootNode() : origin;
    generatedIn(owner);
    if (opaqueStyles) everyPseudo(owner);
  }
  if (top.nodeType === 1) element(origin, top); else visit(top.firstChild);
  return { items, rows, flags: { transforms, nodes } };
}
