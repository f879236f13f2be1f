// Why a form's control, `this`, refuses what it holds, and how it is called.
function refusal() {
  const e = bare(this);
  const label = e.computedName || e.labels?.[0]?.innerText || e.getAttribute('aria-label') || e.name || e.localName;
  return [label.replace(/\s+/g, ' ').trim(), e.validationMessage];
}
