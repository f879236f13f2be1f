// Begins every script of the engine. They run in a world of their own, so no page can replace a
// built-in function under them. But in every world a form and a document answer to the names of
// what is in them before their own properties (Web IDL, LegacyOverrideBuiltIns): after
// <input name=nextSibling> a form's next sibling is that input. `bare(node)` reads properties
// where they are defined. It is no node itself: comparing and passing on takes the node.
const bare = (node) =>
  node instanceof HTMLFormElement || node instanceof Document
    ? new Proxy({}, { get: (_, name) => defined(node, name), set: () => false })
    : node;
const defined = (node, name) => {
  for (let owner = Object.getPrototypeOf(node); owner; owner = Object.getPrototypeOf(owner)) {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    if (found) return found.get ? found.get.call(node) : typeof found.value === 'function' ? found.value.bind(node) : found.value;
  }
  return undefined;
};
// What reads the nodes of a root: most roots hold no form, and then no node needs a second look.
const readerOf = (root) =>
  root instanceof HTMLFormElement || bare(root).querySelector?.('form') ? bare : (node) => node;
// A script that takes too long ends by itself: nobody waits for it any more.
const LONGEST = 15000, EVERY = 1024, begun = performance.now();
let steps = 0;
const step = () => {
  if (++steps % EVERY === 0 && performance.now() - begun > LONGEST) throw new Error('it took too long');
};
