// Whether a fragment names a place in this document, `this`: 'elsewhere' when the address, without
// its fragment, is another's (HTML, "select the indicated part"; "" and top are the document's top).
function anchor(address, fragment) {
  const document = bare(this);
  if (document.URL.split('#')[0] !== address) return 'elsewhere';
  if (!fragment || fragment.toLowerCase() === 'top') return true;
  return document.getElementById(fragment) !== null || document.getElementsByName(fragment).length > 0;
}
