// What is asked of the form around an element, `this`, before and after it is sent (HTML, form
// submission). The default button is the one that Enter in a field would press.
function submit(ask) {
  const form = () => {
    for (let node = this; node; node = bare(node).parentNode ?? bare(node).host) {
      const e = bare(node);
      if (e.localName === 'form') return node;
      const owner = e.form;
      if (owner instanceof HTMLFormElement) return owner;
    }
    return null;
  };
  const isSender = (e) => (e.localName === 'button' && e.type === 'submit') || (e.localName === 'input' && ['submit', 'image'].includes(e.type));
  const owner = form();
  if (ask === 'form' || !owner) return owner;
  const controls = [...bare(owner).elements];
  const images = [...bare(bare(owner).getRootNode()).querySelectorAll('input[type=image]')].filter((e) => e.form === owner);
  const senders = [...controls.filter(isSender), ...images];
  senders.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  const button = senders.includes(this) ? this : senders[0] ?? null;
  if (ask === 'button') return button;
  if (ask === 'disabled') return button !== null && button.matches(':disabled');
  if (ask === 'refusing') {
    if (button?.formNoValidate || bare(owner).noValidate) return null;
    return controls.find((e) => e.willValidate && !e.validity.valid) ?? null;
  }
  if (ask === 'send') {
    const seen = { sent: false };
    const note = (event) => { if (event.target === owner) seen.sent = true; };
    for (const target of [window, owner]) EventTarget.prototype.addEventListener.call(target, 'submit', note, { capture: true });
    try {
      if (button) button.click();
      else bare(owner).requestSubmit();
    } finally {
      for (const target of [window, owner]) EventTarget.prototype.removeEventListener.call(target, 'submit', note, { capture: true });
    }
    return seen.sent;
  }
  return null;
}
