// The rendered text below `this`, a line a block, blanks collapsed: what is not displayed, what
// is hidden from assistive technology and the inside of form fields are left out. Shadow roots
// are entered (closed ones by the pairs), slots show what is assigned to them. A frame becomes
// the placeholder U+E000 number U+E001. At most one character more than `limit` comes back, to
// tell that there is more. Returns {text, items, hosts, frames}: the hosts that may have a closed
// root are the first items, the frames the others. `known` of the pairs were given before: hosts
// outside of the other closed roots are not told again.
function text(links, limit, known, ...pairs) {
  const closed = new Map(), fresh = new Set();
  for (let i = 0; i < pairs.length; i += 2) {
    closed.set(pairs[i], pairs[i + 1]);
    if (i >= 2 * known) fresh.add(pairs[i + 1]);
  }
  let telling = !pairs.length;
  const frames = [], hosts = [];
  const words = (text) => new Set(text.split(' '));
  const SKIPPED = words('script style template noscript head select textarea datalist option audio video object canvas ' +
    'title desc defs metadata input meter progress');
  const APART = words('input select textarea button meter progress img svg canvas');
  const HOSTABLE = words('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
  const PHRASES = words('a abbr b bdi bdo cite code del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var');
  const CASES = {
    uppercase: (text) => text.toUpperCase(),
    lowercase: (text) => text.toLowerCase(),
    capitalize: (text) => text.replace(/(^|[^\p{L}\p{N}\p{M}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase()),
  };
  const lines = [''];
  let size = 0, last = '';
  const add = (text) => {
    lines[lines.length - 1] += text;
    size += text.length;
    if (text) last = text.at(-1);
  };
  const isOpen = () => lines[lines.length - 1] !== '';
  const blockEnd = () => { if (isOpen()) lines.push(''); };
  const put = (text) => {
    const blankBefore = !isOpen() || last === ' ' || last === '\t';
    add(text.startsWith(' ') && blankBefore ? text.slice(1) : text);
  };
  const textNode = (node, style) => {
    if (style && style.visibility !== 'visible') return;
    const room = node.data.length > limit - size ? node.data.slice(0, Math.max(0, limit - size) + 1) : node.data;
    const change = style && CASES[style.textTransform], text = change ? change(room) : room;
    if (!style || !style.whiteSpace.startsWith('pre')) put(text.replace(/[ \t\n\r\f]+/g, ' '));
    else text.split('\n').forEach((line, at) => { if (at) lines.push(''); add(line); });
  };
  const each = (nodes, style) => {
    for (const node of nodes) {
      if (size > limit) return;
      step();
      const type = bare(node).nodeType;
      if (type === 3) textNode(node, style);
      else if (type === 1) element(node);
    }
  };
  const inside = (node, e, style) => {
    const root = e.shadowRoot || closed.get(node), assigned = e.localName === 'slot' ? e.assignedNodes() : [];
    const host = e.localName.includes('-') || (HOSTABLE.has(e.localName) && !e.firstChild && e.offsetHeight > 0);
    if (!root && telling && host) hosts.push(node);
    const outer = telling;
    if (closed.has(node)) telling = fresh.has(root);
    if (e.localName === 'details' && !e.open) each([...e.children].filter((one) => bare(one).localName === 'summary').slice(0, 1), style);
    else each(root ? root.childNodes : assigned.length ? assigned : e.childNodes, style);
    telling = outer;
  };
  const frame = (e) => {
    blockEnd();
    put('\ue000' + frames.length + '\ue001');
    blockEnd();
    frames.push(e);
  };
  const element = (node) => {
    const e = bare(node), tag = e.localName;
    if (e.getAttribute('aria-hidden') === 'true') return;
    const style = getComputedStyle(node);
    if (style.display === 'none') return;
    // a phrase taken out of the flow counts as a block in CSS, but it reads on (.visually-hidden)
    const taken = PHRASES.has(tag) && (style.position === 'absolute' || style.position === 'fixed' || style.float !== 'none');
    // controls and adjacent links are words of their own, though nothing may stand between them
    const follows = tag === 'a' && e.previousSibling && bare(e.previousSibling).localName === 'a';
    if (taken || follows || APART.has(tag)) put(' ');
    if (!SKIPPED.has(tag) && style.contentVisibility !== 'hidden') shown(node, e, style, taken);
    if (taken || APART.has(tag)) put(' ');
  };
  const shown = (node, e, style, taken) => {
    const tag = e.localName;
    if (tag === 'br') return void lines.push('');
    if (tag === 'iframe' || tag === 'frame') return frame(node);
    const inline = taken || style.display.startsWith('inline') || style.display === 'contents';
    const cell = style.display === 'table-cell', url = links && tag === 'a' ? e.href : '';
    if (cell && isOpen()) put('\t');
    else if (!cell && !inline) blockEnd();
    if (url) put('[');
    inside(node, e, style);
    if (url) put('](' + url + ')');
    if (!inline && !cell) blockEnd();
  };
  const top = bare(this);
  if (top.nodeType === 3) textNode(this, top.parentElement ? getComputedStyle(top.parentElement) : null);
  else if (top.nodeType === 1) element(this);
  else each(top.childNodes ?? [], null);  // a pseudo-element has none
  const unpadded = (line) => {
    let end = line.length;
    while (line[end - 1] === ' ') end--;
    return line.slice(0, end);
  };
  const tidy = (line) => unpadded(line).replace(/ ?\t ?/g, '\t');
  const whole = lines.map(tidy).join('\n').replace(/\n{3,}/g, '\n\n').trim().slice(0, limit + 1);
  return { text: whole, items: hosts.concat(frames), hosts: hosts.length, frames: frames.length };
}
