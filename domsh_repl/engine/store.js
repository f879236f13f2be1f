// Puts pairs of key and value into a storage of the document's origin; returns what went wrong.
function store(area, pairs) {
  try {
    for (const [key, value] of pairs) window[area].setItem(key, value);
    return '';
  } catch (error) { return error.name; }
}
