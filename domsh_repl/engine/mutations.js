// Counts what changes in the document, `this`, until `read` is called on what it returns.
function mutations() {
  let count = 0;
  const observer = new MutationObserver((records) => { count += records.length; });
  observer.observe(this, { subtree: true, childList: true, characterData: true, attributes: true });
  return { read() { count += observer.takeRecords().length; observer.disconnect(); return count; } };
}
