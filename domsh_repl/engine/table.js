// A table as data. `this` is the element; null when it is none (HTML table; ARIA table, grid,
// treegrid). Returns {header, rows}: a cell that spans several stands in each of them, rows are
// filled up to the same length, and several rows of headers become one ("2024 / Q1"). What is not
// displayed is left out.
function table() {
  const MOST_CELLS = 500000, MOST_SPAN = 1000;
  const roleOf = (e) => (e.getAttribute('role') || '').trim().split(/\s+/)[0];
  const isTable = (e) => ['table', 'grid', 'treegrid'].includes(roleOf(e)) || (e.localName === 'table' && !['button', 'listbox'].includes(roleOf(e)));
  const isRow = (e) => roleOf(e) === 'row' || (e.localName === 'tr' && !roleOf(e));
  const isHead = (e) => ['columnheader', 'rowheader'].includes(roleOf(e)) || (e.localName === 'th' && !roleOf(e));
  const isCell = (e) => isHead(e) || ['cell', 'gridcell'].includes(roleOf(e)) || (e.localName === 'td' && !roleOf(e));
  const isRowHead = (e) => roleOf(e) === 'rowheader' || ['row', 'rowgroup'].includes((e.getAttribute('scope') || '').toLowerCase());
  const displayed = (node) => getComputedStyle(node).display !== 'none' && getComputedStyle(node).visibility !== 'collapse';
  const inside = (node) => {
    const e = bare(node);
    const nodes = e.shadowRoot ? e.shadowRoot.children : e.localName === 'slot' && e.assignedElements().length ? e.assignedElements() : e.children;
    return [...nodes];
  };
  const below = (top, wanted, stop) => {
    const found = [];
    const walk = (node) => {
      for (const child of inside(node)) {
        step();
        const e = bare(child);
        if (!displayed(child)) continue;
        if (wanted(e)) found.push(child);
        else if (!stop(e)) walk(child);
      }
    };
    walk(top);
    return found;
  };
  const sayings = (node) => below(node, (e) => said(e) !== '', () => false).map((one) => said(bare(one))).join(' ');
  const said = (e) => {
    if (e.localName === 'input' && ['checkbox', 'radio'].includes(e.type)) return e.checked ? 'checked' : 'unchecked';
    if (e.localName === 'select') return [...e.selectedOptions].map((o) => o.label.trim()).join(', ');
    if (['input', 'textarea'].includes(e.localName) && !['password', 'hidden'].includes(e.type)) return e.value;
    return (e.getAttribute('aria-label') || e.getAttribute('alt') || '').trim();
  };
  const written = (cell) => {
    const shown = text.call(cell, false, 1000000, 0).text.replace(/\ue000\d+\ue001/g, '').trim();
    return shown || sayings(cell);
  };
  const number = (e, own, aria) => {
    const value = parseInt(e.getAttribute(own) ?? e.getAttribute(aria) ?? '1', 10);
    return Number.isNaN(value) || value < 0 ? 1 : value;
  };

  const self = bare(this);
  if (self.nodeType !== 1 || !isTable(self)) return null;
  const rows = below(this, isRow, (e) => isTable(e) || isCell(e));
  const group = (row) => bare(row).parentNode;
  // rows of thead and tfoot stand first and last, wherever they are written
  const rank = (row) => ({ thead: -1, tfoot: 1 }[group(row)?.localName] ?? 0);
  const ordered = rows.map((row, at) => [rank(row), at, row]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((one) => one[2]);

  const grid = ordered.map(() => []);
  let count = 0;
  ordered.forEach((row, y) => {
    let x = 0;
    for (const cell of below(row, isCell, isTable)) {
      const e = bare(cell);
      while (grid[y][x] !== undefined) x++;
      const wide = Math.min(Math.max(number(e, 'colspan', 'aria-colspan'), 1), MOST_SPAN);
      let high = number(e, 'rowspan', 'aria-rowspan') || Infinity;  // 0: to the end of its group
      const value = { text: written(cell), head: isHead(e), rowHead: isRowHead(e) };
      for (let down = 0; down < high && y + down < ordered.length; down++) {
        if (group(ordered[y + down]) !== group(row)) break;
        for (let right = 0; right < wide; right++) {
          if (++count > MOST_CELLS) return;
          grid[y + down][x + right] ??= value;
        }
      }
      x += wide;
    }
  });
  if (count > MOST_CELLS) return { refused: true };
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const full = grid.map((row) => Array.from({ length: width }, (_, x) => row[x] ?? { text: '', head: false, rowHead: false }));

  let heads = 0;
  while (heads < ordered.length && group(ordered[heads])?.localName === 'thead') heads++;
  if (!heads && full.length && full[0].some((cell) => cell.head) && full[0].every((cell) => (cell.head && !cell.rowHead) || !cell.text)) heads = 1;
  const titles = (x) => {
    const found = [];
    for (const row of full.slice(0, heads)) if (row[x].text && row[x].text !== found.at(-1)) found.push(row[x].text);
    return found.join(' / ');
  };
  const header = heads ? Array.from({ length: width }, (_, x) => titles(x)) : [];
  return { header, rows: full.slice(heads).filter((row) => row.length).map((row) => row.map((cell) => cell.text)) };
}
