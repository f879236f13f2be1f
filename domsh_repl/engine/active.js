// The element that has the focus in a document or shadow root, `this`, through open shadow roots.
function active() {
  let e = bare(this).activeElement;
  while (e && bare(e).shadowRoot?.activeElement) e = bare(e).shadowRoot.activeElement;
  return e;
}
