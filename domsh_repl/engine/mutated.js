// Gives true at the first change in the document, `this`, and false after some milliseconds without.
function mutated(milliseconds) {
  return new Promise((tell) => {
    const observer = new MutationObserver(() => done(true));
    const timer = setTimeout(() => done(false), milliseconds);
    function done(changed) {
      observer.disconnect();
      clearTimeout(timer);
      tell(changed);
    }
    observer.observe(this, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}
