// Hears what the live regions of the document, `this`, say to screen readers (WAI-ARIA 1.2, aria-live, aria-atomic,
// aria-busy; HTML-AAM for output), from the first call on; `begin` forgets what was said before. The text of a region
// that was there already is no announcement; an alert is one also when it appears.
function live(ask) {
  const MOST = 200, LONGEST = 2000;
  const SPEAKS = { alert: true, status: true, log: true, timer: false, marquee: false };
  const WHOLE = new Set(['alert', 'status', 'output']);
  const ALERTS = '[role=alert], [aria-live=assertive]';
  const heard = globalThis.heard ??= { said: [], shown: new WeakMap(), of: null };
  const roleOf = (e) => (e.getAttribute('role') || '').trim().split(/\s+/)[0].toLowerCase() || (e.localName === 'output' ? 'output' : '');
  const speaks = (e) => {
    const given = (e.getAttribute('aria-live') || '').trim().toLowerCase();
    if (given === 'off') return false;
    if (given === 'polite' || given === 'assertive') return true;
    const role = roleOf(e);
    return role === 'output' ? true : Object.hasOwn(SPEAKS, role) ? SPEAKS[role] : undefined;
  };
  const around = (node) => { const e = bare(node); return e.parentElement || e.getRootNode().host || null; };
  // the region that a node belongs to and what of it is said at once; null where nothing is
  const unitOf = (node) => {
    let whole = null;
    for (let n = bare(node).nodeType === 1 ? node : around(node); n; n = around(n)) {
      const e = bare(n), atomic = e.getAttribute('aria-atomic');
      if (e.getAttribute('aria-busy') === 'true') return null;
      whole ??= atomic === 'true' ? n : atomic === 'false' ? node : null;
      const speaking = speaks(e);
      if (speaking === false) return null;
      if (speaking) return { region: n, unit: whole ?? (WHOLE.has(roleOf(e)) ? n : node) };
    }
    return null;
  };
  const isShown = (n) => {
    for (let e = bare(n).nodeType === 1 ? n : around(n); e; e = around(e)) if (bare(e).getAttribute('aria-hidden') === 'true') return false;
    const element = bare(n).nodeType === 1 ? n : around(n);
    return Boolean(element) && bare(element).checkVisibility({ checkVisibilityCSS: true });
  };
  // what is said at once is short: nobody walks through a whole page for it, whatever a region holds
  let left = { nodes: 0, signs: 0 };
  const text = (node) => {
    if (--left.nodes < 0 || left.signs < 0) return '';
    const e = bare(node);
    if (e.nodeType === 3) { left.signs -= e.length; return e.data; }
    if (e.nodeType !== 1 || e.getAttribute('aria-hidden') === 'true' || !e.checkVisibility({ checkVisibilityCSS: true })) return '';
    if (e.localName === 'img' || e.getAttribute('role') === 'img') return ` ${e.getAttribute('alt') ?? e.getAttribute('aria-label') ?? ''} `;
    let inner = '';
    for (let child = e.firstChild; child && left.nodes > 0; child = bare(child).nextSibling) inner += text(child);
    return getComputedStyle(node).display.startsWith('inline') ? inner : ` ${inner} `;
  };
  const words = (node) => {
    if (!isShown(node)) return '';
    left = { nodes: MOST, signs: 2 * LONGEST };
    return text(node).replace(/\s+/g, ' ').trim().slice(0, LONGEST);
  };
  const say = (region, unit) => {
    if (heard.said.length >= MOST) return;
    const said = words(unit);
    if (bare(region).matches(ALERTS)) heard.shown.set(region, unit === region ? said : words(region));
    if (said) heard.said.push(said);
  };
  const alertsIn = (node) => {
    const e = bare(node);
    return e.nodeType === 1 ? [...(e.matches(ALERTS) ? [node] : []), ...e.querySelectorAll(ALERTS)] : [];
  };
  const hear = (records) => {
    const units = new Map();
    const add = (node) => { const found = unitOf(node); if (found) units.set(found.unit, found.region); return found; };
    const appeared = (node) => {
      for (const region of alertsIn(node)) {
        if (units.has(region) || !unitOf(region)) continue;
        const now = words(region);
        if (now && heard.shown.get(region) !== now) units.set(region, region);
        heard.shown.set(region, now);
      }
    };
    for (const record of records.slice(0, 50 * MOST)) {
      if (units.size >= MOST) break;
      if (record.type === 'characterData') add(record.target);
      else if (record.type === 'attributes') appeared(record.target);
      else for (const node of record.addedNodes) if (bare(node).isConnected && !(unitOf(record.target) && add(node))) appeared(node);
    }
    for (const [unit, region] of units) say(region, unit);
  };
  if (heard.of !== this) {
    heard.observer?.disconnect();
    heard.of = this;
    for (const region of alertsIn(bare(this).documentElement ?? this)) heard.shown.set(region, words(region));
    heard.observer = new MutationObserver(hear);
    heard.observer.observe(this, {
      subtree: true, childList: true, characterData: true,
      attributeFilter: ['hidden', 'aria-hidden', 'class', 'style', 'open', 'aria-busy'],
    });
    heard.hear = hear;
  }
  heard.hear(heard.observer.takeRecords());
  if (ask === 'begin') heard.said = [];
  return heard.said;
}
