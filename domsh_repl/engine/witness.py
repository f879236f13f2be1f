"""Sees whether a click arrived: a page may replace the element between press and release.

The browser then sends no click to anybody, and nothing else tells. The listener lives in an
isolated world, of which the page's own scripts see nothing (Page.createIsolatedWorld).
"""

from __future__ import annotations

import asyncio

from domsh_repl.engine.cdp import CdpError, Session
from domsh_repl.engine.page import Page

__all__ = ["Witness"]

_WORLD = "domsh"
# mousedown counts for what acts on the press already and swallows the click: native popups
_WATCH = """function() {
  const element = this;
  const seen = {click: false};
  const inside = (event) => {
    const path = event.composedPath();
    if (path.includes(element)) return true;
    for (let root = element.getRootNode(); root.host; root = root.host.getRootNode()) {
      if (root.host === path[0]) return true;
    }
    // rebuilt since it was looked at: what stands in its place got the click
    const equal = (node) => node.nodeType === 1 && node.isEqualNode(element);
    return !element.isConnected && path.some(equal);
  };
  const note = (event) => { if (event.isTrusted && inside(event)) seen.click = true; };
  for (const kind of element.localName === 'select' ? ['click', 'mousedown'] : ['click']) {
    element.addEventListener(kind, note, {capture: true, once: true});
    element.ownerDocument.defaultView.addEventListener(kind, note, {capture: true, once: true});
  }
  return seen;
}"""


class Witness:
    """Watches one element for the next trusted click."""

    def __init__(self, session: Session, seen: str) -> None:
        self._session = session
        self._seen = seen

    @classmethod
    async def of(cls, session: Session, frame_id: str, object_id: str) -> Witness | None:
        """Start to watch an element of that frame; None where that is not possible."""
        try:
            world, described = await asyncio.gather(
                session.call("Page.createIsolatedWorld", frameId=frame_id, worldName=_WORLD),
                session.call("DOM.describeNode", objectId=object_id),
            )
            node = described["node"]
            if node.get("localName") in ("iframe", "frame", "object", "embed"):
                return None  # what is inside gets the click
            element = await session.call(
                "DOM.resolveNode",
                backendNodeId=node["backendNodeId"],
                executionContextId=world["executionContextId"],
            )
            seen = await session.call(
                "Runtime.callFunctionOn",
                objectId=element["object"]["objectId"],
                functionDeclaration=_WATCH,
            )
            return cls(session, str(seen["result"]["objectId"]))
        except (CdpError, KeyError):
            return None

    async def saw_it(self, page: Page) -> bool:
        """Tell whether the click came; a page that is being left because of it had it."""
        call = self._session.call(
            "Runtime.callFunctionOn",
            objectId=self._seen,
            functionDeclaration="function() { return this.click }",
            returnByValue=True,
        )
        try:
            reply = await page.unless_left(call)
        except CdpError:
            return True
        return reply is None or reply["result"].get("value") is True
