// The rendered text below `this`, a line a block, blanks collapsed: what is not displayed, what
// is hidden from assistive technology and the inside of form fields are left out. Shadow roots
// are entered (closed ones by the pairs), slots show what is assigned to them. A frame becomes
// the placeholder U+E000 number U+E001. Returns {text, frames}.
function renderedText(links, limit, ...pairs) {
  const closed = new Map();
  for (let i = 0; i < pairs.length; i += 2) closed.set(pairs[i], pairs[i + 1]);
  const frames = [], hosts = [];
  const SKIPPED = new Set('script style template noscript head select textarea datalist option audio video object canvas'.split(' '));
  let lines = [''], size = 0;
  const blockEnd = () => { if (lines[lines.length - 1] !== '') lines.push(''); };
  const put = (text) => {
    const last = lines.length - 1;
    if (text.startsWith(' ') && (lines[last] === '' || lines[last].endsWith(' '))) text = text.slice(1);
    lines[last] += text;
    size += text.length;
  };
  const textOf = (node, style) => {
    let text = node.data;
    if (style && style.textTransform === 'uppercase') text = text.toUpperCase();
    if (style && style.textTransform === 'lowercase') text = text.toLowerCase();
    if (style && style.whiteSpace.startsWith('pre')) {
      text.split('\n').forEach((line, i) => { if (i) lines.push(''); lines[lines.length - 1] += line; size += line.length; });
    } else put(text.replace(/[ \t\n\r\f]+/g, ' '));
  };
  const children = (node, style) => {
    for (let child = node.firstChild; child && size <= limit; child = child.nextSibling) {
      if (child.nodeType === 3) { if (!style || style.visibility === 'visible') textOf(child, style); }
      else if (child.nodeType === 1) element(child);
    }
  };
  const element = (e) => {
    const tag = e.localName;
    if (SKIPPED.has(tag) || e.getAttribute('aria-hidden') === 'true') return;
    const style = getComputedStyle(e);
    if (style.display === 'none') return;
    if (tag === 'br') { lines.push(''); return; }
    if (tag === 'iframe' || tag === 'frame') {
      blockEnd(); put('\ue000' + frames.length + '\ue001'); blockEnd(); frames.push(e); return;
    }
    const inline = style.display.startsWith('inline') || style.display === 'contents';
    const cell = style.display === 'table-cell';
    if (cell) { if (lines[lines.length - 1] !== '') put('\t'); } else if (!inline) blockEnd();
    const url = links && tag === 'a' ? e.href : '';
    if (url) put('[');
    const root = e.shadowRoot || closed.get(e);
    if (!root && tag.includes('-')) hosts.push(e);
    if (root) children(root, style);
    else if (tag === 'slot' && e.assignedNodes().length) {
      for (const node of e.assignedNodes()) { if (node.nodeType === 3) textOf(node, style); else if (node.nodeType === 1) element(node); }
    } else children(e, style);
    if (url) put('](' + url + ')');
    if (!inline && !cell) blockEnd();
  };
  if (this.nodeType === 3) textOf(this, getComputedStyle(this.parentElement));
  else if (this.nodeType === 1) element(this);
  else children(this, null);
  const text = lines.map((line) => line.replace(/[ ]+$/, '').replace(/ ?\t ?/g, '\t')).join('\n').replace(/\n{3,}/g, '\n\n').trim();
  return { text, cut: size > limit, items: hosts.concat(frames), hosts: hosts.length, frames: frames.length };
}
