// Collects from one document, shadow root or element what a search needs to know of it, without
// changing anything. `this` is where to look; `want` says what is asked for; the other arguments
// are pairs of a shadow host and its closed root. Returns {items, rows, flags}: `items[i]` is the
// node that `rows[i]` describes. A row is [kind, name, role]; kinds:
//   e element   t text node   a always a candidate (its name or value is not known here)
//   f frame     z zone (its inside is Chromium's own)   l list item (name: its marker's style)
//   g generated content (name: its text, or null when it is not a plain string)
//   h host that may have a closed root
function scan(want, ...pairs) {
  const closed = new Map();
  for (let i = 0; i < pairs.length; i += 2) closed.set(pairs[i], pairs[i + 1]);
  const items = [], rows = [];
  const put = (node, kind, name, role) => { items.push(node); rows.push([kind, name, role]); };
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
    for (const a of e.attributes) if (!PLAIN.has(a.name) && !a.name.startsWith('data-')) return false;
    return true;
  };
  let opaqueStyles = false, transforms = false;
  const generated = [];
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
    for (const sheet of [...(root.styleSheets || []), ...(root.adoptedStyleSheets || [])]) readSheet(sheet);
    const rules = generated.splice(0);
    for (const [selectors, content] of rules) {
      const text = literal(content);
      if (text !== null && !text.trim()) continue;
      for (const selector of selectors.split(',')) {
        const base = selector.replace(/::?(before|after)\s*$/, '').trim();
        if (base === selector.trim()) continue;
        let found = [];
        try { found = root.querySelectorAll(base || '*'); } catch (error) { opaqueStyles = true; }
        for (const e of found) if (inside(e)) put(e, 'g', text, '');
      }
    }
  };
  const top = this;
  const inside = (e) => top.nodeType !== 1 || top === e || top.contains(e);
  const visit = (node) => {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === 3) {
        if (want.texts && child.data.trim()) put(child, 't', child.data, '');
      } else if (child.nodeType === 1) element(child);
    }
  };
  const element = (e) => {
    const tag = e.localName;
    if (SKIPPED.has(tag)) return;
    if (tag === 'iframe' || tag === 'frame') put(e, 'f', '', '');
    if (ZONES.has(tag)) put(e, 'z', '', '');
    const simple = plain(e);
    const role = want.roles ? e.computedRole : '';
    if (want.css) {
      if (e.matches(want.css)) put(e, 'a', '', '');
    } else if (tag === 'input' && e.type === 'file') put(e, 'a', '', role);
    else if (!(simple && UNNAMED.has(tag)) || want.roles) {
      const described = e.hasAttribute('title') || e.hasAttribute('aria-describedby') || e.hasAttribute('aria-description');
      if (want.values && e.matches(VALUED)) put(e, 'a', '', role);
      else if (described) put(e, 'a', e.computedName, role);
      else if (simple && UNNAMED.has(tag)) put(e, 'e', '', role);
      else if (simple && !e.firstElementChild && !e.shadowRoot && want.texts && e instanceof HTMLElement && e.firstChild)
        put(e, 'e', e.textContent, role);
      else put(e, 'e', e.computedName, role);
    }
    if (want.texts && (tag === 'li' || (tag === 'summary') || e.style.display === 'list-item')) put(e, 'l', markerOf(e), '');
    if (e.style.length && e.style.textTransform) transforms = true;
    const root = e.shadowRoot || closed.get(e);
    if (root) { if (want.texts) generatedIn(root); visit(root); }
    else if (tag.includes('-') || (HOSTABLE.has(tag) && !e.firstChild && e.offsetHeight > 0)) put(e, 'h', '', '');
    // inside a shadow root what a slot shows is no descendant of where the search began
    if (tag === 'slot' && top.nodeType === 1) {
      for (const node of e.assignedNodes({ flatten: true })) {
        if (node.nodeType === 1) element(node);
        else if (want.texts && node.nodeType === 3 && node.data.trim()) put(node, 't', node.data, '');
      }
    }
    if (tag !== 'select' && tag !== 'textarea') visit(e);
  };
  const markerOf = (e) => {
    const style = getComputedStyle(e);
    if (style.display !== 'list-item') return 'none';
    return style.listStyleImage !== 'none' ? 'image' : style.listStyleType;
  };
  const everyPseudo = (root) => {
    for (const e of root.querySelectorAll('*'))
      for (const which of ['::before', '::after']) {
        const content = getComputedStyle(e, which).content;
        if (content !== 'none' && content !== 'normal' && inside(e)) put(e, 'g', literal(content), '');
      }
  };
  if (top.nodeType === 1) element(top); else visit(top);
  if (want.texts) {
    const owner = top.nodeType === 1 ? top.getRootNode() : top;
    generatedIn(owner);
    if (opaqueStyles) everyPseudo(owner);
  }
  return { items, rows, flags: { transforms, elements: items.length } };
}
