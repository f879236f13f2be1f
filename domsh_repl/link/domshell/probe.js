// All that domsh runs in a page through a real DOMShell server.
// No command of DOMShell leads from a path to a live element, but `text PATH` reads the element's
// textContent and `--text` reads its innerText, from a function of one frame. So a getter is put
// in the way for a moment; it answers that one frame, with the nonce around the JSON, and lets
// everybody else have the real thing. `how`: "once" (textContent, the first reading ends it),
// "many" (innerText, until "off"), "off"; "active" and "body" ask the element with the focus and
// the page's body at once, without a getter. Statements end in semicolons: the lines are joined.
(function probe(how, nonce, ask, given) {
  'use strict';
  const OFF = '__domsh_probe_off';
  const real = (proto, name) => {
    let found = Object.getOwnPropertyDescriptor(proto, name);
    while (found && found.get && found.get.real !== undefined) found = found.get.real;
    return found || null;
  };

  const folded = (text) => String(text || '').replace(/\s+/g, ' ');
  const blank = (text) => folded(text).trim();
  const flag = (e, name) => e.getAttribute('aria-' + name) === 'true';
  const isField = (e) => /^(input|select|textarea|button)$/.test(e.localName);
  const editable = (e) => e.isContentEditable && !isField(e);
  const valueOf = (e) => editable(e) ? e.innerText : 'value' in e ? String(e.value) : '';
  const secret = (e) => e.localName === 'input' && e.type === 'password';
  const activeIn = (e) => { const root = e.getRootNode(); return root.activeElement; };
  const hiddenText = (e) => e.getAttribute('aria-hidden') === 'true' || getComputedStyle(e).display === 'none'
    || getComputedStyle(e).visibility !== 'visible' || (getComputedStyle(e).display !== 'contents' && !e.checkVisibility());
  const insideOf = (e) => {
    if (e.localName === 'slot' && e.assignedNodes().length) return e.assignedNodes();
    return (e.shadowRoot || e).childNodes;
  };
  const content = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || hiddenText(node)) return '';
    const said = node.getAttribute('aria-label') || (node.localName === 'img' ? node.alt : '');
    if (said) return ' ' + said + ' ';
    const inner = [...insideOf(node)].map(content).join('');
    return getComputedStyle(node).display.startsWith('inline') ? inner : ' ' + inner + ' ';
  };
  const labels = (e) => {
    const from = (way, nodes) => [way, blank([...(nodes || [])].map(content).join(' '))];
    const child = (tag) => [...e.children].filter((one) => one.localName === tag).slice(0, 1);
    const owner = { fieldset: 'legend', table: 'caption', figure: 'figcaption', svg: 'title' }[e.localName];
    const silent = (isField(e) && e.localName !== 'button') || e.getElementsByTagName('*').length > 200;
    const button = e.localName === 'input' && /^(submit|button|reset)$/.test(e.type);
    const wrapped = isField(e) && [...(e.labels || [])].some((one) => one.contains(e));
    return [
      from('aria-labelledby', e.ariaLabelledByElements),
      ['aria-label', blank(e.ariaLabel) && folded(e.ariaLabel)],
      from(wrapped ? 'labelwrapped' : 'labelfor', isField(e) ? e.labels : []),
      ['alt', blank(e.alt)],
      ['value', button ? blank(e.value) : ''],
      from({ caption: 'tablecaption' }[owner] || owner || '', owner ? child(owner) : []),
      ['contents', silent ? '' : blank(content(e)).slice(0, 2000)],
      ['title', blank(e.getAttribute('title'))],
      ['placeholder', blank(e.placeholder)],
    ].filter((one) => one[1]);
  };
  const states = (e) => {
    const found = [], add = (name, holds) => { if (holds) found.push(name); };
    const toggle = e.localName === 'input' && /^(checkbox|radio)$/.test(e.type);
    const checked = toggle ? String(e.indeterminate ? 'mixed' : e.checked) : e.getAttribute('aria-checked');
    add('checked', checked === 'true');
    add('pressed', flag(e, 'pressed'));
    add('mixed', checked === 'mixed' || e.getAttribute('aria-pressed') === 'mixed');
    add('disabled', (e.localName !== 'fieldset' && e.matches(':disabled')) || e.closest('[aria-disabled="true"]') !== null);
    add('expanded', flag(e, 'expanded') || (e.localName === 'summary' && e.parentElement.open === true));
    add('focused', activeIn(e) === e);
    add('selected', flag(e, 'selected') || (e.localName === 'option' && e.selected));
    add('required', e.required === true || flag(e, 'required'));
    add('readonly', e.readOnly === true || flag(e, 'readonly'));
    add('busy', flag(e, 'busy'));
    add('modal', flag(e, 'modal') || (e.localName === 'dialog' && e.matches(':modal')));
    add('multiline', e.localName === 'textarea' || (editable(e) && !(e.parentElement && e.parentElement.isContentEditable)) || flag(e, 'multiline'));
    add('multiselectable', (e.localName === 'select' && e.multiple) || flag(e, 'multiselectable'));
    const invalid = e.getAttribute('aria-invalid');
    add('invalid', invalid ? invalid !== 'false' : isField(e) && e.matches(':invalid'));
    const current = e.getAttribute('aria-current');
    add('current', current !== null && current !== '' && current !== 'false');
    return found;
  };

  const rendered = (top, links) => {
    const lines = [''];
    const end = () => { if (lines[lines.length - 1]) lines.push(''); };
    const put = (text) => {
      const line = lines[lines.length - 1];
      lines[lines.length - 1] += !line || line.endsWith(' ') ? text.replace(/^ /, '') : text;
    };
    const walk = (node, pre) => {
      if (node.nodeType === 3) {
        if (!pre) return put(node.data.replace(/\s+/g, ' '));
        return node.data.split('\n').forEach((line, at) => { if (at) lines.push(''); put(line); });
      }
      if (node.nodeType !== 1 || hiddenText(node)) return null;
      const tag = node.localName, style = getComputedStyle(node);
      if (/^(script|style|template|noscript|head|select|textarea|input|datalist|iframe|svg|canvas)$/.test(tag)) return put(' ');
      if (tag === 'br') return lines.push('');
      const apart = /^(button|meter|progress|img)$/.test(tag) || (tag === 'a' && (node.previousSibling || {}).localName === 'a');
      if (apart) put(' ');
      const block = !style.display.startsWith('inline') && style.display !== 'contents' && style.display !== 'table-cell';
      if (style.display === 'table-cell' && lines[lines.length - 1]) put('\t'); else if (block) end();
      const url = links && tag === 'a' && node.href;
      if (url) put('[');
      for (const one of insideOf(node)) walk(one, style.whiteSpace.startsWith('pre'));
      if (url) put('](' + node.href + ')');
      if (block) end(); else if (apart && tag !== 'a') put(' ');
      return null;
    };
    walk(top, false);
    return lines.map((line) => line.replace(/ +$/, '')).join('\n').replace(/\n{3,}/g, '\n\n').trim();
  };

  const cover = (e) => {
    const box = e.getBoundingClientRect();
    const hit = e.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!hit || hit === e || e.contains(hit) || hit.contains(e) || (hit.localName === 'label' && hit.control === e)) return '';
    return '<' + hit.localName + (hit.id ? ' id=' + hit.id : '') + '>';
  };
  const brief = (e) => ({ tag: e.localName, labels: labels(e), states: states(e), inner: e.childElementCount });
  const field = (e) => ({
    type: e.localName === 'input' ? e.type : '',
    editable: editable(e) || e.localName === 'textarea' || (e.localName === 'input' && !/^(checkbox|radio|button|submit|reset|image|file|hidden)$/.test(e.type)),
    value: secret(e) ? '' : valueOf(e), secret: secret(e), filled: valueOf(e) !== '',
    maximum: e.maxLength >= 0 ? e.maxLength : null, shown: e.checkVisibility(), cover: cover(e),
    multiple: e.multiple === true,
    options: e.localName === 'select' ? [...e.options].map((o) => [blank(o.label), o.value, o.matches(':disabled'), o.selected]) : null,
  });
  const card = (e) => ({
    attributes: Object.fromEntries([...e.attributes].filter((a) => !secret(e) || a.name !== 'value').map((a) => [a.name, a.value.slice(0, 1000)])),
    description: blank((e.ariaDescribedByElements || []).map(content).join(' ') || e.getAttribute('aria-description')),
    url: typeof e.href === 'string' && e.href ? e.href : e.currentSrc || (e.localName === 'iframe' ? e.src : '') || '',
    text: rendered(e, false).slice(0, 2001),
  });

  const events = (e) => {
    e.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    e.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const caretToEnd = (e) => {
    if (editable(e)) { getSelection().selectAllChildren(e); return getSelection().collapseToEnd(); }
    try { return e.setSelectionRange(e.value.length, e.value.length); } catch (error) { return null; }
  };
  const toggled = (e) => {
    const native = e.localName === 'input' && /^(checkbox|radio)$/.test(e.type);
    if (native) return e.indeterminate ? 'mixed' : String(e.checked);
    return e.getAttribute('aria-checked') || e.getAttribute('aria-pressed');
  };
  const actions = {
    insert: (e) => {
      const before = valueOf(e);
      if (activeIn(e) !== e) { e.focus(); caretToEnd(e); }
      const done = activeIn(e) === e && document.execCommand('insertText', false, given.text);
      return { done, changed: valueOf(e) !== before };
    },
    fill: (e) => {
      e.focus();
      if (editable(e)) {
        getSelection().selectAllChildren(e);
        document.execCommand(given.text ? 'insertText' : 'delete', false, given.text);
      } else {
        real(Object.getPrototypeOf(e), 'value').set.call(e, given.text);
        events(e);
      }
      return { done: true, holds: valueOf(e) === given.text };
    },
    toggle: (e) => {
      const before = toggled(e), goal = String(given.wanted);
      if (before !== null && before !== goal) e.click();
      if (before === 'mixed' && toggled(e) !== goal) e.click();
      return { before, after: toggled(e) };
    },
    choose: (e) => {
      [...e.options].forEach((o, place) => { o.selected = given.places.includes(place); });
      events(e);
      return { chosen: [...e.selectedOptions].map((o) => blank(o.label)) };
    },
    click: (e) => { (e.click ? e : e.parentElement).click(); return { done: true }; },
    submit: (e) => {
      const form = e.form || e.closest('form');
      if (!form) return { form: false };
      const sender = (one) => /^(submit|image)$/.test(one.type) && /^(button|input)$/.test(one.localName);
      const button = sender(e) ? e : [...form.elements].find(sender);
      if (button && button.matches(':disabled')) return { form: true, disabled: true };
      const unchecked = form.noValidate || (button && button.formNoValidate);
      const bad = unchecked ? null : [...form.elements].find((one) => one.willValidate && !one.checkValidity());
      if (!bad) { if (button) button.click(); else form.requestSubmit(); }
      return { form: true, invalid: bad ? bad.name || bad.id || bad.localName : '', message: bad ? bad.validationMessage : '' };
    },
  };
  const spoken = (node) => {
    const text = node.previousSibling ? folded(node.data) : folded(node.data).replace(/^ /, '');
    return node.nextSibling ? text : text.replace(/ $/, '');
  };
  const look = (node) => {
    const e = node.nodeType === 1 ? node : node.parentElement;
    if (node.nodeType === 3 && ask === 'brief') return { tag: '#text', labels: [['contents', spoken(node)]], states: [] };
    if (node.nodeType === 3 && ask === 'text') return { text: blank(node.data) };
    if (ask === 'brief') return brief(e);
    if (ask === 'card') return { ...brief(e), ...field(e), ...card(e) };
    if (ask === 'field') return { ...brief(e), ...field(e) };
    if (ask === 'text') return { text: rendered(e, given.links) };
    if (ask === 'matches') return { matches: node.nodeType === 1 && e.matches(given.css) };
    if (!e.isConnected || e.localName !== given.tag) return { moved: true };
    return { ...actions[ask](e), value: secret(e) ? '' : valueOf(e), filled: valueOf(e) !== '' };
  };

  const told = (node) => {
    let said;
    try { said = JSON.stringify(look(node)); } catch (error) { said = JSON.stringify({ error: String(error) }); }
    const plain = said.replace(/[^ -~]/g, (one) => '\\u' + one.charCodeAt(0).toString(16).padStart(4, '0'));
    if (given.keep && plain.length > 9000) {
      window.__domsh_out = plain;
      return '@' + nonce + '@{"kept":' + plain.length + '}@' + nonce + '@';
    }
    return '@' + nonce + '@' + plain + '@' + nonce + '@';
  };
  const arm = (proto, name, once) => {
    const kept = real(proto, name);
    const off = () => {
      const now = Object.getOwnPropertyDescriptor(proto, name);
      if (!now || now.get !== get) return;
      if (kept) Object.defineProperty(proto, name, kept); else delete proto[name];
    };
    const get = function () {
      const frames = String(new Error().stack).split('\n');
      if (frames.length !== 3 || !/\.<anonymous> \(<anonymous>:1:\d+\)$/.test(frames[2])) return kept ? kept.get.call(this) : undefined;
      if (once) off();
      return told(this);
    };
    get.real = kept;
    Object.defineProperty(proto, name, { configurable: true, enumerable: true, get, set: kept ? kept.set : undefined });
    return off;
  };
  try {
    if (how === 'off') { if (window[OFF]) window[OFF](); return 'off'; }
    if (how === 'active') return told(document.activeElement || document.body);
    if (how === 'body') return told(document.body || document.documentElement);
    if (how === 'once') { setTimeout(arm(Node.prototype, 'textContent', true), 3000); return 'armed'; }
    if (window[OFF]) window[OFF]();
    const offs = [HTMLElement, SVGElement, window.MathMLElement, Text].filter(Boolean).map((one) => arm(one.prototype, 'innerText', false));
    const end = () => { offs.forEach((off) => off()); if (window[OFF] === end) delete window[OFF]; };
    window[OFF] = end;
    setTimeout(end, 30000);
    return 'armed';
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
})
