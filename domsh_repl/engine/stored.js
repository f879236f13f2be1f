// What the document's origin keeps in a storage, as JSON pairs of key and value; null where it
// has none (an opaque origin, or storage is off). `area` is localStorage or sessionStorage.
function stored(area) {
  try {
    const storage = window[area], pairs = [];
    for (let i = 0; i < storage.length; i++) {
      const key = storage.key(i);
      pairs.push([key, storage.getItem(key)]);
    }
    return JSON.stringify(pairs);
  } catch (error) { return null; }
}
