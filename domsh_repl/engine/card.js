// What the DOM says of one node, `this`: tag, attributes, options of a select and where it leads.
function card() {
  const self = bare(this);
  const node = self.nodeType === 9 ? self.documentElement : self.nodeType === 1 ? this : self.parentElement;
  const e = node && bare(node), isElement = self.nodeType === 1;
  if (!e) return null;
  const attributes = {};
  if (isElement) for (const a of e.attributes) attributes[a.name] = a.value.slice(0, 1000);
  const secret = e.localName === 'input' && e.type === 'password';
  const option = (o) => ({ label: o.label.trim(), value: o.value, selected: o.selected });
  const options = e.localName === 'select' ? [...e.options].slice(0, 500).map(option) : null;
  const urls = [e.href, e.currentSrc, e.localName === 'iframe' ? e.src : null];
  const url = urls.find((one) => one && typeof one === 'string') ?? null;
  return { tag: isElement ? e.localName : null, attributes, secret, options, url };
}
