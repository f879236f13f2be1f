"""What DOMShell asks of the DOM elements behind its nodes, each in one call of a function.

The functions that read ``textContent`` and ``innerText`` are called as the extension calls
them, alone and on one line, in the page's own world: clients are known to rely on it.
"""

from __future__ import annotations

from typing import Any

from domsh_repl.aria import PASSWORD_MASK
from domsh_repl.engine.axnode import AxNode
from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.page import Page
from domsh_repl.errors import Failed, Stale
from domsh_repl.safetext import one_line

__all__ = ["Elements"]

_TEXT_CONTENT = "function() { return this.textContent; }"
_INNER_TEXT = "function() { return this.innerText; }"
_FACTS = """function(mask) {
  const secret = (e) => e.localName === 'input' && e.type === 'password';
  const masked = (e) => {
    if (!secret(e) && !e.querySelector('input[type=password i]')) return e.outerHTML;
    // in a document without scripts, where a copy neither runs nor loads anything
    const copy = document.implementation.createHTMLDocument('').importNode(e, true);
    for (const one of [copy, ...copy.querySelectorAll('input')])
      if (secret(one) && one.getAttribute('value')) one.setAttribute('value', mask);
    return copy.outerHTML;
  };
  if (this.nodeType !== 1) return {tag: this.nodeName.toLowerCase()};
  const get = (name) => this.getAttribute(name) || undefined;
  const url = (value) => typeof value === 'string' && value ? value : undefined;
  return {tag: this.localName, href: url(this.href), src: url(this.src), id: this.id || undefined,
    class: get('class'), alt: get('alt'), title: get('title'), placeholder: get('placeholder'),
    domName: get('name'), action: get('action'), html: masked(this).slice(0, 300),
    value: !('value' in this) ? '' : secret(this) && this.value ? mask : String(this.value)};
}"""
_CLICK = """function() {
  const e = this.nodeType === 1 ? this : this.parentElement;
  if (e.click) e.click();
  else e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
}"""
_FOCUS = "function() { (this.nodeType === 1 ? this : this.parentElement).focus() }"
_SCROLL = """function() {
  (this.nodeType === 1 ? this : this.parentElement).scrollIntoView({block: 'center'})
}"""
_SELECT = """function(wanted) {
  if (this.localName !== 'select') return ['tag', this.localName || this.nodeName.toLowerCase()];
  const options = [...this.options], text = (o) => o.text.trim();
  const found = options.find((o) => o.value === wanted)
    || options.find((o) => text(o).toLowerCase() === wanted.trim().toLowerCase());
  if (!found) return ['none', options.map((o) => `${text(o)} [value=${o.value}]`).join(', ')];
  this.value = found.value;
  for (const name of ['input', 'change']) this.dispatchEvent(new Event(name, {bubbles: true}));
  return ['done', `${text(found)} (value=${found.value})`];
}"""
_ROWS = """function() {
  return [...this.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()));
}"""
_LINKED_TEXT = """function() {
  const walk = (node) => node.nodeType === 3 ? node.data
    : node.localName === 'a' && node.href ? `[${node.textContent.trim()}](${node.href})`
    : [...node.childNodes].map(walk).join('');
  return walk(this);
}"""


class Elements:
    """Calls functions on the elements of one page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def text_content(self, node: AxNode) -> str:
        """Return ``textContent``, "" where there is none (a document has none)."""
        return str(await self._call(node, _TEXT_CONTENT) or "")

    async def inner_text(self, node: AxNode) -> str:
        """Return ``innerText``, "" for what has none."""
        return str(await self._call(node, _INNER_TEXT) or "")

    async def linked_text(self, node: AxNode) -> str:
        """Return the text with links as Markdown writes them, unescaped."""
        return str(await self._call(node, _LINKED_TEXT) or "")

    async def facts(self, node: AxNode) -> dict[str, Any]:
        """Return tag, addresses and other attributes; nothing of what has no element."""
        return await self._call(node, _FACTS, PASSWORD_MASK) or {}

    async def rows(self, node: AxNode) -> list[list[str]]:
        """Return the texts of the cells of a table."""
        return await self._call(node, _ROWS) or []

    async def click(self, node: AxNode) -> None:
        """Click by script, as the extension does in a tab that is not in front."""
        await self._call(node, _CLICK)

    async def focus(self, node: AxNode) -> None:
        """Give it the focus."""
        await self._call(node, _FOCUS)

    async def scroll_to(self, node: AxNode) -> None:
        """Bring it into view."""
        await self._call(node, _SCROLL)

    async def select(self, node: AxNode, wanted: str) -> tuple[str, str]:
        """Choose an option; return "done", "none" or "tag", and what belongs to it."""
        what, told = await self._call(node, _SELECT, wanted)
        return str(what), str(told)

    async def insert(self, text: str) -> None:
        """Type into what has the focus."""
        await self._page.main.call("Input.insertText", text=text)

    async def evaluate(self, source: str) -> dict[str, Any]:
        """Return the remote object of an expression's value; raises ``Failed`` for a throw."""
        reply = await self._page.main.call(
            "Runtime.evaluate", expression=source, awaitPromise=True, returnByValue=True
        )
        return _result(reply)

    async def _call(self, node: AxNode, function: str, *arguments: str) -> Any:
        if not node.backend:
            return None
        session = self._page.main
        try:
            reply = await session.call(
                "Runtime.callFunctionOn",
                objectId=await _in_page(session, node.backend),
                functionDeclaration=function,
                arguments=[{"value": one} for one in arguments],
                returnByValue=True,
            )
        except CdpError as error:
            raise Failed(f"the element is gone ({error.message})", "`refresh`") from error
        return _result(reply).get("value")


async def _in_page(session: Session, backend_id: int) -> str:
    """Return the object id of a DOM node in the page's own world, as DOMShell's extension does."""
    try:
        reply = await session.call("DOM.resolveNode", backendNodeId=backend_id)
    except CdpError as error:
        raise Stale("the element is no longer in the page", "`refresh`") from error
    return str(reply["object"]["objectId"])


def _result(reply: dict[str, Any]) -> dict[str, Any]:
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        thrown = details.get("exception") or {}
        text = thrown.get("description") or thrown.get("value") or details.get("text")
        raise Failed(one_line(str(text)))
    result: dict[str, Any] = reply["result"]
    return result
