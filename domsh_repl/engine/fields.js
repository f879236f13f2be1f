// What the engine asks of one form field, `this`. `ask` is the question, `given` what it needs.
function fields(ask, given) {
  const node = this, e = bare(node);
  const tag = e.localName;
  const type = tag === 'input' ? e.type : '';
  const UNTYPED = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden']);
  const PICKED = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range']);
  const editable = () => (tag === 'input' && !UNTYPED.has(type)) || tag === 'textarea' || e.isContentEditable;
  const setter = () => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(node), 'value')?.set;
  const value = () => e.isContentEditable && tag !== 'input' && tag !== 'textarea' ? e.innerText : String(e.value ?? '');
  const changed = () => {
    e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    e.dispatchEvent(new Event('change', {bubbles: true}));
  };
  const optionText = (o) => o.label.replace(/\s+/g, ' ').trim();
  const rootActive = () => bare(e.getRootNode()).activeElement;
  const ariaReadonly = e.getAttribute('aria-readonly') === 'true';
  const state = () => {
    if (tag === 'input' && (type === 'checkbox' || type === 'radio')) return e.indeterminate ? 'mixed' : String(e.checked);
    return e.getAttribute('aria-checked') ?? e.getAttribute('aria-pressed') ?? null;
  };
  if (ask === 'facts') {
    return {tag, type, editable: editable(), picked: PICKED.has(type), value: value(),
            multiple: e.multiple === true,
            disabled: e.matches(':disabled') || e.closest('[aria-disabled="true"]') !== null,
            readonly: e.readOnly === true || ariaReadonly, aria_readonly: ariaReadonly,
            secret: type === 'password', maximum: e.maxLength >= 0 ? e.maxLength : null,
            full: e.maxLength >= 0 && value().length >= e.maxLength,
            focused: bare(e.ownerDocument).hasFocus()
              && (rootActive() === node || (e.isContentEditable && e.contains(rootActive()))),
            state: state(), connected: e.isConnected};
  }
  if (ask === 'a moment') return new Promise((done) => setTimeout(done, 50));
  const selectAll = () => {
    if (e.isContentEditable && tag !== 'input' && tag !== 'textarea') getSelection().selectAllChildren(node);
    else e.select();
  };
  if (ask === 'focus' || ask === 'focus, select all') {
    e.focus({preventScroll: false});
    const focused = rootActive() === node || e.contains(rootActive()) || (e.shadowRoot !== null && bare(document).activeElement === node);
    if (focused && ask !== 'focus') selectAll();
    return focused;
  }
  if (ask === 'caret to end') {
    if (e.isContentEditable && tag !== 'input') { getSelection().selectAllChildren(node); getSelection().collapseToEnd(); return true; }
    try { e.setSelectionRange(e.value.length, e.value.length); } catch (error) { return false; /* number and email have no selection */ }
    return true;
  }
  if (ask === 'set') { setter()?.call(node, given); changed(); return value(); }
  if (ask === 'options') {
    if (tag !== 'select') return null;
    return [...e.options].map((o) => [optionText(o), o.value, o.disabled || (o.parentElement.localName === 'optgroup' && o.parentElement.disabled)]);
  }
  if (ask === 'choose') {
    const chosen = () => [...e.options].map((o) => o.selected).join();
    const before = chosen();
    [...e.options].forEach((o, place) => { o.selected = given.includes(place); });
    if (chosen() !== before) changed();
    return [...e.selectedOptions].map(optionText);
  }
  return null;
}
